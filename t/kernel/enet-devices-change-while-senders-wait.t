#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A device that asks for more room before frames, or for smaller ones, while a program waits to send
# gets them. (A veth asks for room as soon as its peer's bridge gets a port with long headers.) One
# that is removed waits for no such program.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

grown=$(guest_program grown) && removed=$(guest_program removed -lpthread) ||
	bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
cable || echo "Bail out! no cable"
ip -n a link set a0 mtu 1700 && ip -n b link set b0 mtu 1700 &&
	ip -n b link add br0 address 02:00:00:00:00:02 mtu 1700 type bridge &&
	ip -n b link set b0 master br0 && ip -n b link set br0 up &&
	ip -n b link add du0 type dummy && ip -n b link set du0 up &&
	ip -n b link add vx1 type vxlan id 1 dev du0 dstport 4789 && ip -n b link set vx1 up &&
	ip -n b link add vx2 type vxlan id 2 dev vx1 dstport 4790 && ip -n b link set vx2 up ||
	echo "Bail out! no tunnels"
tests "waiting" grown stream "/sbin/ip -n b link set vx2 master br0"
ip -n b link set vx2 nomaster
tc -n a qdisc add dev a0 root tbf rate 1mbit burst 2000 limit 1000000
tests "slow" grown datagrams "/sbin/ip -n b link set vx2 master br0"
tests "slow" grown smaller "/sbin/ip -n a link set a0 mtu 1500"
tc -n a qdisc del dev a0 root
for what in datagram stream; do
	ip netns del a && ip netns del b && cable || echo "Bail out! no new cable"
	tests "removed" removed $what
done
done_testing
END
run_guest -t 120 -k sch_tbf -k dummy -k vxlan "$stock" "$tap_dir/script" "$grown" "$removed"
