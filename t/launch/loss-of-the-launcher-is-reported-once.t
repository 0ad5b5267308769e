#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job whose mpirun is killed says so in one line, and after a message of its own in none.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"
cat >runs.c <<'END'
#include <bsp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* All go on; or, with an argument, process 1 ends the job when mpirun no longer answers. */
int main(int argc, char **argv)
{
	(void)argv;
	bsp_begin(bsp_nprocs());
	for (int i = 0;; i++) {
		bsp_sync();
		if (i == 100 && bsp_pid() == 0)
			fputs("on\n", stdout), fflush(stdout);
		if (i == 200 && argc > 1 && bsp_pid() == 1) {
			kill(getppid(), SIGSTOP);
			bsp_abort("it is over");
		}
	}
}
END
compile runs -g
. "$top_srcdir/t/lib/hangs.sh"

mark=$$.$tap_dir

# start [ARGUMENT]: as $job; the job's lines go to files, since mpirun passes on none any more
start()
{
	: >said
	: >out
	LOSS_MARK=$mark "$MPIRUN" --oversubscribe -n 4 \
		sh -c 'exec ./runs "$@" >>out 2>>said' sh "$@" >mpirun.out 2>&1 </dev/null &
	job=$!
}

# none_left: of the processes that this test has started
none_left()
{
	! grep -lsz "^LOSS_MARK=$mark\$" /proc/[0-9]*/environ 2>/dev/null | grep -q .
}

for size in 0 2 1; do
	export BSP_NODE_SIZE=$size
	start
	until_printed 1 on out
	ok $? "nodes of $size (0: all): a job that gets on" || diag "$(cat said mpirun.out)"
	kill -KILL $job
	wait $job
	until_true none_left
	ok $? "it ends when mpirun is killed"
	is 1 "$(grep -c . said)" "and says so in one line" || diag "$(cat said)"
	like "^bsp: the launcher's daemon on .* is gone" "$(cat said)" "which names the daemon"

	start over
	until_printed 1 'it is over' said
	ok $? "process 1 ends the job, and mpirun does not answer" || diag "$(cat said)"
	kill -KILL $job
	wait $job
	until_true none_left
	ok $? "it ends when mpirun is killed then"
	is 1 "$(grep -c . said)" "and says nothing else" || diag "$(cat said)"
done
done_testing
