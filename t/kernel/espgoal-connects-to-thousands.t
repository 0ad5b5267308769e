#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Espgoal: jobs of a host have more connections together than there are ports of the kernel's.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

needs_goal
program=$(goal_program many) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
segment 2 || echo "Bail out! no segment"
# In a debug kernel the timers of thousands, who all send again what found no room, stall the rest.
peers=2200
test -z "$debug_kernel" || peers=300
tests "$((2 * peers)) connections" many $peers
rmmod espgoal
ok $? "nothing is left that holds the module"
segment_goes 2
module_goes enet
ok $? "nor the sockets' one"
done_testing
END
run_guest -t 120 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program"
