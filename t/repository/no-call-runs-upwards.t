#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# In the library a file calls only what is in its own folder or below it: bsplib/layers is the
# order. The order of the top folders is transport/, job/, bsplib/.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

command -v nm >/dev/null || skip_all "no nm here"

# upwards LAYERS [TOP]: calls against that order, of the objects whose names are on standard input;
# with TOP the order is that of the first folders of their paths
upwards()
{
	xargs nm -A -P 2>/dev/null |
		$AWK -v top="${2:-0}" -f "$top_srcdir/build-aux/upwards.awk" "$1" -
}

# A call upwards is found, one downwards is none.
cd "$tap_dir" || bail "no $tap_dir"
mkdir low high
echo 'int up(void); int down(void); int down(void) { return up(); }' >low/a.c
echo \
	'int up(void); int down(void); int same(void); int up(void) { return 1; } int same(void) { return down(); }' >high/b.c
for file in low/a high/b; do
	$CC -c "$file.c" -o "$file.o" || bail "$CC does not compile"
done
printf '# from the bottom\nlow\nhigh\n' >layers
is "low/a -> high/b: up" "$(ls ./*/*.o | upwards layers)" "a call upwards is found"
is "low/a -> high/b: up" "$(ls ./*/*.o | upwards layers 1)" "also by the first folders"

cd "$top_builddir" || bail "no $top_builddir"
none "$(cd "$top_srcdir/bsplib" && for folder in */; do
	grep -qx "${folder%/}" layers || echo "$folder"
done)" "every folder of bsplib/ has its place in bsplib/layers"

# How many there were when this was written down; it only gets smaller.
most=0
find bsplib -name '*.o' -path '*/.libs/*' | upwards "$top_srcdir/bsplib/layers" >"$tap_dir/found"
test -s "$tap_dir/found" || find bsplib -name '*.o' |
	upwards "$top_srcdir/bsplib/layers" >"$tap_dir/found"
found=$(sort -u "$tap_dir/found" | wc -l)
test "$found" -le "$most"
ok $? "$found calls run upwards, of $most" || diag "$(cat "$tap_dir/found")"

# Processes and chunks are below the library, and chunks below processes.
printf 'transport\njob\nbsplib\n' >"$tap_dir/top"
find transport job bsplib -name '*.o' | upwards "$tap_dir/top" 1 >"$tap_dir/found"
none "$(sort -u "$tap_dir/found")" "transport/ calls nothing of job/, and neither anything of bsplib/"

done_testing
