# SPDX-License-Identifier: BSD-3-Clause
# faults.sh - runs of faults.c, and what must be true after each; read after env.sh and before all
# else.
# shellcheck shell=sh disable=SC2034,SC2154

# A case is five words: CARRIER FAULT MOMENT PROCESS CALLS, the last four as arguments of faults.c.
#
#	CARRIER	shm, ofi, mpi, mix	bsprun forks the processes
#		mpirun, srun		a launcher starts them
#
# Each runs on node1 of nodes.sh (srun: on two nodes), with room for 64 MiB in /dev/shm and TMPDIR.
# After it
#
#	- it has ended by itself, in time;
#	- its status is not 0; but it is 0 and each process ends well if the fault is harmless;
#	- the library prints one message at most; it or one of the launcher names the process;
#	- no process, and so no listening socket, and no file is left. But mpirun, killed by
#	  SIGKILL, leaves its own folder: its processes get SIGHUP from the terminal that it has made for
#	  them, and end at once. And Slurm may leave its own for a step, empty.

FAULTS_N=4			# processes

all_carriers="shm ofi mpi mix mpirun srun"
all_faults="kill segv term abrt stop abort _exit exit close closeall nofile as data full super"
all_moments="before begin compute sync read collective end after"

. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/slurm.sh"
. "$top_srcdir/t/lib/installed.sh"

# ---- What can run here -------------------------------------------------------------

# why_not CARRIER: why it cannot run here; nothing if it can
why_not()
{
	case $1 in
	ofi | mix) has_transport "$1" || echo "no libfabric here" ;;
	mpi) has_transport mpi || echo "no MPI here" ;;
	mpirun | srun) has_plugin pmix || echo "no libpmix here" ;;
	esac
	case $1 in
	mpirun) test "$MPIRUN" || echo "no mpirun here" ;;
	srun)
		for tool in munged mungekey slurmctld slurmd sbatch srun sinfo; do
			command -v $tool >/dev/null || echo "no $tool here"
		done
		;;
	esac | head -n 1
}

# start_cluster CARRIERS: what these need; $carriers are those that can run, and the reason of
# others is skipped
start_cluster()
{
	carriers=
	for carrier in $1; do
		reason=$(why_not "$carrier" | head -n 1)
		if test "$reason"; then
			skip "$carrier: $reason"
		else
			carriers="$carriers $carrier"
		fi
	done
	make_nodes 2
	for node in node1 node2; do
		on_node $node sh -c 'mount -t tmpfs -o size=64m tmpfs "$TMPDIR" &&
			mount -o remount,size=64m /dev/shm' || bail "no small file systems here"
	done
	case $carriers in
	*srun*) start_slurm 4 ;;
	esac
	files=$(files_on_nodes)
	bspcc -O1 -rdynamic -pthread -o faults "$top_srcdir/t/faults/faults.c" >built 2>&1 ||
		bail "faults.c does not compile: $(cat built)"
}

stop_cluster()
{
	case $carriers in
	*srun*) stop_slurm ;;
	esac
}

# ---- One run -------------------------------------------------------------------------

# files_on_nodes: in shared memory and in the folders for temporary files, but for what fills them
files_on_nodes()
{
	for node in node1 node2; do
		# shellcheck disable=SC2016
		on_node $node sh -c 'rm -f /dev/shm/fill.* "$TMPDIR"/fill.*; find /dev/shm "$TMPDIR" -mindepth 1'
	done
}

# processes_of MARK: those that were started with it in their environment
processes_of()
{
	for environ in $(grep -lsz "^FAULTS_MARK=$1\$" /proc/[0-9]*/environ); do
		environ=${environ%/environ}
		echo "${environ#/proc/} $(tr '\0' ' ' <"$environ/cmdline")"
	done 2>/dev/null
}

# remove_files_of_launcher CARRIER FAULT: those that are its own, and not the library's to remove
remove_files_of_launcher()
{
	# shellcheck disable=SC2016
	case $1:$2 in
	mpirun:super) on_node node1 sh -c 'rm -rf "$TMPDIR"/ompi.*' ;;
	srun:*)
		for node in node1 node2; do
			on_node $node sh -c 'find "$TMPDIR" -maxdepth 1 -name "spmix_appdir_*" -empty -delete'
		done
		;;
	esac
}

# start CARRIER ARGUMENTS...: the program, for $hang seconds at most; its status is that of the job
start()
{
	carrier=$1
	shift
	set -- ./faults "$@"
	case $carrier in
	mpirun) set -- "$MPIRUN" --oversubscribe -n $FAULTS_N "$@" ;;
	srun) set -- srun --mpi=pmix -K1 -N 2 -n $FAULTS_N "$@" ;;
	*) set -- bsprun -n $FAULTS_N --transport "$carrier" "$@" ;;
	esac
	on_carrier=on_node
	as="node1"
	test "$carrier" != srun || as="node1 $as_slurm_user"
	# shellcheck disable=SC2016,SC2086
	on_node $as timeout -k 5 "$hang" sh -c 'echo $$ >super && exec "$@"' sh "$@" >said 2>errors </dev/null
}

# settings CARRIER FAULT MOMENT: of the library, for the job
settings()
{
	echo "FAULTS_MARK=$mark"
	test "$1" != mix || echo "BSP_NODE_SIZE=2"
	test "$1" != mpi || echo "FORKS_BEFORE=1"
	test "$2" != stop || echo "BSP_WATCHDOG=$(scaled 2)"
	case $3 in
	before | begin) echo "BSP_WAIT=join:$(scaled 4)" ;;
	esac
}

# can_be CARRIER FAULT MOMENT PROCESS: is it a fault at all?
can_be()
{
	case $1:$3:$4 in
	shm:before:0 | ofi:before:0 | mpi:before:0 | mix:before:0) ;;
	shm:before:* | ofi:before:* | mpi:before:* | mix:before:*) return 1 ;;	# there is one process as yet
	esac
	case $2:$3 in
	stop:after) return 1 ;;			# after bsp_end a program may take its time
	stop:before)				# nor is there a watchdog before bsp_begin
		return 1 ;;
	esac
}

# calls_at MOMENT: after how many calls; some in every carrier's bsp_begin, and more than any has
calls_at()
{
	test "$1" = begin && echo "0 10 25 99" || echo 0
}

# ours: messages of the library and of bsprun; a line that goes on with another begins with a blank
ours()
{
	grep -cE '^(bsp|bsp_[a-z_0-9]+|bsprun): [^ ]' errors
}

# names PROCESS: does a message say which it was? Each launcher has its own words.
names()
{
	grep -E '^(bsp|bsp_[a-z_0-9]+|bsprun): ' errors | grep -qE "process $1([^0-9]|\$)" ||
		grep -qE "(rank|task|Process name: \[\[[0-9]*,[0-9]*\],) ?\[?$1([^0-9]|\$)" errors ||
		{ test "$carrier_of_case" = srun && grep -qE 'tasks? [0-9,-]+: ' errors; }
}

# wrong FAULT MOMENT PROCESS STATUS: what is not as it must be, by what the job has said
wrong()
{
	# The watchdog has one for each node.
	most=1
	test "$1 $carrier_of_case" != "stop srun" || most=2
	test "$(ours)" -le $most || echo "$(ours) messages"
	who=$3
	case $1:$2 in
	exit:after | none:*) wanted=0 ;;
	_exit:after) wanted=3 ;;
	close:* | closeall:* | nofile:* | as:* | data:* | full:*) wanted="0 or else" ;;
	super:*) wanted=killed ;;
	exit:before) wanted=any ;;
	*) wanted=failure ;;
	esac
	case $wanted in
	0 | 3)
		test "$4" -eq $wanted || echo "status $4, not $wanted"
		return
		;;
	"0 or else")
		# Another process may be the first to see what this one lacks.
		test "$4" -ne 0 || wanted=well
		who='[0-9]+'
		;;
	esac
	case $wanted in
	well)
		ended=$(grep -c '^ended' said)
		case $1 in
		closeall) test "$ended" -ge $((FAULTS_N - 1)) ;;
		*) test "$ended" -eq $FAULTS_N ;;
		esac || test "$2" = before || echo "status 0, but $ended processes have ended well"
		;;
	any) ;;
	killed) test "$4" -ne 0 || echo "status 0" ;;
	*)
		test "$4" -ne 0 || echo "status 0"
		names "$who" || test "$forked $2" = "yes before" || echo "process $who is not named"
		test "$1" != stop || test "$2" = begin || grep -q 'stopped by .*process '"$3" errors || echo "nothing says that it is stopped"
		;;
	esac
}

# all_is_gone CARRIER FAULT: no process with the mark $mark remains, and no file is left
all_is_gone()
{
	remains=$(processes_of $mark)
	remove_files_of_launcher "$1" "$2"
	left=$(files_on_nodes)
	test -z "$remains" && test "$left" = "$files"
}

# run_case CARRIER FAULT MOMENT PROCESS CALLS: one check
run_case()
{
	mark=$((mark + 1))
	carrier_of_case=$1
	case $1 in
	mpirun | srun) forked=no ;;
	*) forked=yes ;;
	esac
	rm -f fault super
	: >fault
	hang=$(limit 90)
	started=$(date +%s%N)
	(
		for setting in $(settings "$1" "$2" "$3"); do
			# shellcheck disable=SC2163
			export "$setting"
		done
		start "$@"
	)
	status=$?
	took=$((($(date +%s%N) - started) / 1000000))
	test "$1" != srun || await_steps
	until_true all_is_gone "$1" "$2"
	parted=$((($(date +%s%N) - started) / 1000000 - took))
	{
		test $took -lt $((hang * 1000)) || echo "it hangs"
		wrong "$2" "$3" "$4" $status
		test -z "$remains" || echo "processes are left: $remains"
		test "$left" = "$files" || echo "files are left: $left"
	} >wrong
	said=$(grep -E '^(bsp|bsp_[a-z_0-9]+|bsprun): [^ ]' errors | head -n 1 | cut -c1-120)
	test ! -s wrong
	ok $? "$1: process $4, $2 in $3$(test "$3" != begin || echo " after $5 calls") ($took ms and $parted ms, status $status) $said" || {
		diag "$(cat wrong)"
		diag "$(head -n 12 errors)"
	}
	echo "$remains" | while read -r pid _; do
		test -z "$pid" || kill -KILL "$pid" 2>/dev/null
	done
	test "$left" = "$files" || for node in node1 node2; do
		on_node $node sh -c 'rm -rf /dev/shm/* "$TMPDIR"/*'
	done
	files=$(files_on_nodes)
}
mark=0
