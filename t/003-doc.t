#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 003 - every function of bsp.h is explained there and has a page in section 3.

. "${0%/*}/env.sh"

header=$top_srcdir/include/bsp.h

# name, "yes" if a comment right above it or on its line explains it
$AWK '
	/^\/\*/ && !/\*\// { open = 1 }
	open && /\*\//  { open = 0; above = 1; next }
	open            { next }
	/^\/\*.*\*\//   { above = 1; next }
	/^#|^__attribute__|^[ \t]/ { next }
	/^$/            { above = 0; next }
	{ sub(/^BSP_[A-Z]+\([0-9]*\) /, "") }
	/^[a-z].*[ *](bsp[a-z_]*)\(/ && !/^typedef/ {
		name = $0
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
		print name, above || /\/\*.*\*\// ? "yes" : "no"
	}' "$header" >"$tap_dir/functions"

# The compiler's word on what is declared: all that the reader above has to find.
echo '#include <bsp.h>' | $CC -E -P -I"$top_srcdir/include" - | tr '\n' ' ' | tr ';' '\n' |
	grep -oE '^[^(]*(\(\([^;]*\)\))?[^(]*\<bsp[a-z_]*\(' | grep -v typedef |
	grep -oE 'bsp[a-z_]*\($' | tr -d '(' | grep -v '_at$' | sort -u >"$tap_dir/declared"
$AWK '{ print $1 }' "$tap_dir/functions" | sort -u >"$tap_dir/found"
none "$(comm -3 "$tap_dir/declared" "$tap_dir/found")" "every function of bsp.h is looked at"
test "$(wc -l <"$tap_dir/found")" -ge 39
ok $? "there are $(wc -l <"$tap_dir/found")"

while read -r name explained; do
	is yes "$explained" "bsp.h explains $name"
	page=$top_srcdir/man/$name.3
	if test -f "$page" || test -f "$top_builddir/man/$name.3"; then
		ok 0 "$name has a page in section 3"
	else
		ok 1 "$name has a page in section 3"
	fi
done <"$tap_dir/functions"

done_testing
