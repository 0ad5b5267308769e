#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 860 - in a job of Slurm, bsprun starts the program with srun or mpirun on what the job has.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/env.sh"
. "$top_srcdir/t/nodes.sh"
. "$top_srcdir/t/installed.sh"

need_launcher
for tool in munged mungekey slurmctld slurmd sbatch srun sinfo; do
	PATH=$PATH:/usr/sbin command -v $tool >/dev/null || skip_all "no $tool here"
done
PATH=$PATH:/usr/sbin
make_nodes 1
slurm=$tap_dir/slurm
mkdir -m 755 "$slurm" "$slurm/state" "$slurm/spool"
chmod 755 "$tap_dir" "${tap_dir%/*}"
cat >"$slurm/slurm.conf" <<END
ClusterName=test
SlurmctldHost=node1
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
CredType=cred/munge
CryptoType=crypto/munge
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SchedulerParameters=sched_interval=1
NodeName=node1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
SLURM_CONF=$slurm/slurm.conf
export SLURM_CONF
on_node node1 mungekey -k "$slurm/key" -c || skip_all "no key for munge"
on_node node1 munged --force -F --socket="$slurm/munge.socket" --key-file="$slurm/key" --log-file="$slurm/munge.log" \
	--pid-file="$slurm/munge.pid" --seed-file="$slurm/seed" >/dev/null 2>&1 &
on_node node1 slurmctld -D >"$slurm/ctld.out" 2>&1 &
on_node node1 slurmd -D -N node1 >"$slurm/slurmd.out" 2>&1 &
for i in $(seq 100); do
	state=$(on_node node1 timeout 5 sinfo -h -o %t 2>/dev/null)
	test "$state" = idle && break
	sleep 0.2
done
test "$state" = idle || skip_all "Slurm does not start here: $(tail -qn 2 "$slurm/slurmd.out" "$slurm/ctld.out" "$slurm"/*.log | tr '\n' ' ')"

write_ring ring.c
bspcc -o ring ring.c || bail "ring does not compile"
two="0 after 1, size 4
1 after 0, size 4"

# in_job N COMMAND...: what the script of a job of N tasks says
in_job()
{
	n=$1
	shift
	rm -f said
	{ echo '#!/bin/sh'; echo "PATH='$PATH'"; echo "$*"; } >script
	on_node node1 timeout -k 5 60 sbatch -W -n "$n" -o "$PWD/said" script >submitted 2>&1 || echo "status $?"
	sort said
}

like '^srun --mpi pmix -K1' "$(in_job 2 "bsprun --show ./ring")" "in a job, bsprun uses srun"
is "$two" "$(in_job 2 "bsprun ./ring")" "srun: as many processes as the job has tasks"
is "$two" "$(in_job 4 "bsprun -n 2 ./ring")" "srun: or as many as are asked for"
is "$two" "$(in_job 2 "bsprun --local -n 2 ./ring")" "--local"
is "$two" "$(in_job 2 "srun --mpi=pmix ./ring")" "srun by itself"
seen=$(in_job 2 "srun --mpi=none ./ring")
is 0 "$(echo "$seen" | grep -c 'after 0, size')" "srun without PMIx: nobody runs alone"
like 'srun --mpi=pmix' "$seen" "and what to do is said"
is "$two" "$(in_job 2 "bsprun --launcher mpirun -n 2 ./ring")" "mpirun in a job"

done_testing
