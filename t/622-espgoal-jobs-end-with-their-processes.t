#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 622 - /dev/espgoal: processes that die, children, timeouts, large numbers, what ends before what it needs.

. "${0%/*}/env.sh"
. "$top_srcdir/t/guests.sh"

needs_goal
program=$(goal_program unruly) || bail "cannot build the test"
cat >"$tap_dir/script" <<'SCRIPT'
segment 2 || echo "Bail out! no segment"
unruly lives
SCRIPT
run_guest -t 200 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program"
