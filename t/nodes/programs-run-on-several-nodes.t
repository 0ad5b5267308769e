#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program gives on two and three nodes what it gives on one, over every transport between them.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
make_nodes 3
for example in hello allgather sum reverse; do
	bspcc -O2 -o $example "$top_srcdir/examples/$example.c" || bail "$example does not compile"
done
write_ring ring.c
bspcc -o ring ring.c || bail "ring does not compile"

# said NODE ARGUMENT...: what bsprun's program says there, in order, or all if it fails
said()
{
	where=$1
	shift
	on_node "$where" timeout -k 5 "$(limit)" bsprun "$@" >output 2>errors
	status=$?
	test $status -eq 0 || { echo "status $status"; cat errors; }
	sort output
}

# agrees HOSTS PROGRAM OPTION...
agrees()
{
	hosts=$1 program=$2
	shift 2
	wanted=$(said node1 --local -n 4 ./"$program")
	is "$wanted" "$(said node1 -n 4 -H "$hosts" "$@" ./"$program")" "$program on $hosts $*"
}

two=node1:2,node2:2
three=node1:1,node2:2,node3:1
for program in hello allgather sum reverse ring; do
	agrees $two $program
	agrees $three $program
done
for transport in mix ofi mpi; do
	if ! BSP_PLUGINS=$plugins on_node node1 bspinfo -n 4 | sed -n "/^  $transport /,/can/p" |
		grep -q 'can run here'; then
		skip "transport $transport cannot run here"
		continue
	fi
	agrees $two ring --transport $transport
	agrees $three allgather --transport $transport
done
for far in ofi mpi; do
	agrees $three reverse -x BSP_FAR=$far
done

is "$(said node1 --local -n 3 ./ring)" "$(said node2 -n 3 -H node1,node2,node3 ./ring)" \
	"started on another node"
is "$(said node1 --local -n 2 ./ring)" "$(said node1 -n 2 -H node2,node3 ./ring)" \
	"where none of them runs"
is "$(said node1 --local -n 3 ./ring)" "$(said node1 -H $address.1,$address.2:2 ./ring)" \
	"by addresses"
printf 'node3 slots=2\nnode1\n' >hosts
is "$(said node1 --local -n 3 ./ring)" "$(said node1 --hostfile hosts ./ring)" "by a file"
is "$(said node1 --local -n 5 ./ring)" "$(said node1 -H node1,node2 --oversubscribe -n 5 ./ring)" \
	"more than they take"
like 'shm' "$(said node1 -n 2 --transport shm -H node1,node2 ./ring)" \
	"shared memory alone does not reach other nodes"

# bsprun numbers processes node by node, other launchers may go round the nodes.
for program in ring allgather reverse; do
	wanted=$(said node1 --local -n 5 ./$program)
	on_node node1 timeout -k 5 "$(limit)" "$MPIRUN" --map-by node -n 5 \
		-x BSP_PLUGINS="$plugins" -x BSP_VERBOSE=1 -H node1:2,node2:2,node3:1 \
		./$program >output 2>errors
	is "0 $wanted" "$? $(sort output)" "$program, numbered round the nodes"
	like '^bsp: processes of nodes: node 0: 0 to 0, node 1: 1 to 1, node 2: 2 to 2, node 0: 3' \
		"$(cat errors)" "$program: they are"
	like '^bsp: barriers and collective operations have one level: ' "$(cat errors)" \
		"$program: in one level"
done

# Where processes disagree of nodes none shares memory with those that it should.
on_node node1 timeout -k 5 "$(limit)" "$MPIRUN" -H node1:4 -n 2 -x BSP_PLUGINS="$plugins" \
	-x BSP_NODE_SIZE=2 ./ring : -n 2 -x BSP_PLUGINS="$plugins" -x BSP_NODE_SIZE=1 ./ring \
	>output 2>errors
is "1 " "$? $(cat output)" "another BSP_NODE_SIZE: status 1"
like 'process 2 on node1 has nodes of BSP_NODE_SIZE=1 processes, process 0 on node1 of 2; give' \
	"$(cat errors)" "the message has both"
is "$(said node1 --local -n 3 ./ring)" "$(said node1 -H node1,$address.1,node1 ./ring)" \
	"a host that is named three times, once by its address"

# The other node has the search path of a new login.
mkdir elsewhere && mv ring elsewhere/ringing && cp elsewhere/ringing ring ||
	bail "ring cannot be moved"
is "$(said node1 --local -n 2 ./ring)" \
	"$(PATH=$PWD/elsewhere:$PATH && said node1 -H node1,node2 ringing)" \
	"a program on the search path runs on each node"

# The arguments and settings arrive as they are.
is "0 after 0, size 4, a  'b' \$c *" "$(said node1 -H node2 ./ring "a  'b' \$c *")" \
	"arguments cross"
bspcc -o settings -x c - <<'END' || bail "settings does not compile"
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	int me;

	bsp_begin(bsp_nprocs());
	me = bsp_pid();
	printf("%d %s|%s\n", me, getenv("EXTRA"), getenv("BSP_EAGER"));
	bsp_end();
	return me == 1 ? 7 : 0;
}
END
on_node node1 timeout -k 5 "$(limit)" bsprun -H node1,node2 -x 'EXTRA=1  "2" $3' -x BSP_EAGER=3k \
	./settings >output 2>errors
is 7 $? "the status is that of the process that has one"
is "0 1  \"2\" \$3|3k
1 1  \"2\" \$3|3k" "$(sort output)" "settings cross"
like '^bsprun: mpirun.* ended with status 7; the hosts were node1:1,node2:1$' "$(cat errors)" \
	"and bsprun says where it was"

none "$(left_on node1; left_on node2; left_on node3)" "nothing stays behind"
none "$(files_left)" "no file either"

done_testing
