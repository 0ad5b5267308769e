#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No files need each other in a circle.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

command -v nm >/dev/null || skip_all "no nm here"

# circles: of the objects whose names are on standard input
circles()
{
	xargs nm -A -P 2>/dev/null | $AWK -f "$top_srcdir/build-aux/circles.awk"
}

# Three files in a circle beside two that are none are found.
cd "$tap_dir" || bail "no $tap_dir"
echo 'int b(void); int a(void); int a(void) { return b(); }' >a.c
echo 'int c(void); int b(void); int b(void) { return c(); }' >b.c
echo 'int a(void); int d(void); int c(void); int c(void) { return a() + d(); }' >c.c
echo 'int d(void); int d(void) { return 4; }' >d.c
echo 'int d(void); int e(void); int e(void) { return d(); }' >e.c
$CC -c a.c b.c c.c d.c e.c || bail "$CC does not compile"
is "3 a b c" "$(ls ./*.o | circles | tr ' ' '\n' | sort | paste -sd ' ')" \
	"a circle of three files is found"

# objects FOLDER: those that are linked into libraries where there are two of one file
cd "$top_builddir" || bail "no $top_builddir"
objects()
{
	find "$1" -name '*.o' | while read -r object; do
		shared=${object%/*}/.libs/${object##*/}
		test -e "$shared" || echo "$object"
	done
}

for folder in bsplib goal job transport tools bench kernel-modules/kernel/enet \
	kernel-modules/kernel/espgoal; do
	test -d "$folder" || continue
	objects "$folder" | circles >"$tap_dir/found"
	test ! -s "$tap_dir/found"
	ok $? "$folder: no files need each other in a circle" || diag "$(cat "$tap_dir/found")"
done

done_testing
