/* SPDX-License-Identifier: BSD-3-Clause */
/* Each process of a program with threads gets as many whole cores as the others, in a row. */
#include "job/launch/bind.h"
#include "../lib/tap.h"

#include <stdio.h>

enum { CORES = 13, THREADS = 2 };

/* Core i has the processors i and i + CORES. */
static void make_cores(cpu_set_t *cores)
{
	for (int i = 0; i < CORES; i++) {
		CPU_ZERO(&cores[i]);
		for (int t = 0; t < THREADS; t++)
			CPU_SET(i + t * CORES, &cores[i]);
	}
}

static bool is_whole(const cpu_set_t *set, int first, int each)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		int core = cpu % CORES;
		bool mine = cpu < THREADS * CORES && core >= first && core < first + each;

		if (mine != !!CPU_ISSET(cpu, set))
			return false;
	}
	return true;
}

static void shares(const cpu_set_t *cores, int nprocs)
{
	cpu_set_t sets[CORES];
	int each = CORES / nprocs, right = 0;

	bspj_share_cores(cores, each, sets, nprocs);
	for (int p = 0; p < nprocs; p++)
		right += is_whole(&sets[p], p * each, each);
	is_int(nprocs, right, "%d processes with %d cores each", nprocs, each);
}

int main(void)
{
	cpu_set_t cores[CORES];

	make_cores(cores);
	for (int nprocs = 1; nprocs <= CORES; nprocs++)
		shares(cores, nprocs);
	return done_testing();
}
