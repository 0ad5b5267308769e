#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# After bsp_init processes other than 0 end in bsp_end; nothing of that is seen, whatever carries
# between them.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >init.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

static int n;

static void spmd(void)
{
	int left = -1, me;

	bsp_begin(n);
	me = bsp_pid();
	bsp_push_reg(&left, sizeof left);
	bsp_sync();
	bsp_put((me + 1) % bsp_nprocs(), &me, &left, 0, sizeof me);
	bsp_sync();
	if (left != (me + bsp_nprocs() - 1) % bsp_nprocs())
		bsp_abort("got %d", left);
	bsp_end();
}

int main(int argc, char **argv)
{
	bsp_init(spmd, argc, argv);
	n = argc > 1 ? atoi(argv[1]) : bsp_nprocs();
	spmd();
	printf("main goes on\n");
	return 0;
}
END
bspcc -o init init.c || bail "the program does not compile"

for transport in shm ofi mpi mix; do
	bsprun -n 2 --transport "$transport" ./init >said 2>&1
	if grep -q 'is not built in\|cannot run here' said; then
		skip "not applicable: $transport cannot run here"
		continue
	fi
	for n in 1 2 5; do
		is "main goes on" "$(bsprun -n $n --transport "$transport" ./init $n 2>&1)" \
			"$transport, $n processes: one line, and no complaint"
	done
done

done_testing
