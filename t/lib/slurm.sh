# SPDX-License-Identifier: BSD-3-Clause
# slurm.sh - a Slurm of the test's own, on the nodes of nodes.sh; read after nodes.sh.
# shellcheck shell=sh disable=SC2154

# The controller and munged run on node1, slurmd on every node, all with files in the test's
# folder. They listen in the networks of the nodes only. stop_slurm ends them; so does the end of
# the test, as that of everything else in its process namespace.
#
#	need_slurm
#	make_nodes 2
#	start_slurm 4			every node has 4 processors, independent of the machine
#	by_slurm srun --mpi=pmix -n 8 ./program
#	in_job 8 "bsprun ./program"	the script of a batch job
#	stop_slurm
#
# A node of this Slurm starts processes without cgroups, does not bind them and does not
# measure them: none of this is allowed everywhere.
#
# As root, daemons of Slurm drop groups, which the root of nodes.sh may not if an ordinary user
# has started the test. Then Slurm and its jobs run in one more user namespace each, in which
# that user has their own number again; munge sees the same user from each of them.

PATH=$PATH:/usr/sbin
slurm=$tap_dir/slurm
slurm_daemons=
slurm_uid=$(awk 'NR == 1 { print $2 }' /proc/self/uid_map)
slurm_user=$(getent passwd "$slurm_uid" | cut -d: -f1)
slurm_gid=$(awk 'NR == 1 { print $2 }' /proc/self/gid_map)
as_slurm_user="unshare --user --map-user=$slurm_uid --map-group=$slurm_gid"
test "$slurm_uid" -ne 0 || as_slurm_user=

# need_slurm: skips the test unless all of Slurm is installed
need_slurm()
{
	for tool in munged mungekey slurmctld slurmd sbatch srun sinfo; do
		command -v $tool >/dev/null || skip_all "no $tool here"
	done
}

write_slurm_conf()
{
	cat >"$slurm/slurm.conf" <<END
ClusterName=test
SlurmctldHost=node1
SlurmUser=$slurm_user
SlurmdUser=$slurm_user
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
CredType=cred/munge
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool.%n
TmpFS=$nodes/%n/tmp
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
KillWait=5
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=node[1-$1] CPUs=$2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
}

# start_daemon NODE NAME COMMAND...: in the background, until stop_slurm
start_daemon()
{
	daemon=$slurm/$2.$1
	node_of_daemon=$1
	shift 2
	# shellcheck disable=SC2016,SC2086
	on_node "$node_of_daemon" $as_slurm_user sh -c 'echo $$ >"$0.started" && exec "$@"' \
		"$daemon" "$@" >"$daemon.out" 2>&1 </dev/null &
	slurm_daemons="$daemon.started $slurm_daemons"
}

# by_slurm COMMAND...: runs a command of Slurm, or one that calls such, on node1
by_slurm()
{
	# shellcheck disable=SC2086
	on_node node1 $as_slurm_user "$@"
}

# Jobs can be submitted as soon as every node is idle.
nodes_are_idle()
{
	test "$(by_slurm timeout "$(limit)" sinfo -h -o %t 2>/dev/null)" = idle
}

# start_slurm PROCESSORS: on all nodes, as if each had that many
start_slurm()
{
	set -- "$(find "$nodes" -mindepth 1 -maxdepth 1 -name 'node*' | wc -l)" "$1"
	mkdir -m 755 "$slurm" "$slurm/state"
	# slurmd and munged refuse files in folders that others may not pass.
	chmod 755 "$tap_dir" "${tap_dir%/*}"
	write_slurm_conf "$1" "$2"
	SLURM_CONF=$slurm/slurm.conf
	export SLURM_CONF
	by_slurm mungekey -k "$slurm/key" -c || bail "mungekey makes no key"
	start_daemon node1 munged munged --force -F --socket="$slurm/munge.socket" \
		--key-file="$slurm/key" --seed-file="$slurm/seed" \
		--log-file="$slurm/munge.log" --pid-file="$slurm/munge.pid"
	start_daemon node1 slurmctld slurmctld -D
	for k in $(seq "$1"); do
		start_daemon "node$k" slurmd slurmd -D -N "node$k"
	done
	until_true nodes_are_idle && return
	diag "$(tail -n 5 "$slurm"/*.out "$slurm"/*.log)"
	bail "Slurm does not start"
}

# steps_left: the processes of Slurm that supervise steps and have not ended
steps_left()
{
	for node in "$nodes"/node*; do
		left_on "${node##*/}"
	done | grep ' slurmstepd: '
}

no_step_is_left()
{
	! steps_left >/dev/null
}

# await_steps: until no step remains, whose files Slurm removes last
await_steps()
{
	until_true no_step_is_left
}

# stop_slurm: ends what start_slurm has started, once no step remains
stop_slurm()
{
	await_steps
	for daemon in $slurm_daemons; do
		kill "$(cat "$daemon")"
	done
	for daemon in $slurm_daemons; do
		while kill -0 "$(cat "$daemon")" 2>/dev/null; do
			sleep 0.1
		done
	done
	slurm_daemons=
}

# in_job N COMMAND...: the sorted output of COMMAND in a batch job of N tasks
in_job()
{
	n=$1
	shift
	rm -f said ended
	mkfifo ended
	printf '%s\n' '#!/bin/sh' "PATH='$PATH'" "$*" "echo >'$PWD/ended'" >script
	by_slurm timeout "$(limit)" sbatch -n "$n" -o "$PWD/said" script >submitted 2>&1 ||
		cat submitted
	timeout "$(limit)" cat ended >/dev/null || echo "the job does not end"
	sort said
}
