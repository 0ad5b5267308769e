#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Processes are bound by the NUMA nodes and the control groups (version 2) of a real kernel.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

test -z "$BSP_GUEST_KERNEL" ||
	skip_all "not applicable: a guest with a debug kernel has a processor more"
where=$(bsp_program where <<'END'
#include <bsp.h>

int main(void)
{
	bsp_begin(bsp_nprocs());
	bsp_sync();
	bsp_end();
	return 0;
}
END
) || bail "cannot build the program"

# Four sockets of two cores, and memory in two places, each of which two sockets share.
cat >"$tap_dir/script" <<'END'
# places OPTION...: the lines of bsprun --report-bindings, without what bsp_begin puts around
places()
{
	bsprun --report-bindings "$@" where 2>&1 |
		sed 's/^bsp_begin: //; s/ (process [0-9].*//' | sort
}

# processors: how many a job may use
processors()
{
	bspinfo 2>/dev/null | awk '$1 == "processors" { print $2 }'
}

is "$(cat /sys/devices/system/node/online)" 0-1 "the guest has two nodes"
is "$(places -n 2 --bind numa)" "process 0 is bound to processors 0-3: those of a NUMA node
process 1 is bound to processors 4-7: those of a NUMA node" "--bind numa: each has a node"
is "$(places -n 4 --bind socket)" "process 0 is bound to processors 0-1: those of a socket
process 1 is bound to processors 2-3: those of a socket
process 2 is bound to processors 4-5: those of a socket
process 3 is bound to processors 6-7: those of a socket" "--bind socket: each has a socket"
is "$(places -n 2 | sed 's/:.*//')" "process 0 is bound to processors 0-3
process 1 is bound to processors 4-7" "shares of two"

groups=/sys/fs/cgroup
mount -t cgroup2 groups $groups && echo "+cpu +cpuset" >$groups/cgroup.subtree_control &&
	mkdir -p $groups/job/step
ok $? "control groups"

# inside GROUP COMMAND...
inside()
{
	(
		echo 0 >"$groups/$1/cgroup.procs"
		shift
		"$@"
	)
}

echo 3-6 >$groups/job/cpuset.cpus
is "$(inside job processors)" 4 "cpuset.cpus counts"
is "$(inside job places -n 2 --bind numa)" \
	"process 0 is bound to processors 3: those of a NUMA node
process 1 is bound to processors 4-6: those of a NUMA node" "and what it leaves of each node"
echo "+cpu" >$groups/job/cgroup.subtree_control
rmdir $groups/job/step
mkdir $groups/job/step
echo "250000 100000" >$groups/job/cpu.max
is "$(inside job/step processors)" 2 "cpu.max counts, of a group around"
inside job/step places -n 3 >/tmp/out
is "$(grep -c 'is not bound, .*: 3 processes share the time of 2 processors$' /tmp/out)" 3 \
	"less time than processes: none is bound" || sed 's/^/# /' /tmp/out
inside job/step bsprun -x BSP_VERBOSE=1 -n 3 where >/tmp/out 2>&1
grep -q 'waits poll for 0 us before they yield for .*: 3 processes and 2 processors on' /tmp/out
ok $? "and waits leave the processor at once" || sed 's/^/# /' /tmp/out
is "$(inside job/step places -n 2 | grep -c 'is bound to')" 2 "as many as have time are bound"
# The group has had its time, and not more: throttled if it was used up.
grep -q '^nr_periods [1-9]' $groups/job/cpu.stat
ok $? "the kernel counted the time of the group" || sed 's/^/# /' $groups/job/cpu.stat
done_testing
END
sh "$top_srcdir/kernel/testbed/guest.sh" -m 512 -t 240 -c 8 \
	-q "-smp sockets=4,cores=2,threads=1 -object memory-backend-ram,id=m0,size=256M
	-object memory-backend-ram,id=m1,size=256M -numa node,nodeid=0,cpus=0-3,memdev=m0
	-numa node,nodeid=1,cpus=4-7,memdev=m1" \
	"$stock" "$tap_dir/script" "$where" "$top_builddir/tools/bsprun/bsprun" \
	"$top_builddir/tools/bspinfo/bspinfo"
