#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The watchdog does not count the time in which a job is stopped as a whole.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

cat >slow.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <unistd.h>

/* Computes until there is a file, in one superstep; its number is in pid.N meanwhile. */
int main(void)
{
	char name[32];
	FILE *file;

	bsp_begin(bsp_nprocs());
	bsp_sync();
	sprintf(name, "pid.%d", bsp_pid());
	file = fopen(name, "w");
	fprintf(file, "%d\n", (int)getpid());
	fclose(file);
	while (access("continued", F_OK) != 0)
		usleep(10000);
	bsp_sync();
	bsp_end();
	return 0;
}
END
compile slow

# Far longer than a superstep takes, and the stop is longer than that.
BSP_WATCHDOG=$(scaled 6)
test "$BSP_WATCHDOG" -le 60 || BSP_WATCHDOG=60
BSP_WAIT=warn:$((BSP_WATCHDOG - 1))
export BSP_WATCHDOG BSP_WAIT
stop_s=$((BSP_WATCHDOG + 2))

# stop_for_a_while PID: and the two processes of the job
stop_for_a_while()
{
	until test -s pid.0 && test -s pid.1; do
		kill -0 "$1" 2>/dev/null || return 1
		sleep 0.05
	done
	kill -STOP "$1" "$(cat pid.0)" "$(cat pid.1)"
	sleep $stop_s
	kill -CONT "$1" "$(cat pid.0)" "$(cat pid.1)"
	: >continued
}

for how in local mpirun; do
	rm -f pid.* continued
	if test $how = local; then
		BSP_NPROCS=2 ./slow >out 2>err &
	else
		"$MPIRUN" --oversubscribe -n 2 ./slow >out 2>err </dev/null &
	fi
	job=$!
	stop_for_a_while $job
	ok $? "a job is stopped for longer than its watchdog waits ($how)"
	wait $job
	is 0 $? "and ends well when it is continued"
	none "$(grep -hv "Forwarding signal" out err)" "without a word"
done

done_testing
