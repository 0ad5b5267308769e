#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that a process of a job starts is not of that job, whatever it inherits.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

# A ring; process 0 and 1 start a program in the middle, by system() or by fork and exec.
cat >outer.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int run(char **words)
{
	int status = 0;
	pid_t child;

	if (strcmp(words[0], "system") == 0)
		return system(words[1]);
	child = fork();
	if (child == 0) {
		execvp(words[1], words + 1);
		_exit(127);
	}
	waitpid(child, &status, 0);
	return status;
}

static int pass_on(int *left, int value)
{
	bsp_put((bsp_pid() + 1) % bsp_nprocs(), &value, left, 0, sizeof value);
	bsp_sync();
	return *left;
}

int main(int argc, char **argv)
{
	int left = -1, wrong, status = 0;

	bsp_begin(bsp_nprocs());
	int p = bsp_nprocs(), me = bsp_pid(), from = (me + p - 1) % p;

	bsp_push_reg(&left, sizeof left);
	bsp_sync();
	wrong = pass_on(&left, me) != from;
	if (argc > 2 && me < 2)
		status = run(argv + 1);
	wrong += pass_on(&left, 100 + me) != 100 + from;
	printf("outer %d of %d: %d wrong, status %d\n", me, p, wrong, status);
	bsp_end();
	return 0;
}
END

cat >inner.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

static int n;

static void spmd(void)
{
	int left = -1;

	bsp_begin(n);
	int p = bsp_nprocs(), me = bsp_pid();

	bsp_push_reg(&left, sizeof left);
	bsp_sync();
	bsp_put((me + 1) % p, &me, &left, 0, sizeof me);
	bsp_sync();
	printf("inner %d after %d\n", me, left);
	bsp_end();
}

int main(int argc, char **argv)
{
	if (argc > 1)
		bsp_init(spmd, argc, argv);
	n = bsp_nprocs();
	spmd();
	return 0;
}
END
compile outer
compile inner

# expected N: by each of two of N processes of a job, a job of two processes is run
expected()
{
	echo "inner 0 after 1
inner 0 after 1
inner 1 after 0
inner 1 after 0"
	for p in $(seq 0 $(($1 - 1))); do
		echo "outer $p of $1: 0 wrong, status 0"
	done
}

# started_here N COMMAND...: by the library itself, as launched() does
started_here()
{
	n=$1
	shift
	BSP_NPROCS=$n timeout -k 5 "$(limit)" "$@" >out 2>err </dev/null
	echo $? >status
	sort out
}

# nested TEXT STARTER N: a program is started
nested()
{
	is "$(expected "$3")" "$($2 "$3" ./outer system \
		"BSP_NPROCS=2 BSP_TRANSPORT=auto ./inner")" "$1: system()" ||
		diag "$(cat err)"
	is 0 "$(cat status)" "$1: the job ends well"
}

# nested_each_way TEXT STARTER N: with each way to start a program
nested_each_way()
{
	nested "$@"
	is "$(expected "$3")" "$($2 "$3" ./outer system \
		"sh -c 'BSP_NPROCS=2 BSP_TRANSPORT=auto sh -c ./inner'")" \
		"$1: a shell in a shell" || diag "$(cat err)"
	is "$(expected "$3")" "$($2 "$3" ./outer fork env BSP_NPROCS=2 BSP_TRANSPORT=auto \
		./inner)" "$1: fork and exec" ||
		diag "$(cat err)"
	is "$(expected "$3")" "$($2 "$3" ./outer system \
		"BSP_NPROCS=2 BSP_TRANSPORT=auto ./inner with bsp_init")" \
		"$1: with bsp_init" || diag "$(cat err)"
	is "$(expected "$3")" "$($2 "$3" ./outer system \
		"BSP_TRANSPORT=auto $top_builddir/tools/bsprun/bsprun -n 2 ./inner")" \
		"$1: bsprun" || diag "$(cat err)"
	if has_transport mpi; then
		is "$(expected "$3")" \
			"$($2 "$3" ./outer system "BSP_NPROCS=2 BSP_TRANSPORT=mpi ./inner")" \
			"$1: over MPI" || diag "$(cat err)"
	fi
}

nested_each_way "mpirun" launched 3
nested "shm" started_here 2
for transport in mpi ofi; do
	has_transport "$transport" || continue
	BSP_TRANSPORT=$transport
	export BSP_TRANSPORT
	nested "mpirun, $transport" launched 2
	if test "$transport" = mpi; then
		nested_each_way "$transport" started_here 3
	else
		nested "$transport" started_here 3
	fi
	unset BSP_TRANSPORT
done

# A launcher that a process starts launches.
if has_transport mpi; then
	is "$(expected 2)" "$(BSP_TRANSPORT=mpi started_here 2 ./outer system \
		"env -u BSP_TRANSPORT -u BSP_NPROCS $MPIRUN --oversubscribe -n 2 ./inner")" \
		"mpirun in a job over MPI" ||
		diag "$(cat err)"
fi

# A process of a job that does not use the library reports nothing; then waiting has an end.
if command -v mpicc.openmpi >/dev/null; then
	cat >plain.c <<'END'
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int me;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	if (me == atoi(argv[1]))
		system(argv[2]);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
	mpicc.openmpi -o plain plain.c >built 2>&1 || bail "plain does not compile: $(cat built)"
	BSP_WAIT=join:1
	export BSP_WAIT
	for me in 0 1; do
		for how in "" " with bsp_init"; do
			launched 2 ./plain $me "./inner$how" >seen
			test "$(cat status)" -ne 124
			ok $? "started by process $me of a job of MPI$how: waiting has an end"
			like '^bsp_(begin|nprocs): .*have not come .*bsprun --local' "$(cat err)" \
				"and it is said what to do"
		done
	done
	launched 2 ./plain 1 "$top_builddir/tools/bsprun/bsprun --local -n 2 ./inner" >seen
	is "inner 0 after 1
inner 1 after 0" "$(cat seen)" "which helps"
fi

done_testing
