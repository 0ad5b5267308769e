#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Of the library only bsplib/api/ defines calls of the headers.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

command -v nm >/dev/null || skip_all "no nm here"

# public_calls SOURCES FOLDER...: object and public call, of the objects below these folders whose
# sources are still in SOURCES.
public_calls()
{
	sources=$1
	shift
	find "$@" -name '*.o' | while read -r object; do
		source=$(echo "$object" | sed 's|\.libs/||; s|[a-z_]*_la-||; s|o$|c|')
		test ! -e "$sources/$source" || echo "$object"
	done | xargs nm -A -P --defined-only 2>/dev/null |
		$AWK '$3 ~ /[TW]/ && $2 ~ /^((mc)?bsp|goal)_|^bsp[a-z]+(_end)?$/ { print $1, $2 }'
}

cd "$tap_dir" || bail "no $tap_dir"
mkdir low
echo 'int bsp_sumI(void); int bspi_sum(void);
	int bspi_sum(void) { return 1; } int bsp_sumI(void) { return bspi_sum(); }' >low/a.c
$CC -c low/a.c -o low/a.o || bail "$CC does not compile"
like '^low/a\.o: _*bsp_sumI$' "$(public_calls . low)" "a public call is found, a private one is not"

cd "$top_builddir/bsplib" || bail "no $top_builddir/bsplib"
test "$(public_calls "$top_srcdir/bsplib" api | wc -l)" -gt 200
ok $? "bsplib/api defines them" || diag "$(public_calls "$top_srcdir/bsplib" api)"
none "$(for folder in */; do
	test "$folder" = api/ || public_calls "$top_srcdir/bsplib" "$folder"
done)" "no other folder of bsplib/ does"

done_testing
