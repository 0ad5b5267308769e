#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A host that does not answer is named, as is the list it came from, and nothing hangs.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
make_nodes 2
write_ring ring.c
bspcc -o ring ring.c || bail "ring does not compile"

# fails_to_reach HOSTS
fails_to_reach()
{
	on_node node1 timeout -k 5 "$(limit)" bsprun -H "$1" ./ring >output 2>errors
	status=$?
	test $status -ne 0 && test $status -ne 124
	ok $? "$1: ends with a status that is not 0 ($status)"
	is "" "$(cat output)" "$1: the program does not run"
}

fails_to_reach node1,nowhere:2
like 'cannot reach nowhere' "$(cat errors)" "what the remote shell says is there"
like '^bsprun: mpirun.* ended with status [0-9]+; the hosts were node1:1,nowhere:2$' \
	"$(cat errors)" "and the list of hosts"
fails_to_reach $address.77
like "cannot reach $address.77" "$(cat errors)" "an address"

# The real remote shell, to a host that does not answer.
if command -v ssh >/dev/null; then
	OMPI_MCA_plm_rsh_agent='ssh -o BatchMode=yes -o ConnectTimeout=3 -F none'
	fails_to_reach node1,node2
	like 'ssh: .*node2' "$(cat errors)" "ssh names it"
	like '; the hosts were node1:1,node2:1$' "$(cat errors)" "and bsprun the list"
else
	skip "no ssh here"
fi
none "$(left_on node1; left_on node2)" "nothing stays behind"

done_testing
