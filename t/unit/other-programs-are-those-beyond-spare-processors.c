/* SPDX-License-Identifier: BSD-3-Clause */
/* Other programs took the time for which processors worked that is neither ours nor spare. */
#include "../../tools/measure/measure_others.c"
#include "../lib/tap.h"

enum { MOST = 4 };

/* A measurement by at most MOST processes: of each its machine, and the seconds of both. */
struct measured {
	int nprocs;
	double seconds;
	double machine[MOST], own[MOST], all[MOST], processors[MOST];
};

static const struct measured *now;
static double clock_s;
static int asked;

double clock_now_s(void)
{
	return clock_s;
}

double clock_machine_s(void)
{
	return 0;
}

double clock_cpu_ns(void)
{
	return 0;
}

double measure_boot_number(void)
{
	return 0;
}

void measure_fail(const char *why, ...)
{
	printf("Bail out! %s\n", why);
	exit(1);
}

/* In the order in which measure_others() asks. */
const double *measure_gather(struct measure *m, double mine)
{
	const double *const said[] = { now->machine, now->own, now->all, now->processors };

	(void)m, (void)mine;
	return said[asked++];
}

static void takes(double wanted, struct measured measured, const char *claim)
{
	struct measure m = { .nprocs = measured.nprocs };
	struct measure_others o;
	double seen;

	now = &measured;
	asked = 0;
	clock_s = 100;
	measure_others_begin(&o);
	clock_s += measured.seconds;
	seen = measure_others(&m, &o);
	ok(fabs(seen - wanted) < 1e-9, "%s: %g processors", claim, seen);
}

static void check_one_machine(void)
{
	takes(0, (struct measured){ 1, 2, { 7 }, { 2 }, { 2 }, { 1 } },
		  "all of the time is the job's: none");
	takes(0.5, (struct measured){ 1, 2, { 7 }, { 1 }, { 2 }, { 1 } },
		  "half of the one processor");
	takes(0, (struct measured){ 1, 2, { 7 }, { 2 }, { 4 }, { 2 } },
		  "another program on the spare processor takes none");
	takes(0.5, (struct measured){ 1, 2, { 7 }, { 1 }, { 4 }, { 2 } },
		  "what is beyond the spare one is taken");
	takes(1, (struct measured){ 2, 3, { 7, 7 }, { 1, 2 }, { 6, 6 }, { 2, 2 } },
		  "two processes on two processors");
	takes(1, (struct measured){ 3, 3, { 7, 7, 7 }, { 1, 1, 1 }, { 6, 6, 6 },
				   { 2, 2, 2 } },
		  "more processes than processors: none is spare");
}

static void check_least(void)
{
	takes(0, (struct measured){ 1, 0.5, { 7 }, { 0.41 }, { 0.5 }, { 1 } },
		  "under 0.1 s is no sign of another program");
	takes(0, (struct measured){ 1, 10, { 7 }, { 9.5 }, { 10 }, { 1 } },
		  "nor is under a tenth of a processor");
	takes(0.25, (struct measured){ 1, 1, { 7 }, { 0.75 }, { 1 }, { 1 } },
		  "more is");
}

static void check_machines(void)
{
	takes(0.75, (struct measured){ 4, 4, { 7, 8, 7, 8 }, { 2, 1, 1, 0 },
				      { 4, 4, 4, 4 }, { 1, 1, 1, 1 } },
		  "of two machines the one on which most was taken");
}

int main(void)
{
	check_one_machine();
	check_least();
	check_machines();
	return done_testing();
}
