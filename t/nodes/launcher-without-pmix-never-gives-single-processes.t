#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A process that is one of many and cannot find the others says so; it never runs alone.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
make_nodes 1
write_ring ring.c
bspcc -o ring ring.c || bail "ring does not compile"
alone="after 0, size"

# never_alone DESCRIPTION COMMAND...: it fails with a message that says what to do, or does what it
# should
never_alone()
{
	description=$1
	shift
	on_node node1 timeout -k 5 "$(limit)" "$@" >output 2>errors
	status=$?
	is "" "$(grep -c "^0 $alone" output | grep -v '^0$')" "$description: no process runs alone"
	if test $status -eq 0; then
		is "0 after 1, size 4
1 after 0, size 4" "$(sort output)" "$description: two processes that know each other"
		return
	fi
	test $status -ne 124
	ok $? "$description: ends with status $status"
	like '^bsp_(begin|nprocs): .*(bsprun --local|srun --mpi=pmix)' "$(cat errors)" \
		"$description: says what to do"
}

no_pmix="env -u PMIX_NAMESPACE -u PMIX_RANK -u PMIX_SERVER_URI2 -u PMIX_SERVER_URI21 -u PMIX_SERVER_URI3
	-u PMIX_SERVER_URI4 -u PMIX_SERVER_URI41"
never_alone "mpirun" "$MPIRUN" --oversubscribe -n 2 ./ring
never_alone "mpirun whose PMIx got lost" "$MPIRUN" --oversubscribe -n 2 $no_pmix ./ring
never_alone "mpirun whose server is not there" "$MPIRUN" --oversubscribe -n 2 \
	env PMIX_SERVER_URI2= PMIX_SERVER_URI21= PMIX_SERVER_URI3= PMIX_SERVER_URI4= \
	PMIX_SERVER_URI41= ./ring
never_alone "mpirun and no part for PMIx" "$MPIRUN" --oversubscribe -n 2 -x BSP_PLUGINS=/nowhere \
	./ring
never_alone "srun without PMIx" env SLURM_JOB_ID=1 SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_NTASKS=2 \
	./ring
never_alone "Hydra's variables" env PMI_SIZE=2 PMI_RANK=0 ./ring
if test "$MPICH_EXEC"; then
	never_alone "mpiexec of MPICH" "$MPICH_EXEC" -n 2 ./ring
else
	skip "no mpiexec.hydra here"
fi

# With --local, and where a launcher has started only one, the program starts its processes itself.
for launched in "env SLURM_JOB_ID=1 SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_NTASKS=2" \
	"env PMI_SIZE=2 PMI_RANK=0" \
	"$MPIRUN --oversubscribe -n 1 --bind-to none" ; do
	is "0 after 1, size 4
1 after 0, size 4" "$(on_node node1 timeout -k 5 "$(limit)" $launched bsprun --local -n 2 ./ring 2>&1 |
	sort)" "$launched bsprun --local"
done

done_testing
