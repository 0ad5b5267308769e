#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Twelve threads call shared sockets, and start schedules of shared jobs, in random order while
# links and namespaces come, change and go.

# On demand. BSP_DISORDER_SECONDS: how long. BSP_DISORDER_SEED: of the order, which is printed.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

test "$BSP_DISORDER_SECONDS" || skip_all "on demand: BSP_DISORDER_SECONDS says for how long"
needs_goal
program=$(goal_program disorder) || bail "cannot build the test"
seconds=$BSP_DISORDER_SECONDS
seed=${BSP_DISORDER_SEED:-$$}
echo "# seed $seed"
echo "seconds=$seconds seed=$seed" >"$tap_dir/script"
cat >>"$tap_dir/script" <<'END'
make_links()
{
	ip link add a0 netns a address 02:00:00:00:00:01 type veth \
		peer name b0 address 02:00:00:00:00:02 netns b &&
		ip -n a link set a0 up && ip -n b link set b0 up
}

# change K: one of the things that happen to links, and to memory; some cannot happen now
change()
{
	case $1 in
	0) ip -n a link set a0 down && usleep 30000 && ip -n a link set a0 up ;;
	1) ip -n b link set b0 mtu 300 ;;
	2) ip -n a link set a0 mtu 9000 && ip -n b link set b0 mtu 9000 ;;
	3) tc -n a qdisc replace dev a0 root netem loss 20% delay 2ms 2ms duplicate 10% ;;
	4) tc -n b qdisc replace dev b0 root netem corrupt 5% reorder 30% delay 1ms ;;
	5) tc -n a qdisc del dev a0 root ;;
	6) ip -n b link add br0 type bridge && ip -n b link set br0 up &&
		ip -n b link set b0 master br0 ;;
	7) ip -n b link add vx0 type vxlan id 7 dev b0 dstport 4789 &&
		ip -n b link set vx0 master br0 up ;;
	8) ip -n b link del vx0 && ip -n b link del br0 ;;
	9) ip -n a link del a0; make_links ;;
	10) ip netns add c && ip -n c link set lo up ;;
	11) ip netns del c ;;
	12) ip -n a link set a0 mtu 68 && usleep 30000 && ip -n a link set a0 mtu 1500 ;;
	13) ip -n a link set a0 netns c && ip -n c link set a0 netns a && ip -n a link set a0 up ;;
	14) memory_fails 3 ;;
	15) memory_fails 0 ;;
	esac 2>/dev/null
}

cable || echo "Bail out! no cable"
for host in a b; do ip -n $host link set lo up; done
(while :; do
	for k in 6 10 0 3 7 14 1 9 4 11 15 2 13 5 12 8; do
		change $k
		usleep 100000
	done
done) &
changes=$!
# If a call does not return the console tells in what.
(sleep $((seconds + 90)); echo t >/proc/sysrq-trigger) &
hang=$!
tests "sockets" disorder "$seconds" "$seed" 12
kill $changes $hang
wait $changes $hang 2>/dev/null
memory_fails 0
ip netns del c 2>/dev/null
ip netns del a && ip netns del b && rmmod espgoal && module_goes enet
ok $? "nothing holds the modules"
done_testing
END
# Seconds of the guest are longer than ours under a sanitizer.
run_guest -c 2 -m 512 -t $((3 * seconds + 150)) -k dummy -k vxlan -k "$modules/espgoal.ko" \
	"$stock" "$tap_dir/script" "$program"
