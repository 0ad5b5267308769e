#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# /dev/espgoal: random calls from threads that race, killed at random moments; memory is watched by
# SLUB.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

needs_goal
program=$(goal_program misbehaving) || bail "cannot build the test"
cat >"$tap_dir/script" <<'SCRIPT'
segment 2 || echo "Bail out! no segment"
tests "calls" misbehaving calls 1
exec 9</dev/espgoal
rmmod espgoal 2>/dev/null
test -e /sys/module/espgoal
ok $? "the module stays while a file is open"
exec 9<&-
rmmod espgoal
ok $? "and goes when none is"
segment_goes 2
module_goes enet
ok $? "and that of sockets when none is"
done_testing
SCRIPT
run_guest -c 2 -a slub_debug=FZP -t 200 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" \
	"$program"
