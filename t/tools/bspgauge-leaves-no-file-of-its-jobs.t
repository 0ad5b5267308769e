#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspgauge takes the reports of its jobs, one for each module, in memory: SIGKILL leaves no file,
# and ends the job under way.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

touch before

# job_of PID: the command of its child, when that has become bspgauge with one module
job_of()
{
	job=$(ps -o pid= --ppid "$1" | head -n 1 | tr -d ' ')
	test "$job" && tr '\0' ' ' <"/proc/$job/cmdline" 2>/dev/null >words &&
		grep -E ' --module (emu|shm|tcp|udp) ' words >command
}

# is_gone PID: ended, though perhaps not waited for
is_gone()
{
	! kill -0 "$1" 2>/dev/null || grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null
}

# One job after another, any of which will do: on a busy machine the first may end unseen.
bspgauge -n 2 --module emu,shm,tcp,udp --emulate gigabit,cpu=0 --seconds 600 >table 2>errors &
pid=$!
until_true job_of $pid
ok $? "a job of two has begun"
like " --json /proc/$pid/fd/[0-9]+ " "$(cat command)" "it writes its report to memory of bspgauge"
kill -KILL $pid
wait $pid 2>/dev/null
is 137 $? "bspgauge is killed"
until_true is_gone "$job"
ok $? "its job ends, too" || kill -KILL "$job"
none "$(find /tmp -maxdepth 1 -name 'bspgauge.*' -user "$(id -u)" -newer before)" "no file is left"

bspgauge -n 2 --module emu,tcp --emulate gigabit,cpu=0 --pattern one_one --sizes 1:4 \
	--seconds 0.2 --csv csv >table 2>errors
ok $? "two modules" || diag "$(cat errors)"
is "emu tcp " "$(awk -F, 'NR > 1 { print $2 }' csv | LC_ALL=C sort -u | tr '\n' ' ')" \
	"the report has the values of both"

done_testing
