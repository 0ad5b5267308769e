#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A disk without room for a whole recording is reported, and its parts remain, to be joined by cat.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

unshare -rm true 2>/dev/null || skip_all "no namespace of its own to mount a disk in"

cat >puts.c <<'END_OF_PROGRAM'
#include <bsp.h>

int main(void)
{
	int x = 0;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&x, sizeof x);
	bsp_sync();
	for (int i = 0; i < 100000; i++) {
		bsp_put(1 - bsp_pid(), &i, &x, 0, sizeof x);
		bsp_sync();
	}
	bsp_end();
	return 0;
}
END_OF_PROGRAM
bspcc -o puts puts.c || bail "the program does not compile"
mkdir disk

# on_small_disk COMMAND: its status, with a disk of 2200 KiB as ./disk
on_small_disk()
{
	unshare -rm sh -c "mount -t tmpfs -o size=2200k none disk && $1" 2>err
}

on_small_disk 'bsprun -n 2 --record disk/r ./puts; echo $? >status
	cat disk/r.*.part0 disk/r.*.part1 >all'
is 1 "$(cat status)" "a recording that does not fit ends bsprun with status 1"
like 'recording .*: No space left .* is in .*/disk/r\.[a-z0-5]+\.rec\.[0-9a-f]+\.partN' \
	"$(cat err)" "and a message"
like '^puts: 2 processes, .*100002 supersteps' "$(bspprof all)" "its parts are whole, joined by cat"

on_small_disk 'bsprun -n 2 --profile disk/p.html ./puts; echo $? >status; cat disk/*.part? >all'
is 1 "$(cat status)" "a page whose recording does not fit ends bsprun with status 1"
like 'No space left on device; .*/disk/p.html.[a-z0-5]+.rec.[0-9a-f]+.partN' \
	"$(cat err)" "and a message"
like '^puts: 2 processes' "$(bspprof all)" "with the place of what was recorded"

done_testing
