#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Espgoal: jobs of a host have more connections together than there are ports of the kernel's.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

needs_goal
program=$(goal_program many) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
segment 2 || echo "Bail out! no segment"
tests "4400 connections" many
rmmod espgoal
ok $? "nothing is left that holds the module"
segment_goes 2
module_goes enet
ok $? "nor the sockets' one"
done_testing
END
run_guest -t 120 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program"
