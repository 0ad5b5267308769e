#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Espgoal: multicasts go as one frame, arrive once whatever the network does, and other hosts change
# nothing.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

needs_goal
program=$(goal_program cast) || bail "cannot build the test"
bounds=$(goal_program bounds) && circle=$(goal_program circle) || bail "cannot build the tests"
cat >"$tap_dir/script" <<'END'
segment 5 || echo "Bail out! no segment"

# under NPROCS WHAT [NETEM...]
under()
{
	hosts=$1
	what=$2
	shift 2
	for host in $(seq "$hosts"); do
		tc -n "h$host" qdisc del dev eth0 root 2>/dev/null
		test $# -eq 0 || tc -n "h$host" qdisc add dev eth0 root netem "$@" || echo "Bail out! no netem"
	done
	lossy=
	test "$1" != loss || lossy=lossy
	tests "$hosts hosts, $what" cast "$hosts" $lossy
}

under 2 "a good network"
under 5 "a good network"
tests "frames of others, in softirq" bounds flood 2000
echo N >/sys/module/espgoal/parameters/softirq
tests "frames of others, in calls" bounds flood 2000
echo Y >/sys/module/espgoal/parameters/softirq
echo 0 >/sys/class/net/p2/brport/multicast_flood || echo "Bail out! the port hears the group"
tests "a full connection" circle
echo 1 >/sys/class/net/p2/brport/multicast_flood
under 4 "5 % lost" loss 5%
under 3 "20 % lost" loss 20%
under 3 "a third doubled" duplicate 33%
under 3 "out of order" delay 2ms 2ms
# Forged addresses can mislead a bridge that learns; this test is not about bridges.
ip link set p5 type bridge_slave learning off
tests "unauthenticated" cast unauthenticated 4
tests "another user" cast user 2
ip link set lo up
tests "on one host" cast loopback 4
rmmod espgoal
ok $? "nothing is left that holds the module"
done_testing
END
run_guest -t 200 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program" \
	"$bounds" "$circle"
