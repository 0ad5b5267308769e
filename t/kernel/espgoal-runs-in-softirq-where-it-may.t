#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Espgoal: what is short runs in softirq, all else in the worker, with the same results; parameter
# softirq. A call that waits for memory holds up no other.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

needs_goal
results=$(goal_program espgoal) || bail "cannot build the test"
misbehaving=$(goal_program misbehaving) || bail "cannot build the test"
bounds=$(goal_program bounds) || bail "cannot build the test"
cast=$(goal_program cast) || bail "cannot build the test"
stall=$(goal_program stall) || bail "cannot build the test"
echo "times=${TAP_LONG:+20000}" >"$tap_dir/script"
cat >>"$tap_dir/script" <<'SCRIPT'
switch=/sys/module/espgoal/parameters/softirq
segment 3 || echo "Bail out! no segment"
is "$(cat $switch)" Y "softirq is the default"
tests "softirq" misbehaving turns tasklet
tests "softirq" bounds edges ${times:-5000}
tests "softirq" cast softirq 3
tests "memory" stall
echo N >$switch
tests "worker" misbehaving turns worker
tests "worker" espgoal 3
tests "worker" misbehaving lives

# Jobs may be moved on now by one, now by the other.
(while :; do echo Y; usleep 500; echo N; usleep 500; done) >$switch &
switcher=$!
tests "either" misbehaving calls 1
tests "either" cast 3
kill $switcher
rmmod espgoal
ok $? "nothing holds the module when all files are closed"
done_testing
SCRIPT
run_guest -c 2 -a slub_debug=FZP -t 200 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" \
	"$results" "$misbehaving" "$bounds" "$cast" "$stall"
