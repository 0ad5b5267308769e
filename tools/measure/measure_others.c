// SPDX-License-Identifier: BSD-3-Clause
/* measure_others.c - do other programs use the processors that a job measures with? */

/*
 * The time for which the processors of a machine have worked, less that of the job's processes on
 * it, is that of other programs. They take nothing from the job as long as the processors for which
 * it has no processes are enough for them.
 */

#include "measure.h"

#include "tools/measure/clock.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Less than that is no sign of another program: the system tells its times in steps of 10 ms, and
 * has some work of its own.
 */
static const double least_processors = 0.1, least_seconds = 0.1;

void measure_others_begin(struct measure_others *o)
{
	o->all = clock_machine_s();
	o->own = 1e-9 * clock_cpu_ns();
	o->began = clock_now_s();
}

/* On process 0: copies what the others say, which the next call overwrites. */
static void gather_to(struct measure *m, double *to, double mine)
{
	const double *all = measure_gather(m, mine);

	for (int q = 0; all && q < m->nprocs; q++)
		to[q] = all[q];
}

/* Processors that others took on the machine of process @p. */
static double processors_taken(const struct measure *m, const double *machine, const double *own,
			       int p, double all, double processors, double seconds)
{
	double others = all;
	int n = 0;

	for (int q = 0; q < m->nprocs; q++)
		if (machine[q] == machine[p]) {
			others -= own[q];
			n++;
		}
	others -= fmax(processors - n, 0) * seconds;
	return others > least_seconds ? others / seconds : 0;
}

double measure_others(struct measure *m, const struct measure_others *o)
{
	double *said = calloc(4 * (size_t)m->nprocs, sizeof(*said));
	double seconds = clock_now_s() - o->began, all = clock_machine_s() - o->all;
	double own = 1e-9 * clock_cpu_ns() - o->own, most = 0;
	int n = m->nprocs;

	if (!said)
		measure_fail("no memory");
	gather_to(m, said, measure_boot_number());
	gather_to(m, said + n, own);
	gather_to(m, said + 2 * n, all);
	gather_to(m, said + 3 * n, (double)sysconf(_SC_NPROCESSORS_ONLN));
	for (int p = 0; m->me == 0 && p < n; p++)
		most = fmax(most, processors_taken(m, said, said + n, p, said[2 * n + p],
						   said[3 * n + p], seconds));
	free(said);
	return most >= least_processors ? most : 0;
}
