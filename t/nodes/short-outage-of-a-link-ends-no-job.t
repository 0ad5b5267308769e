#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A link that is down for half of lifeline of BSP_WAIT, and comes back, does no harm to a job.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
make_nodes 2

bspcc -o waits -x c - <<'END' || bail "the program does not compile"
#include <bsp.h>
#include <stdio.h>
#include <unistd.h>

/* Exchanges until process 0 finds a file; then all end. */
int main(void)
{
	int over = 0, s = 0;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&over, sizeof over);
	for (; !over; s++) {
		int now = access("over", F_OK) == 0;

		bsp_sync();
		if (bsp_pid() == 0)
			for (int q = 0; q < bsp_nprocs(); q++)
				bsp_put(q, &now, &over, 0, sizeof now);
		if (s == 9 && bsp_pid() == 0)
			puts("runs"), fflush(stdout);
		usleep(10000);
	}
	bsp_sync();
	bsp_end();
	return 0;
}
END

# With lifeline:10, as by default, and an outage of 5 s; with 3 of the same launcher it is too
# long, so that this would see an outage that does not happen. All are longer on a busy machine.
seconds=$(scaled 5)
for case in "$((2 * seconds)) 0" "$((3 * seconds / 5)) 1"; do
	lifeline=${case% *}
	rm -f over output errors
	on_node node1 timeout -k 5 "$(limit 120)" bsprun -x BSP_WAIT=lifeline:"$lifeline" \
		-H node1,node2 ./waits >output 2>errors &
	job=$!
	until grep -qs runs output; do
		kill -0 $job 2>/dev/null || bail "the program did not start: $(cat errors)"
		sleep 0.1
	done
	cut_link 2
	sleep $seconds
	mend_link 2
	: >over
	wait $job
	status=$?
	if test "${case#* }" -eq 0; then
		is 0 $status "an outage of half the lifeline ends no job"
		none "$(cat errors)" "and nothing is said of it"
	else
		test $status -ne 0 && test $status -ne 124
		ok $? "one that is longer than the lifeline does ($status)"
	fi
done

done_testing
