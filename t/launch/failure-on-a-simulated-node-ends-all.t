#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Simulated nodes end together, with one message and nothing left; numbers that cannot be, refuse.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

need_transport ofi

cat >ends.c <<'END_C'
#include <bsp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_stopped(int pid)
{
	char path[40], state = 0;
	FILE *file;

	sprintf(path, "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	if (file)
		fclose(file);
	return state == 'T';
}

static void end_by(const char *how)
{
	if (strcmp(how, "stop") == 0)
		for (kill(getppid(), SIGSTOP); !is_stopped(getppid());)
			usleep(1000);
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(how, "exit") == 0)
		exit(7);
	if (strcmp(how, "abort") == 0)
		bsp_abort("it is over");
	if (strcmp(how, "super") == 0)
		kill(getppid(), SIGKILL);
	if (strcmp(how, "term") == 0)
		kill(getppid(), SIGTERM);
}

/* ends HOW PROCESS (-1: all): the others go on for ever; stop: the last one is killed after it */
int main(int argc, char **argv)
{
	bsp_begin(bsp_nprocs());
	bsp_sync();
	if (argc == 3 && (atoi(argv[2]) < 0 || atoi(argv[2]) == bsp_pid()))
		end_by(argv[1]);
	bsp_sync();
	if (argc == 3 && strcmp(argv[1], "stop") == 0 && bsp_pid() == bsp_nprocs() - 1)
		raise(SIGKILL);
	for (;;)
		bsp_sync();
}
END_C
bspcc -o ends ends.c >built 2>&1 || bail "ends.c does not compile: $(cat built)"

NODES_MARK=$$.$tap_dir
export NODES_MARK

# is_left, none_left: processes of a job
is_left()
{
	grep -lsz "^NODES_MARK=$NODES_MARK\$" /proc/[0-9]*/environ 2>/dev/null |
		while read -r environ; do
			readlink "${environ%/environ}/exe" 2>/dev/null
		done | grep -qE '/(ends|unable|early)'
}
none_left() { ! is_left; }

# ends STATUS LINES PATTERN ARGUMENT...: some: of that pattern one, and on a busy machine others,
# which say where processes were when they were ended
ends()
{
	status=$1 lines=$2 pattern=$3
	shift 3
	# shellcheck disable=SC2086
	timeout -k 5 "$(limit)" bsprun $size ./ends "$@" >out 2>err </dev/null
	is "$status" $? "$*: status $status"
	# the shell may say so of bsprun
	if test "$lines" = some; then
		test -z "$pattern" || is 1 "$(grep -cE "$pattern" err)" "$*: one says why"
	else
		is "$lines" "$(grep -vcxE 'Killed|Terminated' err)" "$*: $lines messages" ||
			diag "$(cat err)"
		like "$pattern" "$(cat err)" "$*: which says why"
	fi
	until_true none_left
	ok $? "$*: nothing is left"
}

# No supervisor can start its processes: each finds that out for itself.
cat >unable.c <<'END_C'
#include <bsp.h>
#include <errno.h>

int eventfd(unsigned int count, int flags);

/* In place of that of libc, by which a supervisor notices what its processes exchange. */
int eventfd(unsigned int count, int flags)
{
	(void)count, (void)flags;
	errno = EMFILE;
	return -1;
}

int main(void)
{
	bsp_begin(bsp_nprocs());
	bsp_end();
	return 0;
}
END_C
bspcc -o unable unable.c >built 2>&1 || bail "unable.c does not compile: $(cat built)"
for round in 1 2 3 4 5; do
	timeout -k 5 "$(limit)" bsprun -n 5 --nodes 3 ./unable >out 2>err </dev/null
	is 1 $? "no processes can be started ($round): status 1"
	is 1 "$(grep -c . err)" "one line of all supervisors" || diag "$(cat err)"
	like 'cannot start .* processes: ' "$(cat err)" "which says so"
	until_true none_left
	ok $? "nothing is left"
done

# A supervisor, or a process, that dies while the job starts: by calls that only they make.
cat >early.c <<'END_C'
#include <bsp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_int *calls;
static int first;		/* the process that is started, and supervises node 0 */
static const char *dies;

int eventfd(unsigned int count, int flags);

int eventfd(unsigned int count, int flags)
{
	int pair[2];

	(void)count, (void)flags;
	if (strcmp(dies, "supervisor") == 0 && getpid() != first)
		raise(SIGKILL);
	return pipe(pair) ? -1 : pair[0];
}

int setvbuf(FILE *file, char *buffer, int mode, size_t size)
{
	(void)file, (void)buffer, (void)mode, (void)size;
	if (strcmp(dies, "process") == 0 && atomic_fetch_add(calls, 1) == 2)
		raise(SIGKILL);
	return 0;
}

int main(int argc, char **argv)
{
	dies = argc > 1 ? argv[1] : "";
	first = (int)getpid();
	calls = mmap(NULL, sizeof(*calls), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	bsp_begin(bsp_nprocs());
	bsp_sync();
	puts("begun");
	bsp_end();
	return 0;
}
END_C
bspcc -o early early.c >built 2>&1 || bail "early.c does not compile: $(cat built)"
# early STATUS PATTERN WHICH: no process begins
early()
{
	timeout -k 5 "$(limit)" bsprun -n 5 --nodes 3 ./early "$3" >out 2>err </dev/null
	is "$1" $? "a $3 dies during the start: status $1"
	like "$2" "$(cat err)" "the message says so"
	none "$(cat out)" "no process begins"
	until_true none_left
	ok $? "nothing is left"
}

early 1 'bsp: part [0-9-]+ on node [12] is lost: its supervisor has ended' supervisor
early 137 'killed by signal 9 \(Killed\) \(process [0-4]' process

size="-n 5 --nodes 3"
ends 137 1 'killed by signal 9 \(Killed\) \(process 3, ' kill 3
ends 7 1 'exited with status 7 before bsp_end \(process 4, ' exit 4
ends 1 1 'bsp_abort: it is over \(process [0-4], ' abort -1
ends 1 some 'bsp: part 2-3 on node 1 is lost: its supervisor has ended' super 2
ends 137 some '' super 0
ends 143 some '' term 1

# Node 1 is between nodes 0 and 2 in a tree of 13, and node 2 has none below it.
size="-n 13 --nodes 13"
for node in 0 1 2; do
	ends 137 1 "killed by signal 9 \\(Killed\\) \\(process $node, " kill $node
done
for node in 1 2; do
	ends 1 some "bsp: part $node on node $node is lost: its supervisor has ended" super $node
done
ends 137 some '' super 0
# A supervisor that is stopped is killed in the end, as those of the nodes below it, which have no
# word of the failure.
ends 137 some \
	'part 1 on node 1 has not ended, perhaps stopped by a signal; its supervisor is killed' \
	stop 1

# ---- Numbers that cannot be ---------------------------------------------------------------

# refuses PATTERN OPTION...
refuses()
{
	pattern=$1
	shift
	bsprun "$@" ./ends >out 2>err </dev/null
	is 2 $? "bsprun $*: is refused"
	is 1 "$(wc -l <err | tr -d ' ')" "bsprun $*: in one line"
	like "^bsprun: $pattern" "$(cat err)" "bsprun $*: which says why"
}

refuses '--nodes 0: expected a number from 1 to 64' -n 4 --nodes 0
refuses '--nodes 65: expected a number from 1 to 64' -n 100 --nodes 65
refuses '--nodes 8: 8 nodes need 8 processes or more, and there are 4' -n 4 --nodes 8
refuses '--nodes 8: 9 processes in blocks of 2 fill 5 nodes; ask for 5' -n 9 --nodes 8
refuses '--nodes makes nodes of this machine; leave out the hosts' -n 4 --nodes 2 -H a:4
refuses '--nodes makes nodes of this machine; leave out --launcher' --nodes 2 --launcher mpirun
refuses '--nodes makes all nodes of a job; leave out --discover' \
	-n 4 --nodes 2 --discover job --part 0-3
refuses '--emulate sp2: an emulated network has no nodes; leave out --nodes' \
	-n 4 --nodes 2 --emulate sp2
for nodes in 65 2147483647 99999999999; do
	env BSP_NODES=$nodes bsprun -n 4 ./ends >out 2>err </dev/null
	is 2 $? "BSP_NODES=$nodes: is refused"
	is "bsprun: BSP_NODES=$nodes in the environment: expected a number from 1 to 64" \
		"$(cat err)" "as an option with that number is"
done

# fails PATTERN SETTING...: without bsprun, or what bsprun does not see
fails()
{
	pattern=$1
	shift
	timeout -k 5 "$(limit)" env "$@" ./ends kill 0 >out 2>err </dev/null
	is 1 $? "$*: fails"
	is 1 "$(wc -l <err | tr -d ' ')" "$*: with one message" || diag "$(cat err)"
	like "$pattern" "$(cat err)" "$*: which says why"
	until_true none_left
	ok $? "$*: nothing is left"
}

fails 'BSP_NODES: 4 nodes need 4 processes or more, and there are 3' BSP_NPROCS=3 BSP_NODES=4
fails 'mpirun of Open MPI has started 4 processes, and BSP_NODES starts them itself' \
	OMPI_COMM_WORLD_SIZE=4 BSP_NPROCS=4 BSP_NODES=2
fails 'BSP_DISCOVER is set, and BSP_NODES makes nodes of this machine' \
	BSP_DISCOVER=job BSP_NPROCS=4 BSP_NODES=2
fails 'transport shm cannot be used: it reaches only processes of one node, and these are on 2' \
	BSP_TRANSPORT=shm BSP_NPROCS=4 BSP_NODES=2
done_testing
