#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every function of bsp.h and bsp_coll.h is explained there and has a page in section 3.

. "${0%/*}/../lib/env.sh"

# explains HEADER LEAST: it has that many functions at least
explains()
{
	header=$top_srcdir/include/$1

	# name, "yes" if a comment right above it or on its line explains it
	$AWK '
		/^\/\*/ && !/\*\// { open = 1 }
		open && /\*\//  { open = 0; above = 1; next }
		open            { next }
		/^\/\*.*\*\//   { above = 1; next }
		/^#|^__attribute__|^[ \t]/ { next }
		/^$/            { above = 0; next }
		{ sub(/^BSP_[A-Z]+\([0-9]*\) /, "") }
		/^[a-z].*[ *](bsp[a-zA-Z_]*)\(/ && !/^typedef/ {
			name = $0
			sub(/\(.*/, "", name)
			sub(/.*[ *]/, "", name)
			print name, above || /\/\*.*\*\// ? "yes" : "no"
		}' "$header" >"$tap_dir/functions"
	every_one "$1" "$2"
	while read -r name explained; do
		is yes "$explained" "$1 explains $name"
		page=$top_srcdir/man/$name.3
		if test -f "$page" || test -f "$top_builddir/man/$name.3"; then
			ok 0 "$name has a page in section 3"
		else
			ok 1 "$name has a page in section 3"
		fi
	done <"$tap_dir/functions"
}

# declared HEADER: the compiler's word on what is
declared()
{
	echo "#include <$1>" | $CC -E -P -I"$top_srcdir/include" - | grep -v '^#' | tr '\n' ' ' |
		tr ';' '\n' |
		grep -oE '^[^(]*(\(\([^;]*\)\))?[^(]*\<bsp[a-zA-Z_]*\(' | grep -v typedef |
		grep -oE 'bsp[a-zA-Z_]*\($' | tr -d '(' | grep -vE '_at$|^bsp_returned' | sort -u
}

# every_one HEADER LEAST: the reader above has found all that is declared there
every_one()
{
	declared "$1" >"$tap_dir/declared"
	if test "$1" != bsp.h; then
		declared bsp.h | comm -13 - "$tap_dir/declared" >"$tap_dir/more"
		mv "$tap_dir/more" "$tap_dir/declared"
	fi
	$AWK '{ print $1 }' "$tap_dir/functions" | sort -u >"$tap_dir/found"
	none "$(comm -3 "$tap_dir/declared" "$tap_dir/found")" "every function of $1 is looked at"
	test "$(wc -l <"$tap_dir/found")" -ge "$2"
	ok $? "there are $(wc -l <"$tap_dir/found")"
}

explains bsp.h 39
explains bsp_coll.h 49

done_testing
