#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An address that each node has, as that of docker0, is not used between them.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
has_transport ofi || skip_all "no libfabric here"
make_nodes 2
write_ring ring.c
bspcc -o ring ring.c || bail "ring does not compile"
four="0 after 3, size 4
1 after 0, size 4
2 after 1, size 4
3 after 2, size 4"

# The interface of the default route, which would be the first choice, has it.
for k in 1 2; do
	on_node node$k ip link add docker0 type bridge &&
		on_node node$k ip address add 172.17.0.1/16 dev docker0 &&
		on_node node$k ip link set docker0 up &&
		on_node node$k ip route add default dev docker0 || bail "no docker0 on node$k"
done
OMPI_MCA_oob_tcp_if_include=eth0
export OMPI_MCA_oob_tcp_if_include

# ring TRANSPORT OPTION...: over both nodes
ring()
{
	transport=$1
	shift
	on_node node1 timeout -k 5 "$(limit)" bsprun -H node1:2,node2:2 --transport "$transport" \
		"$@" ./ring >output 2>errors
}

# reaches TRANSPORT OPTION...: without the address, and without a warning of MPI
reaches()
{
	ring "$@"
	is "0 $four" "$? $(sort output)" "$*: the nodes reach each other" || diag "$(cat errors)"
	none "$(grep WARNING errors)" "$*: and MPI warns of nothing"
}

reaches ofi -x BSP_OFI_PROVIDER=tcp
reaches ofi -x BSP_OFI_PROVIDER=udp
if has_transport mpi; then
	reaches mpi
	reaches mpi -x BSP_INTERFACE=eth0
	# Open MPI's own setting counts before ours.
	ring mpi -x BSP_INTERFACE=docker0 -x OMPI_MCA_btl_tcp_if_include=eth0 -x BSP_WAIT=lifeline:0
	is "0 $four" "$? $(sort output)" "mpi: by the interface that Open MPI's setting names" ||
		diag "$(cat errors)"
	# A file of Open MPI, too, and by the other parameter than ours.
	mkdir -p "$tap_dir/user/.openmpi"
	home=$HOME
	HOME=$tap_dir/user
	echo "btl_tcp_if_include = eth0" >"$HOME/.openmpi/mca-params.conf"
	reaches mpi
	echo "btl_tcp_if_exclude = lo,docker0" >"$HOME/.openmpi/mca-params.conf"
	reaches mpi -x BSP_INTERFACE=docker0 -x BSP_WAIT=lifeline:0
	HOME=$home
else
	skip "no bsp-$(plugin_of mpi).so here"
fi

# The choice is printed, with the reason.
ring ofi -x BSP_OFI_PROVIDER=tcp -x BSP_INTERFACE=10.199.0.0/24 -x BSP_VERBOSE=1
choice='^bsp: ofi: provider tcp(;ofi_rxm)? \(BSP_OFI_PROVIDER\), '
like "${choice}address 10\.199\.0\.1 of eth0 \(BSP_INTERFACE allows it\)\$" "$(cat errors)" \
	"BSP_VERBOSE names the provider, the address and the interface"
like '^bsp: processes of nodes: node 0: 0 to 1, node 1: 2 to 3$' "$(cat errors)" \
	"and the processes of each node"
like '^bsp: bsp_sync as BSP_BARRIER=auto chooses, collective operations by their cost, which is ' \
	"$(cat errors)" "and by what algorithms are chosen"
for bytes in 8 65536; do
	like "^bsp: of $bytes bytes: bcast:[a-z-]+(\\+nodes)?(:[0-9]+)?,.*,reduce-scatter:" \
		"$(cat errors)" "those of $bytes bytes are named"
done
algorithms=$(sed -n 's/^bsp: of 65536 bytes: //p' errors)
ring ofi -x BSP_OFI_PROVIDER=tcp -x BSP_INTERFACE=10.199.0.0/24 -x BSP_VERBOSE=1 \
	-x BSP_COLL="$algorithms"
is "$algorithms" "$(sed -n 's/^bsp: of 65536 bytes: //p' errors)" "as BSP_COLL takes them"

# With that address alone a job ends at once, and says why.
ring ofi -x BSP_OFI_PROVIDER=tcp -x BSP_INTERFACE=docker0 -x BSP_WAIT=lifeline:0
test $? -ne 0
ok $? "an interface that has no other address does not do"
like "at which no other host of the job is \(several are at 172\.17\.0\.1\)" "$(cat errors)" \
	"the message names the address"

# Processes of one machine have the same addresses, also if they are numbered as two nodes.
on_node node1 timeout -k 5 "$(limit)" bsprun -H node1:4 --transport ofi -x BSP_NODE_SIZE=2 \
	./ring >output 2>errors
is "0 $four" "$? $(sort output)" "on one machine it may be used" || diag "$(cat errors)"

done_testing
