#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# In a job of Slurm, bsprun starts the program with srun or mpirun on what the job has.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/slurm.sh"
need_slurm
. "$top_srcdir/t/lib/installed.sh"
need_launcher
make_nodes 2
start_slurm 2

write_ring ring.c
bspcc -o ring ring.c || bail "ring does not compile"
two="0 after 1, size 4
1 after 0, size 4"
four="0 after 3, size 4
1 after 0, size 4
2 after 1, size 4
3 after 2, size 4"

like '^srun --mpi pmix -K1' "$(in_job 2 "bsprun --show ./ring")" "in a job, bsprun uses srun"
is "$two" "$(in_job 2 "bsprun ./ring")" "srun: as many processes as the job has tasks"
is "$four" "$(in_job 4 "bsprun ./ring")" "srun: on all nodes of the job"
is "$two" "$(in_job 4 "bsprun -n 2 ./ring")" "srun: or as many as are asked for"
is "$two" "$(in_job 2 "bsprun --local -n 2 ./ring")" "--local"
is "$two" "$(in_job 2 "srun --mpi=pmix ./ring")" "srun by itself"
is "$four" "$(by_slurm timeout "$(limit)" srun --mpi=pmix -n 4 ./ring | sort)" \
	"srun without a script of a job"
is "$four" "$(by_slurm timeout "$(limit)" srun --mpi=pmix -m cyclic -n 4 ./ring | sort)" \
	"srun that numbers processes round the nodes"

# The script in doc/cluster.md, as it is there; all has been said when four lines are there.
sed -n '/^```bash$/,/^```$/p' "$top_srcdir/doc/cluster.md" | sed '/^```/d' >script
like '^exec bsprun' "$(cat script)" "the document has a script"
by_slurm timeout "$(limit)" sbatch -o "$PWD/said" script >submitted 2>&1 || cat submitted
all_have_said() { test "$(wc -l <said)" -ge 4; }
until_true all_have_said
is "$four" "$(sort said)" "the script of the document"

# The library without its part for MPICH cannot use PMI-2.
without_mpich="env BSP_PLUGINS=$PWD/without"
mkdir without
ln -s "$plugins"/*.so without
rm -f without/bsp-mpi-mpich.so
for mpi in none pmi2; do
	seen=$(in_job 2 "$without_mpich srun --mpi=$mpi ./ring")
	is 0 "$(echo "$seen" | grep -c 'after 0, size')" "srun --mpi=$mpi: no process runs alone"
	like 'srun --mpi=pmix' "$seen" "and what to do is said"
done
if test "$MPICH_EXEC"; then
	is "$two" "$(in_job 2 "srun --mpi=pmi2 ./ring")" "srun --mpi=pmi2, by the part for MPICH"
	# over two nodes its MPI_Finalize may hang, which a message says
	by_slurm timeout "$(limit)" srun --mpi=pmi2 -n 4 env BSP_TRANSPORT=mpi ./ring \
		>output 2>errors
	is 0 $? "which carries between nodes as well" || diag "$(cat errors)"
	is "$four" "$(sort output)" "and each process has what it should have"
	is "$four" "$(by_slurm timeout "$(limit)" srun --mpi=pmix -n 4 \
		env BSP_TRANSPORT=mpi ./ring | sort)" "srun --mpi=pmix, carried by Open MPI's part"
else
	skip "no mpicc.mpich and mpiexec.hydra here"
fi
is "$two" "$(in_job 2 "bsprun --launcher mpirun -n 2 ./ring")" "mpirun in a job"

# ---- A program that never begins ----------------------------------------------------------------

bspcc -o asks -x c - <<'END' || bail "the program does not compile"
#include <bsp.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	(void)argv;
	printf("%d\n", bsp_nprocs());
	fflush(stdout);
	if (argc > 1)
		_exit(0);
	return 0;
}
END
for how in "" _exit; do
	is "0
2
2" "$(in_job 2 "srun --mpi=pmix ./asks $how; echo \$?")" \
		"srun: a program that only asks how many processes there are ends well"
done

# ---- A job that hangs ------------------------------------------------------------------------

cat >hangs.c <<'END'
#include <bsp.h>
#include <unistd.h>

int main(void)
{
	bsp_begin(bsp_nprocs());
	while (bsp_pid() == 0)
		pause();
	bsp_sync();
	bsp_end();
	return 0;
}
END
bspcc -o hangs hangs.c || bail "hangs does not compile"
BSP_WAIT=warn:1.1
export BSP_WAIT
# The nodes that have warned; not while a slow machine is still in bsp_begin.
warned='s/^bsp: no progress for .* goes on; .* on \(node[0-9]*\): .*in bsp_sync.*/\1/p'
list=$(in_job 4 "srun --mpi=pmix ./hangs 2>said.step &
	until test \$(sed -n '$warned' said.step | sort -u | wc -l) = 2; do sleep 0.1; done
	scancel --signal=TERM \$SLURM_JOB_ID
	wait; cat said.step")
is 2 "$(echo "$list" | sed -n "$warned" | sort -u | wc -l)" "each node warns of a job that hangs"
is 2 "$(echo "$list" | grep -c '^bsp: asked to end by SIGTERM after')" \
	"and says what its processes do when scancel ends it" || diag "$list"
like 'in bsp_sync, waiting .*\(process 3, superstep 0, hangs.c:9\)' "$list" "by the line"

stop_slurm
none "$(left_on node1; left_on node2)" "nothing of it is left"

done_testing
