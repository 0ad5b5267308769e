#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each installed file is in one of Debian's packages, and each version of symbols is known there;
# make check-packages builds them.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# patterns: names below /usr, of files and of folders, in the packages
patterns()
{
	cat "$top_srcdir"/debian/*.install | sed -n 's,^usr/,,p'
}

# removed: names of files that debian/rules removes, or that are somewhere else there
removed()
{
	printf '%s\n' '*.la' 'share/modulefiles' '*/_where.py' 'share/doc/bsp-doc'
}

# as_debian: names below the prefix as they are below /usr there
as_debian()
{
	sed -e "s,^${libdir#"$stage$prefix/"}/,lib/machine/," \
		-e 's,^lib/machine/python3[^/]*/[a-z]*-packages/,lib/python3/dist-packages/,' \
		-e 's,^share/doc/bsp/,share/doc/bsp-doc/,'
}

# without_package: of the names that come in, those that no pattern has
without_package()
{
	while read -r name; do
		found=
		for pattern in $(cat "$tap_dir/patterns"); do
			# shellcheck disable=SC2254
			case $name in
			$pattern | $pattern/*) found=yes ;;
			esac
		done
		test "$found" || echo "$name"
	done
}

prefix=$(sed -n 's/^prefix=//p' "$bindir/bspcc")
(cd "$stage$prefix" && find . ! -type d) | sed 's,^\./,,' | as_debian >"$tap_dir/names"
{ patterns; removed; } >"$tap_dir/patterns"
set -f
test "$(wc -l <"$tap_dir/names")" -gt 100
ok $? "there are files"
none "$(without_package <"$tap_dir/names")" "each is in a package"
is "bin/other" "$(echo bin/other | without_package)" "one that is not is noticed"

versions=$(sed -n 's/^[a-z_A-Z0-9]* \(BSP_[0-9.]*\) .*/\1/p' "$top_srcdir/bsplib/abi" | sort -u)
test "$versions"
ok $? "symbols have versions"
for version in $versions; do
	grep -q "^ (symver)$version " "$top_srcdir/debian/libbsp0.symbols"
	ok $? "libbsp0.symbols has $version"
done

done_testing
