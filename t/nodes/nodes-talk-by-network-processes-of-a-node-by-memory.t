#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What goes from node to node crosses the network between them, what stays in a node does not.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
make_nodes 2

# Every process puts so many bytes to each process that is the given number of steps further.
bspcc -O2 -o moves -x c - <<'END' || bail "moves does not compile"
#include <bsp.h>
#include <stdlib.h>

enum { BYTES = 1 << 20, SUPERSTEPS = 4 };

static char from[BYTES], to[4][BYTES];

int main(int argc, char **argv)
{
	int p, k, i, s;

	bsp_begin(bsp_nprocs());
	p = bsp_nprocs();
	bsp_push_reg(to, sizeof to);
	bsp_sync();
	for (s = 0; s < SUPERSTEPS; s++) {
		for (i = 0; i < BYTES; i++)
			from[i] = (char)(i * 7 + s + bsp_pid());
		for (k = 1; k < argc; k++)
			bsp_put((bsp_pid() + atoi(argv[k])) % p, from, to, bsp_pid() * BYTES, BYTES);
		bsp_sync();
		for (k = 1; k < argc; k++)
			for (i = 0; i < BYTES; i++) {
				int source = (bsp_pid() + p - atoi(argv[k])) % p;

				if (to[source][i] != (char)(i * 7 + s + source))
					bsp_abort("byte %d from %d is wrong\n", i, source);
			}
		bsp_sync();
	}
	bsp_end();
	return 0;
}
END

# crosses STEPS OPTION...: bytes on the cable between the nodes while it runs
crosses()
{
	steps=$1
	shift
	before=$(bytes_of node1)
	on_node node1 timeout -k 5 "$(limit)" bsprun "$@" ./moves $steps >output 2>&1 ||
		diag "bsprun $* ./moves $steps failed: $(cat output)"
	echo $(($(bytes_of node1) - before))
}

# Each process puts 4 MiB over all supersteps: 0 and 1 are on one node, 2 and 3 on the other.
unit=$((4 << 20))
idle=$(crosses "" -H node1:2,node2:2)
diag "with nothing put, $idle bytes"
test "$idle" -lt $((unit / 4))
ok $? "starting, synchronising and ending takes little"

for far in ofi mpi; do
	seen=$(crosses 2 -H node1:2,node2:2 -x BSP_FAR=$far)
	diag "$far: $seen bytes for $((4 * unit))"
	test "$seen" -ge $((4 * unit))
	ok $? "$far: what is put to the other node crosses"
	test "$seen" -le $((4 * unit * 5 / 4 + idle))
	ok $? "$far: and not much more"
	# From 1 to 2 and from 3 to 0 it crosses, from 0 to 1 and from 2 to 3 it does not.
	seen=$(crosses 1 -H node1:2,node2:2 -x BSP_FAR=$far)
	diag "$far: $seen bytes for $((2 * unit)) of $((4 * unit))"
	test "$seen" -ge $((2 * unit)) && test "$seen" -le $((2 * unit * 5 / 4 + idle))
	ok $? "$far: half goes to a neighbour on the same node, and half crosses"
done
seen=$(crosses "1 2 3" -H node1:4)
is 0 "$((seen > 1000))" "all on one node: nothing crosses ($seen bytes)"
seen=$(crosses "1 2 3" -H node2:4)
diag "all on the other node: $seen bytes"
test "$seen" -lt $((unit / 4))
ok $? "all on another node than the launcher: what starts it"

verbose=$(on_node node1 timeout -k 5 "$(limit)" bsprun -x BSP_VERBOSE=1 -H node1:2,node2:2 ./moves 2>&1)
like '^bsp: .*4 processes.* transport mix' "$verbose" "BSP_VERBOSE tells: over two nodes it is mix"
verbose=$(on_node node1 timeout -k 5 "$(limit)" bsprun -x BSP_VERBOSE=1 -H node1:4 ./moves 2>&1)
like '^bsp: .*4 processes.* transport shm' "$verbose" "and on one it is shm"

# A second cable, and a bridge for containers that has the same address on both nodes.
for k in 1 2; do
	ip link add "second$k" type veth peer name eth1 netns "$(cat "$nodes/node$k/pid")" &&
		ip link set "second$k" up &&
		on_node "node$k" ip address add "10.198.0.$k/24" dev eth1 &&
		on_node "node$k" ip link set eth1 up &&
		on_node "node$k" ip link add docker0 type bridge &&
		on_node "node$k" ip address add 172.17.0.1/16 dev docker0 &&
		on_node "node$k" ip link set docker0 up || bail "no second cable"
done
ip link add bridge1 type bridge && ip link set bridge1 up && ip link set second1 master bridge1 &&
	ip link set second2 master bridge1 || bail "no second bridge"
# second_bytes: of the second cable
second_bytes()
{
	on_node node1 awk '$1 == "eth1:" { print $2 + $10 }' /proc/self/net/dev
}
OMPI_MCA_oob_tcp_if_include=eth0
export OMPI_MCA_oob_tcp_if_include
for networks in 10.198.0.0/24 eth1; do
	second=$(second_bytes)
	seen=$(crosses 1 -x BSP_FAR=ofi -x BSP_INTERFACE=$networks -H node1,node2)
	second=$(($(second_bytes) - second))
	diag "$networks: $second bytes there, $seen elsewhere, for $((2 * unit))"
	test "$second" -ge $((2 * unit)) && test "$seen" -lt $((unit / 4))
	ok $? "BSP_INTERFACE=$networks: what is put crosses there"
done
crosses 1 -x BSP_FAR=ofi -x BSP_INTERFACE=172.31.0.0/16 -H node1,node2 >crossed
like 'process 0 on node1 has no address that BSP_INTERFACE allows \(172.31.0.0/16\)' \
	"$(cat output)" "without such an address a message says so"
done_testing
