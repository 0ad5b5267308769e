#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ESP: connections opened, misused and broken at random by many processes; crowds; links and
# namespaces that go.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(guest_program storm) || bail "cannot build the test"
# A kernel that watches itself is slower, and behind with freeing what it watches (kmemleak's RCU
# callbacks): so a flood must leave it some time, or takes all memory.
rounds=8 crowd=40 turns=1 pause=
test -z "${TAP_LONG-}" || rounds=20 crowd=80 turns=3
test -z "$BSP_GUEST_KERNEL" || rounds=5 crowd=20 turns=3 pause=100
echo "rounds=$rounds crowd=$crowd turns=$turns pause=$pause" >"$tap_dir/script"
cat >>"$tap_dir/script" <<'SCRIPT'
segment 4 || echo "Bail out! no segment"

tests "storm" storm calm 1 12 $rounds
tests "a crowd" storm crowd $crowd

# The links go and come under a flood, then the interfaces and namespaces go for good.
storm flood 8 $pause &
flood=$!
for turn in $(seq $turns); do
	for host in 1 2 3 4; do
		ip -n h$host link set eth0 down
		ip link set p$host down
		ip -n h$host link set eth0 up
		ip link set p$host up
	done
done
ok $? "links go down and up under a flood"
tc qdisc add dev p2 root netem loss 20% delay 1ms 1ms
ip link del p1 && ip link add p1 type veth peer name eth0 address 02:00:00:00:01:01 netns h1 &&
	ip link set p1 master br0 up && ip -n h1 link set eth0 up
ok $? "an interface goes and comes back under a flood"
rmmod enet 2>/dev/null
test -e /sys/module/enet
ok $? "the module stays while sockets are open"
segment_goes 4
ok $? "namespaces lose their names under a flood"
for process in $(pidof storm); do
	kill -9 "$process"
done
wait $flood
module_goes enet
ok $? "and all is gone when the processes are"
done_testing
SCRIPT
run_guest -c 2 -t 200 "$stock" "$tap_dir/script" "$program"
