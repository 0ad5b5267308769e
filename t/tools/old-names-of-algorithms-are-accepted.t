#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names that algorithms had before are accepted, by the library and by goalc, with one notice.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >"$tap_dir/one.c" <<'END'
#include <bsp.h>
int main(void)
{
	bsp_begin(bsp_nprocs());
	bsp_sync();
	bsp_end();
}
END
bspcc -o "$tap_dir/one" "$tap_dir/one.c" || bail "bspcc"

# notices VARIABLE VALUE: what a job of two prints
notices()
{
	env BSP_VERBOSE=1 BSP_NPROCS=2 "$1=$2" "$tap_dir/one" 2>&1
}

# renamed OLD NEW
renamed()
{
	notices BSP_BARRIER "$1" >"$tap_dir/out"
	is "1" "$(grep -c "^bsp_begin: BSP_BARRIER: $1 is now called $2 " "$tap_dir/out")" \
		"BSP_BARRIER=$1: one notice"
	like "bsp_sync $2\$" "$(grep '^bsp: 2 processes' "$tap_dir/out")" "and the barrier is $2"
	none "$(notices BSP_BARRIER "$2" | grep 'now called')" "BSP_BARRIER=$2: no notice"
}

BSP_TRANSPORT=shm
export BSP_TRANSPORT
renamed flat alltoall
renamed tally counting
renamed spread dissemination
renamed concurrent linear
renamed binary binomial
renamed kary:3 knomial:3

notices BSP_COLL barrier:kary:3,bcast:segmented-flat:4k,reduce:chain >"$tap_dir/out"
is 2 "$(grep -c 'now called' "$tap_dir/out")" "BSP_COLL: a notice for each old name"
like "^bsp_begin: BSP_COLL: kary is now called knomial " "$(cat "$tap_dir/out")" "a barrier's"
like "^bsp_begin: BSP_COLL: segmented-flat is now called segmented-linear " \
	"$(cat "$tap_dir/out")" "a broadcast's"
none "$(notices BSP_COLL bcast:binary,bcast:linear | grep 'now called')" \
	"a binary broadcast tree keeps its name"

# However long it is.
goalc gen --list | awk '{ print $1 ":" $2 }' >"$tap_dir/all"
none "$(while read -r name; do
	notices BSP_COLL "$name" | grep 'now called'
done <"$tap_dir/all")" "no name of today is taken for an old one"
test "$(wc -l <"$tap_dir/all")" -ge 30
ok $? "of $(wc -l <"$tap_dir/all")"

goalc gen barrier --algorithm flat -P 4 >"$tap_dir/old" 2>"$tap_dir/err"
is 0 $? "goalc takes an old name"
is "goalc: --algorithm flat is now called linear" "$(cat "$tap_dir/err")" "with a notice"
goalc gen barrier --algorithm linear -P 4 >"$tap_dir/new" 2>"$tap_dir/err"
none "$(cat "$tap_dir/err")" "without one for the new name"
cmp -s "$tap_dir/old" "$tap_dir/new"
ok $? "and makes the same schedule"

done_testing
