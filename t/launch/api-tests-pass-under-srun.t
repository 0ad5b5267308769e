#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What bsp.h promises holds as well if srun starts the processes, on one node and on two.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/slurm.sh"
need_slurm
. "$top_srcdir/t/lib/under_launcher.sh"

test -z "$BSP_SANITIZE" ||
	skip_all "not applicable: libraries that are loaded later have no sanitizers"
has_plugin pmix || skip_all "no libpmix here"
make_nodes 2
start_slurm 8

where=by_slurm
for n in 1 2; do
	passes "srun on $n of the nodes" "srun -Q --mpi=pmix -K1 -N $n -n" \
		transfer/all-gets-read-before-any-get-writes \
		transfer/mismatched-registrations-abort \
		message/queue-can-be-read-while-puts-and-gets-go-on \
		schedule/schedules-shift-around-a-ring \
		relaxed/areas-are-read-many-supersteps-later
done
stop_slurm
none "$(left_on node1; left_on node2)" "nothing of it is left"

done_testing
