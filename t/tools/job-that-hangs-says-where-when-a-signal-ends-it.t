#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job that hangs warns of it, and says where each process is when a signal tells it to end.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/hangs.sh"
bspcc -o hangs hangs.c || bail "the program does not compile"

# Stuck for longer than a second when it warns, so the list is due with the signal, too.
for signal in TERM INT QUIT; do
	case $signal in
	TERM) status=143 ;;
	INT) status=130 ;;
	QUIT) status=131 ;;
	esac
	: >said
	# in the background a shell ignores SIGINT and SIGQUIT, and so does what it starts
	BSP_WAIT=warn:1.1 python3 -c 'import os, resource, signal, sys
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
for s in (signal.SIGINT, signal.SIGQUIT): signal.signal(s, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' bsprun -n 3 ./hangs 2>said &
	job=$!
	# not when a slow machine is still in bsp_begin
	until_printed 1 'no progress for [0-9]* s, and the job .*1 computing, 2 waiting' said
	ok $? "a job that hangs warns of it"
	: >said
	kill -$signal $job
	wait $job
	is $status "$?" "and ends by SIG$signal"
	like "^bsp: asked to end by SIG$signal after [0-9]+ s in one superstep; of 3 processes: \
1 computing, 2 waiting in other calls" "$(cat said)" "with what the processes do"
	like 'computing \(process 0, superstep 1, after hangs.c:23\)' "$(cat said)" \
		"where the one is that does not come"
	like 'waiting in bsp_read at hangs.c:31.* the area registered at hangs.c:21' \
		"$(cat said)" "and for what the others wait, by the line"
done

: >said
bsprun -n 3 ./hangs on >out 2>said &
job=$!
until_printed 1 on out
ok $? "a job that gets on"
kill -TERM $job
wait $job
is 143 "$?" "ends by a signal"
is "" "$(cat said)" "without a word"

# A terminal sends the signal to all at once.
: >said
BSP_WAIT=warn:1.1 setsid python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' bsprun -n 3 ./hangs 2>said &
job=$!
until_printed 1 'no progress for [0-9]* s, and the job .*1 computing, 2 waiting' said
kill -INT -$job
wait $job
is 130 "$?" "SIGINT to all of a job ends it"
is 1 "$(grep -c 'asked to end by SIGINT' said)" "with one list"

# A signal ignored from the start, as by nohup, ends nothing.
: >said
BSP_WAIT=warn:1.1 sh -c 'trap "" INT HUP; exec bsprun -n 3 ./hangs' 2>said &
job=$!
goes_on='no progress for [0-9]* s, and the job goes on'
until_printed 1 "$goes_on" said
kill -INT $job
kill -HUP $job
until_printed $(($(grep -c "$goes_on" said) + 1)) "$goes_on" said
ok $? "a job that ignores SIGINT and SIGHUP goes on"
is 0 "$(grep -c 'asked to end by' said)" "without a list"
: >said
kill -TERM $job
wait $job
is 1 "$(grep -c 'asked to end by SIGTERM' said)" "and another signal ends it"

BSP_WAIT=warn:0.3 bsprun -n 3 --watchdog 0 ./hangs 2>said &
job=$!
sleep 1
kill -KILL $job
wait $job
is "" "$(cat said)" "--watchdog 0 warns of nothing"

done_testing
