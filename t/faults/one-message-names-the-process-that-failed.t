#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A process that comes to harm at any moment ends the job, nothing is left, and one message says
# which it was.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
test -z "$BSP_SANITIZE" ||
	skip_all "not applicable: sanitizers have handlers and memory of their own"
. "$top_srcdir/t/faults/faults.sh"

# Each fault, each moment, each carrier and each of processes 0, 2 and 3 of the matrix at least
# once; make check-faults runs all.
sample="
shm kill begin 2 0
shm segv sync 3 0
shm stop compute 2 0
shm as compute 3 0
shm super collective 0 0
shm exit read 0 0
shm abort end 3 0
ofi kill read 2 0
ofi exit collective 3 0
ofi nofile sync 0 0
ofi closeall compute 2 0
ofi super begin 2 25
mpi kill begin 3 25
mpi term sync 0 0
mpi data compute 2 0
mpi full compute 3 0
mpi super compute 0 0
mpi abrt after 2 0
mix abort read 3 0
mix _exit sync 2 0
mix kill begin 2 10
mix close end 0 0
mpirun kill begin 2 10
mpirun exit before 2 0
mpirun abrt collective 0 0
mpirun stop end 3 0
mpirun super read 2 0
mpirun _exit after 2 0
srun kill sync 0 0
srun segv begin 3 10
srun super compute 2 0
srun full before 2 0
"

start_cluster "$all_carriers"
while read -r carrier fault moment process calls; do
	case " $carriers " in
	*" $carrier "*) run_case "$carrier" "$fault" "$moment" "$process" "$calls" ;;
	esac
done <<END_OF_SAMPLE
$(echo "$sample" | grep .)
END_OF_SAMPLE
stop_cluster
none "$(left_on node1; left_on node2)" "at the end no process is left"

done_testing
