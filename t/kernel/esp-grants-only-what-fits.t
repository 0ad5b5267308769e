#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ESP: frames that a receiver has granted have room there, whatever the MTU.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(guest_program exchange) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
segment 2 || echo "Bail out! no segment"
ip -n h1 link set lo up
tests "lo" exchange lo
for mtu in 1500 2000 4000 9000; do
	for host in 1 2; do
		ip link set "p$host" mtu $mtu && ip -n "h$host" link set eth0 mtu $mtu
	done
	ip link set br0 mtu $mtu
	tests "mtu $mtu" exchange veth
done
done_testing
END
run_guest -t 120 "$stock" "$tap_dir/script" "$program"
