#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# EDP, ESP and espgoal: no user takes all ports, a search among them is bounded, and pinned pages
# count for their user until the file is closed for which they are pinned.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

test -z "$BSP_GUEST_KERNEL" || skip_all "not applicable: a debug kernel has memory for few sockets"
needs_goal
program=$(goal_program shares) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
segment 1 && ip -n h1 link set lo up || echo "Bail out! no segment"
chmod 755 /bin/shares
chgrp 2000 /dev/espgoal && chmod 660 /dev/espgoal
for what in ports kernel pins; do
	tests "$what" shares $what
done
done_testing
END
run_guest -v 0 -m 512 -t 150 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program"
