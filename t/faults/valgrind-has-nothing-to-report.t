#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Valgrind reports nothing of ours in a program that uses all kinds of transfers, over memory and
# over libfabric.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

command -v valgrind >/dev/null || skip_all "no valgrind here"
test -z "$BSP_SANITIZE" ||
	skip_all "not applicable: a program with sanitizers does not run under valgrind"

# Lengths that fill no record to its end, of transfers that leave as chunks, in pieces, in bulk and
# in messages of schedules.
cat >all.c <<'END'
#include <bsp.h>
#include <stdio.h>

int main(void)
{
	static char a[300000], b[300000];
	short tag = 1;
	char small[5] = "four";
	int n, k, q, len, size = 2;

	bsp_begin(bsp_nprocs());
	q = (bsp_pid() + 1) % bsp_nprocs();
	bsp_push_reg(a, sizeof a);
	bsp_set_tagsize(&size);
	bsp_sync();
	for (len = 1; len < 200000; len = len * 5 + 1) {
		bsp_put(q, b, a, 3, len);
		bsp_get(q, a, 1, b + 100000, len);
		bsp_send(q, &tag, small, sizeof small);
		bsp_send(q, &tag, b, len);
		bsp_hpput(q, b, a, 100003, len);
		bsp_sync();
		for (bsp_qsize(&n, &k); n; bsp_qsize(&n, &k))
			bsp_move(small, sizeof small);
	}
	bsp_pop_reg(a);
	bsp_sync();
	bsp_end();
	return 0;
}
END
bspcc -g -o all all.c || bail "the program does not compile"

for transport in shm ofi; do
	has_transport $transport || continue
	for nprocs in 2 3; do
		BSP_TRANSPORT=$transport BSP_NPROCS=$nprocs timeout -k 5 "$(limit 240)" \
			valgrind -q --error-exitcode=99 --trace-children=yes ./all >report 2>&1
		status=$?
		is 0 $status "$transport, $nprocs processes: it ends well"
		none "$(grep '^==' report | head -n 30)" \
			"$transport, $nprocs processes: and nothing is reported"
	done
done

done_testing
