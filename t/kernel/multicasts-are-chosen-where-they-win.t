#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# By the parameters that bspprobe measures, bsp_sync and collective operations of 8 processes
# multicast where that wins, and only there.
# shellcheck disable=SC2016

# The hosts of a guest are joined by a bridge. Time is virtual, so the least of several rounds
# hardly differs from run to run; but one processor does the work of all hosts, which is right
# only where that is little beside what the network takes. So that is slow: to and from each
# host frames have 8 Mbit/s. Over the near network, of that alone, what a process sends or
# receives more takes as long as one round more; over the far one, which has a delay of 1.5 ms
# as well, it does not.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

needs_goal
test -z "$BSP_GUEST_KERNEL" ||
	skip_all "in virtual time a kernel that watches itself takes for ever"
program=$(bsp_program chosen "$top_builddir/goal/.libs/libgoal.a" -lm \
	<"$top_srcdir/t/kernel/guest/chosen.c") || bail "cannot build the program"

cat >"$tap_dir/script" <<'END'
# A process that has slept gets little time before the others: see bench/offload.sh.
mount -t debugfs debug /sys/kernel/debug && echo 100000 >/sys/kernel/debug/sched/latency_ns &&
	echo 100000 >/sys/kernel/debug/sched/min_granularity_ns && umount /sys/kernel/debug ||
	echo "Bail out! no times of the scheduler"
mkdir -p /dev/shm && mount -t tmpfs shm /dev/shm
segment 8 || echo "Bail out! no segment"
export BSP_TRANSPORT=esp BSP_ESP_INTERFACE=eth0 BSP_OFFLOAD=1 BSP_WAIT=spin:0,yield:0
export BSP_PARAMS=/tmp/params BSP_VERBOSE=1

# network DELAY: to the bridge; both ways 24 bytes of a frame are not in it
network()
{
	for host in $(seq 8); do
		ip -n h$host link set lo up &&
			tc -n h$host qdisc replace dev eth0 root netem delay $1 rate 8mbit 24 &&
			tc qdisc replace dev p$host root netem rate 8mbit 24 ||
			echo "Bail out! no netem"
	done
}

# job HOSTS PROGRAM...: a process on each of so many hosts, the last of which is host 8
job()
{
	n=$1
	shift
	for part in $(seq 0 $((n - 1))); do
		host=$((part == n - 1 ? 8 : part + 1))
		ip netns exec h$host unshare -u sh -c "hostname h$host && BSP_DISCOVER=job \
			BSP_NPROCS=$n BSP_PART=$part exec $*" >/tmp/out$part 2>/tmp/err$part &
	done
	wait
}

# measured NETWORK: what the library has chosen takes at most a quarter more than the best;
# sets $barrier
measured()
{
	rm -f /tmp/params
	job 2 bspprobe --seconds 0.5 --bytes 16 --save
	grep -q saved /tmp/err0
	ok $? "$1: bspprobe measures parameters" ||
		sed 's/^/# /' /tmp/out0 /tmp/err0
	job 8 chosen
	sed "s/^/# figure: $1: /; s/\$/ us/" /tmp/out0
	barrier=$(sed -n 's/.*transport esp, bsp_sync \([^ ]*\), offloaded$/\1/p' /tmp/err0)
	for kind in barrier bcast allgather allreduce; do
		wins $kind chosen "" 0.8
		ok $? "$1: $kind: what is chosen takes at most a quarter more than the best" ||
			sed 's/^/# /' /tmp/err0
	done
}

# best KIND WHICH: the least time of those that multicast ("with"), that do not ("without"), of all
# ("") or what the library has chosen ("chosen")
best()
{
	awk -v kind=$1 -v which="$2" '
		$1 == kind && ($2 == "chosen" ? which == "chosen" : !which ||
			which == ($2 ~ /multicast/ ? "with" : "without")) &&
			(!least || $3 < least) { least = $3 }
		END { print least }' /tmp/out0
}

# wins KIND WHICH OTHERS FACTOR: the others take so many times as long, at least
wins()
{
	awk -v a="$(best $1 $2)" -v b="$(best $1 "$3")" -v factor=$4 '
		BEGIN { exit !(a > 0 && b > 0 && b >= factor * a) }'
}

# gains NETWORK KIND FACTOR: it has chosen to multicast, and that wins
gains()
{
	wins $2 chosen without $3
	ok $? "$1: $2: multicasts are chosen, without them it takes $3 times as long, or more"
}

network 0ms
measured near
case $barrier in
*multicast* | "") ok 1 "near: bsp_sync does not multicast" || echo "# it chose '$barrier'" ;;
*) ok 0 "near: bsp_sync does not multicast" ;;
esac
wins barrier chosen with 1.1
ok $? "near: and with multicast it would take 1.1 times as long, or more"
gains near bcast 1.4

network 1500us
measured far
case $barrier in
*multicast*) ok 0 "far: bsp_sync multicasts" ;;
*) ok 1 "far: bsp_sync multicasts" || echo "# it chose '$barrier'" ;;
esac
gains far barrier 1.05
gains far bcast 1.15
gains far allgather 1.5
gains far allreduce 1.1
done_testing
END
run_guest -v 0 -m 512 -t 420 -k libcrc32c -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" \
	"$program" "$top_builddir/tools/bspprobe/bspprobe"
