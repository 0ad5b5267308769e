#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A node that has not the folder in which bsprun was started is named; Open MPI takes another one.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
make_nodes 2
write_ring ring.c
bspcc -o ring ring.c || bail "ring does not compile"
program=$PWD/ring

mkdir -p shared/work
cd shared/work || bail "no shared/work"
on_node node1 timeout -k 5 "$(limit)" bsprun -H node1,node2 "$program" >output 2>errors
is 0 $? "a folder that all nodes have" || diag "$(cat errors)"
nsenter -t "$(cat "$nodes/node2/pid")" -m mount -t tmpfs tmpfs "${PWD%/work}" ||
	bail "node2 keeps its folder"
on_node node1 timeout -k 5 "$(limit)" bsprun -H node1,node2 "$program" >output 2>errors
is 1 $? "a folder that node2 has not ends the job"
is "" "$(cat output)" "before anything runs"
like "bsp_begin: process 1 on node2 runs in the home folder, as folder $PWD is missing there" \
	"$(cat errors)" "with a message that names node and folder"
is 1 "$(grep -c 'home folder' errors)" "once"
on_node node1 timeout -k 5 "$(limit)" "$MPIRUN" --oversubscribe -n 1 --wdir "$PWD" "$program" : \
	-n 1 --wdir "$HOME" "$program" >output 2>errors
is 0 $? "the home folder is none to complain of where the other is there" || diag "$(cat errors)"

done_testing
