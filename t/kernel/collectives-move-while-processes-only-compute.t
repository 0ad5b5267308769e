#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A collective of several rounds ends while all processes only compute, with BSP_OFFLOAD=1, and not
# without.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(bsp_program passed <<'END'
#include <bsp_coll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

enum { WORK = 20000000 };

/* Seen by all processes, which bsp_begin starts as copies of this one; not by the library. */
struct board {
	_Atomic int started, arrived, left;
};

static unsigned work(unsigned x)
{
	for (int i = 0; i < 1000; i++)
		x = 3 * x + 1;
	return x;
}

/*
 * Process 0 passes a number on in a chain of 4. All start, and then compute: until the last one
 * sees it in its memory, or, where it must not come, for long. Prints what the last one saw before
 * any process called the library again.
 */
int main(int argc, char **argv)
{
	struct board *b = mmap(NULL, sizeof(*b), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	volatile uint64_t data[4] = { 0 };
	bsp_request r;
	unsigned x = (unsigned)(uintptr_t)argv;
	int last;

	bsp_begin(bsp_nprocs());
	last = bsp_pid() == bsp_nprocs() - 1;
	if (bsp_pid() == 0)
		data[3] = 42;
	bsp_sync();
	r = bsp_ibcast(0, (void *)data, (void *)data, sizeof(data));
	for (b->started++; b->started < bsp_nprocs();)
		x = work(x);
	for (long i = 0; argc > 1 ? !b->arrived : i < WORK / 1000; i++) {
		x = work(x);
		if (last && data[3] == 42)
			b->arrived = 1;
	}
	for (b->left++; b->left < bsp_nprocs();)
		x = work(x);
	bsp_wait(&r);
	if (last)
		printf("%s, then %d %s\n", b->arrived ? "arrived" : "not there", (int)data[3], x == 7 ? "!" : "");
	bsp_end();
	return 0;
}
END
) || bail "cannot build the program"

cat >"$tap_dir/script" <<'END'
export BSP_TRANSPORT=esp BSP_COLL=bcast:chain BSP_WAIT=spin:0,yield:0 BSP_STAT=1

BSP_OFFLOAD=1 bsprun -n 4 passed yes >/tmp/out 2>/tmp/err
ok $? "4 processes compute until the last has what the first has sent" || sed 's/^/# /' /tmp/out /tmp/err
grep -q '^arrived, then 42' /tmp/out
ok $? "it was passed on without a call of the library" || sed 's/^/# /' /tmp/out /tmp/err
grep -q 'process 0 started schedules [0-9]* times: [1-9][0-9]* in the kernel, 0 in the process' /tmp/err
ok $? "by the kernel" || sed 's/^/# /' /tmp/err

for offload in 0 barrier; do
	BSP_OFFLOAD=$offload bsprun -n 4 passed >/tmp/out 2>/tmp/err
	ok $? "BSP_OFFLOAD=$offload: the same, for a while" || sed 's/^/# /' /tmp/out /tmp/err
	grep -q '^not there, then 42' /tmp/out
	ok $? "BSP_OFFLOAD=$offload: it is passed on when processes call the library" || sed 's/^/# /' /tmp/out /tmp/err
done
done_testing
END
run_guest -m 512 -t 120 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program" \
	"$top_builddir/tools/bsprun/bsprun"
