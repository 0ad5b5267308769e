#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 621 - /dev/espgoal: every prefix of a schedule is refused, and random bytes over good ones do no harm.

. "${0%/*}/env.sh"
. "$top_srcdir/t/guests.sh"

needs_goal
program=$(goal_program unruly) || bail "cannot build the test"
cat >"$tap_dir/script" <<'SCRIPT'
segment 2 || echo "Bail out! no segment"
unruly blocks 1
SCRIPT
run_guest -t 200 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program"
