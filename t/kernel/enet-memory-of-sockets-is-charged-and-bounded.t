#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# EDP and ESP: what unread, unsent, closed and unaccepted sockets hold is charged to the group of
# processes (cgroup) that made them, which holds no more than it may, and all sockets together hold
# no more than net.enet.mem.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

test -z "$BSP_GUEST_KERNEL" || skip_all "not applicable: debug kernels are without such groups"
program=$(guest_program hoard -lpthread) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
mkdir -p /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup && echo +memory >/sys/fs/cgroup/cgroup.subtree_control &&
	mkdir /sys/fs/cgroup/ours && echo 32M >/sys/fs/cgroup/ours/memory.max ||
	echo "Bail out! no cgroup with a controller of memory"
chmod 755 /bin/hoard
echo 1 >/proc/sys/vm/unprivileged_userfaultfd
for kind in datagrams streams closed waiting backlog; do
	tests "$kind" hoard group $kind /sys/fs/cgroup/ours
done
tests "all" hoard all
is "$(grep oom_kill /sys/fs/cgroup/ours/memory.events)" "oom_kill 0" "no process was killed"
done_testing
END
run_guest -m 384 -c 2 -t 200 "$stock" "$tap_dir/script" "$program"
