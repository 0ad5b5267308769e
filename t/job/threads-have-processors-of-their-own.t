#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# OpenMP has as many threads as there are processors for its process, wherever its runtime has bound
# the program before; and threads that are not in the processes are named, ended or refused.
# shellcheck disable=SC1090,SC2034,SC2154

script=$(readlink -f "$0")
. "${script%/*}/../lib/alone.sh"
. "$top_srcdir/t/lib/installed.sh"

unset OMP_NUM_THREADS OMP_PROC_BIND OMP_PLACES GOMP_CPU_AFFINITY OMP_THREAD_LIMIT OMP_DYNAMIC

cat >where.c <<'END'
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <bsp.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
static int team(void)
{
	int n = 0;
#pragma omp parallel reduction(+ : n)
	n++;
	return n;
}
static void part(void)
{
	cpu_set_t set;
	int n;

	bsp_begin(bsp_nprocs());
	sched_getaffinity(0, sizeof set, &set);
	n = team();
	printf("%d of %d: %d threads, %s", bsp_pid(), bsp_nprocs(), n,
	       n <= CPU_COUNT(&set) ? "enough processors" : "too few processors");
	for (int i = 0; getenv("CPUS") && i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			printf(", %d", i);
	printf("\n");
	bsp_end();
}
int main(int argc, char **argv)
{
	int before = argc > 1 ? team() : 0;

	part();
	if (argc > 1 && team() != before)
		printf("not as before\n");
	if (argc > 2)
		part();
	return 0;
}
END
bspcc -fopenmp -o where where.c 2>err || skip_all "no OpenMP here"
processors=$(BSP_NPROCS='' bspinfo | awk '$1 == "processors" { print $2 }')
test "$processors" -ge 2 || skip_all "not applicable: one processor"

# said [OPTION]... PROGRAM...: output, then messages
said()
{
	bsprun "$@" >out 2>err || echo "status $?" >>out
	sort out
	cat err
}
share=$((processors / 2))
notice="bsp_begin: OpenMP has N thread(s) in each process, as there are N processors for N \
processes; set OMP_NUM_THREADS, or --bind none"
numbers='s/[0-9][0-9]* thread[s]* in/N thread(s) in/; s/ [0-9][0-9]* p/ N p/g'
two="0 of 2: $share threads, enough processors
1 of 2: $share threads, enough processors
$notice"
is "$two" "$(said -n 2 ./where | sed "/^bsp/{$numbers;}")" "two processes share the processors"
is "$(echo "$two" | sed '/^bsp/d')" "$(said -n 2 --bind auto ./where before | sed '/^bsp/d')" \
	"after a region as well"
is "$(echo "$two
$two" | sed '/^bsp/d' | sort)" "$(said -n 2 ./where before again | sed '/^bsp/d')" \
	"and in a second SPMD part"
is "0 of 2: $processors threads, enough processors
1 of 2: $processors threads, enough processors" "$(said -n 2 --bind none ./where before)" \
	"--bind none leaves OpenMP alone"
is "0 of 2: 1 threads, enough processors
1 of 2: 1 threads, enough processors" "$(OMP_NUM_THREADS=1 said -n 2 ./where)" \
	"what fits is neither changed nor mentioned"
many=$((processors + 1))
is "0 of 2: $many threads, too few processors
1 of 2: $many threads, too few processors
bsp_begin: processes are not bound to cores: OpenMP is to have $many threads in each of 2 \
processes, and there are $processors processors; --bind none says so" \
	"$(OMP_NUM_THREADS=$many said -n 2 ./where)" "what the user asks for is left, and said"
n=$((2 * processors))
is "$n 1 threads" "$(said -n $n ./where | sed -n 's/.*: \(1 threads\),.*/\1/p' | uniq -c | xargs)" \
	"with more processes than processors each has a thread"

# OpenMP binds the program to its first place before main() begins.
plain=$(CPUS=1 OMP_NUM_THREADS=1 said ./where)
for how in OMP_PROC_BIND=true OMP_PLACES=threads; do
	is "$plain" "$(CPUS=1 OMP_NUM_THREADS=1 said -x $how ./where)" \
		"$how: as many processes on the same processors"
	like '^1 of 2: 1 threads, enough' "$(said -n 2 -x $how ./where)" "$how: one thread in each"
	is "$(CPUS=1 OMP_NUM_THREADS=1 said -n $n ./where)" \
		"$(CPUS=1 OMP_NUM_THREADS=1 said -n $n -x $how ./where)" \
		"$how: and not bound if there are too many"
done

cat >inside.c <<'END'
#include <bsp.h>
int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp master
	{
		bsp_begin(2);
		bsp_end();
	}
	return 0;
}
END
bspcc -fopenmp -o inside inside.c
like '^bsp_begin: called inside an OpenMP region, or after one .* \(inside.c:7' \
	"$(bsprun -n 2 ./inside 2>&1)" "inside a region it is an error"

cat >other.c <<'END'
#include <bsp.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *waits(void *unused)
{
	pause();
	return unused;
}
static void *begins(void *unused)
{
	bsp_begin(bsp_nprocs());
	printf("%d\n", bsp_pid());
	bsp_end();
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t t;
	pthread_create(&t, NULL, argc > 1 ? begins : waits, NULL);
	if (argc > 1)
		pthread_join(t, NULL);
	else
		begins(NULL);
	return argc > 1 && argv[1][0] == '7' ? 7 : 0;
}
END
bspcc -pthread -o other other.c
is "0
1
bsp_begin: 1 other thread of the program will not be there in the processes; start threads after \
bsp_begin" "$(said -n 2 ./other | sed '/^==/d; s/ (process.*//')" "another thread is named"
is "0" "$(said -n 1 ./other)" "and not where nothing is copied"
like '^bsp_begin: called in a thread other than the first, .* \(other.c:12' \
	"$(bsprun -n 2 ./other 7 2>&1)" "bsp_begin in another thread is an error"
is "0
status 7" "$(said -n 1 ./other 7)" "and allowed where nothing is copied"

done_testing
