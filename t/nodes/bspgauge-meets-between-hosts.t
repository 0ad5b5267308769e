#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Sockets of bspgauge meet between hosts whose own name is that of a loopback address, by
# BSP_INTERFACE, and at the ports of BSP_PORTS.
# shellcheck disable=SC1090,SC2034,SC2086,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
make_nodes 2

# As Debian has it: a host has its own name at 127.0.1.1. And docker0, at the same address on both.
for k in 1 2; do
	sed "s/^$address\.$k /127.0.1.1 /" "$nodes/hosts" >"$nodes/hosts$k"
	on_node node$k mount --bind "$nodes/hosts$k" /etc/hosts &&
		nsenter -t "$(cat "$nodes/node$k/pid")" -m mount --bind "$nodes/hosts$k" \
			/etc/hosts || bail "node$k has no file of hosts"
	on_node node$k ip link add docker0 type bridge &&
		on_node node$k ip address add 172.17.0.1/16 dev docker0 &&
		on_node node$k ip link set docker0 up &&
		on_node node$k ip route add default dev docker0 || bail "no docker0 on node$k"
done
OMPI_MCA_oob_tcp_if_include=eth0
export OMPI_MCA_oob_tcp_if_include

# gauge MODULE OPTION...: a process of each node
gauge()
{
	module=$1
	shift
	on_node node1 timeout -k 5 "$(limit)" bsprun -H node1,node2 -x BSP_INTERFACE=eth0 "$@" \
		"$bindir/bspgauge" --module "$module" --pattern one_one --sizes 1:1024:1024 \
		--samples 3 --csv csv >table 2>errors
}

# samples_of MODULE: of both sizes
samples_of()
{
	awk -F, -v m="$1" '$2 == m && $5 == "us" && $8 > 0 { print $11 }' csv | paste -sd ,
}

# Datagrams are lost on a busy machine, up to all of a run.
datagrams_arrive()
{
	gauge $datagrams && samples_of "${datagrams%% *}" | grep -q '^[1-9],[1-9]'
}

for options in "tcp" "tcp -x BSP_PORTS=40000-40039"; do
	rm -f csv
	gauge $options
	is "0 3,3" "$? $(samples_of tcp)" "$options: so many samples of both sizes" ||
		diag "$(cat table errors)"
done
for datagrams in udp "udp -x BSP_PORTS=40000-40039" ip; do
	until_true datagrams_arrive
	ok $? "$datagrams: there are samples of both sizes" || diag "$(cat table errors)"
done

done_testing
