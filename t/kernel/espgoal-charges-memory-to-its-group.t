#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Espgoal: what the kernel keeps for a job is charged to the group (cgroup) of the processes
# that it is for.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

test -z "$BSP_GUEST_KERNEL" || skip_all "not applicable: debug kernels are without such groups"
needs_goal
program=$(goal_program charged) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
segment 2 || echo "Bail out! no segment"
mkdir -p /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup && echo +memory >/sys/fs/cgroup/cgroup.subtree_control &&
	mkdir /sys/fs/cgroup/ours || echo "Bail out! no cgroup with a controller of memory"
for mover in Y N; do
	echo $mover >/sys/module/espgoal/parameters/softirq
	tests "softirq=$mover" charged /sys/fs/cgroup/ours
done
done_testing
END
run_guest -t 200 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program"
