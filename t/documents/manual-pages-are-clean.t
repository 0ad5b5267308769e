#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The pages have no faults, and point to what exists; those of section 3 have all their parts.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

overview=$top_builddir/man/bsp.7
test -f "$overview"
ok $? "bsp.7 is made"

pages=
for page in "$top_srcdir"/man/*.3; do
	grep -q '^\.so ' "$page" || pages="$pages $page"
done

for page in $pages "$overview" "$top_srcdir"/man/*.[1457]; do
	name=${page##*/}
	if grep -q '^\.so ' "$page"; then
		continue
	fi
	if command -v groff >/dev/null; then
		none "$(groff -mandoc -Tascii -ww -z "$page" 2>&1)" "$name: groff has no complaint"
	else
		skip "$name: no groff here"
	fi
	if command -v mandoc >/dev/null; then
		# of sockets ERRORS is usual in section 7 as well
		none "$(mandoc -Tlint -W warning "$page" 2>&1 |
			grep -v 'unexpected section: Sh ERRORS')" "$name: mandoc has no complaint"
	else
		skip "$name: no mandoc here"
	fi
done

for page in $pages; do
	none "$(for part in NAME SYNOPSIS DESCRIPTION COST EXAMPLES ERRORS "SEE ALSO"; do
		grep -qx ".Sh $part" "$page" || echo "$part"
	done)" "${page##*/} has all its parts"
done

none "$(for page in "$top_srcdir"/man/*.[13]; do
	target=$($SED -n 's,^\.so man[13]/,,p' "$page")
	test -z "$target" || test -f "$top_srcdir/man/$target" || echo "$page: $target"
done)" "every other name leads to a page"

none "$($SED -n 's/^\.Xr \(bsp[a-z_]*\) \([137]\).*/\1.\2/p' "$top_srcdir"/man/*.[13457] \
	"$overview" | sort -u |
	while read -r target; do
		test -f "$top_srcdir/man/$target" || test -f "$top_builddir/man/$target" ||
			echo "$target"
	done)" "every page that is referred to exists"

# aliases are in the NAME of the page they lead to
none "$(for page in "$top_srcdir"/man/*.3; do
	target=$($SED -n 's,^\.so man3/,,p' "$page")
	name=${page##*/}
	test -z "$target" || grep -qE "^\.Nm ${name%.3}( ,)?\$" "$top_srcdir/man/$target" ||
		echo "$name"
done)" "every other name is in the NAME of its page"

done_testing
