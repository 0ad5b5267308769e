#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job under mpirun that hangs warns of it, and says where each process is when a signal ends it.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"
. "$top_srcdir/t/lib/hangs.sh"
compile hangs -g

# start N [COMMAND]...: as $job, and what it complains of goes to the file said
start()
{
	n=$1
	shift
	: >said
	: >out
	# in the foreground, as else timeout sends mpirun each signal twice: it kills at the second
	timeout --foreground -k 5 "$(limit)" "$MPIRUN" --oversubscribe -n "$n" "$@" \
		>>out 2>>said </dev/null &
	job=$!
}

BSP_WAIT=warn:1.1
export BSP_WAIT
for nodes in one two; do
	case $nodes in
	one) size=0 lists=1 where="of 3 processes on .*: 1 computing, 2 waiting in other calls" ;;
	two) size=2 lists=2 where="of 2 processes on .*: 1 computing, 1 waiting in other calls" ;;
	esac
	export BSP_NODE_SIZE=$size
	start 3 ./hangs
	# not those of a slow machine that is still in bsp_begin
	until_printed $lists 'no progress for [0-9]* s, and the job .*waiting in other calls' said
	ok $? "$nodes of nodes: a job that hangs warns of it, each node" || diag "$(cat said)"
	: >said
	kill -TERM $job
	wait $job
	is $lists \
		"$(grep -c '^bsp: asked to end by SIGTERM after [0-9]* s in one superstep' said)" \
		"each node says what its processes do" || diag "$(cat said)"
	like "in one superstep; $where" "$(cat said)" "with how many do what"
	like 'computing \(process 0, superstep 1, after hangs.c:23\)' "$(cat said)" \
		"where the one is that does not come"
	like 'waiting in bsp_read at hangs.c:31.* the area registered at hangs.c:21' \
		"$(cat said)" "and for what the others wait, by the line"
	none "$(grep 'has died' said)" "and no process takes it for a failure"
done

# The delegate of process 0, on the second node, waits longer itself.
seconds=$(scaled 3)
BSP_WATCHDOG=$seconds
export BSP_WATCHDOG
start 3 ./hangs
wait $job
is 2 "$(grep -c "^bsp: no progress for $seconds s; of " said)" \
	"each node says the time of the watchdog as it was set" || diag "$(cat said)"
unset BSP_WATCHDOG
BSP_NODE_SIZE=0

start 3 ./hangs on
until_printed 1 on out
ok $? "a job that gets on" || diag "$(cat said)"
kill -TERM $job
wait $job
none "$(grep 'asked to end' said)" "ends without a list"

# All wait for each other: each node says so by itself, without a warning before.
cat >waits.c <<'END'
#include <bsp.h>

int main(void)
{
	int x = 0;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&x, sizeof x);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	bsp_read(&x, 2);
	bsp_end();
	return 0;
}
END
compile waits -g
unset BSP_WAIT
for nodes in 1 2 3; do
	export BSP_NODE_SIZE=$((3 - nodes + 1))
	start 3 ./waits
	wait $job
	is 1 $? "a deadlock ends a job by itself ($nodes nodes)"
	is $nodes "$(grep -c '^bsp: all processes wait, and nothing is on its way; of ' said)" \
		"each node says so" || diag "$(cat said)"
	is 3 "$(grep -c 'waiting in bsp_read at waits.c:11: 2 updates of .* wanted, 0 ' said)" \
		"and where each process waits" || diag "$(cat said)"
done
BSP_NODE_SIZE=0

# mpirun kills the other processes as soon as one has ended, and all a second after the signal: one
# that gets no processor for so long has not handled it
has_handled()
{
	start 2 ./hangs handles
	until_printed 1 on out
	kill -TERM $job
	wait $job
	grep -q mine out
}
until_true has_handled
ok $? "a program's own handler has the signal" || diag "$(cat said)"

done_testing
