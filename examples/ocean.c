/* SPDX-License-Identifier: BSD-3-Clause */
/* ocean.c - currents in a square basin: many short supersteps, nearly all with neighbours only. */

/*
 * After the Ocean of the SPLASH programs: two layers of water that the wind drives, on a grid of
 * n x n points, n = 2^k + 2; a step in time is eight hours and has two elliptic equations to be
 * solved. Shows what relaxed barriers are for: of some hundred supersteps in a step of time all
 * but a few exchange some hundred bytes with at most eight neighbours, and wait for these alone.
 *
 *	ocean_blocks.c	the division of the grid, and all puts and reads
 *	ocean_solver.c	red-black multigrid		(supersteps of a cycle)
 *	ocean_model.c	equations, one step in time	(supersteps of a step)
 *	ocean.c		the job around it:
 *
 * superstep	mode	puts					a read depends on
 *	0	classic	none; an area is registered		-
 *	1	classic	process 0: the job, to all		-
 *	2	relaxed	none; areas are registered		-
 *	3 ...	relaxed	ocean_model.c, ocean_solver.c		see there
 *	last 6	classic	two fields, to process 0, row by row	-
 *
 * One message to each neighbour in a superstep, and one bsp_read(): edges are packed. None
 * sends to all: maxima, sums and coarse grids go along the rows, then along the columns of the
 * grid of processes. The solver's test for the end needs all, and is in effect a barrier.
 *
 *	bspcc -O2 -o ocean ocean.c ocean_blocks.c ocean_solver.c ocean_model.c -ffp-contract=off -lm
 *	./ocean [-n POINTS] [-t STEPS] [-a CHANGE] [-s SKEWNESS] [-e NUMBER] [-q]
 *
 * bsprun --sync classic runs the same supersteps with barriers. At the end process 0 repeats
 * the computation alone, without any communication, and both must agree to the last bit.
 * -ffp-contract=off is for that: a multiplication and an addition that are made one in some
 * loops and not in others round differently.
 */
#include "ocean.h"

#include <bsp.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	QUIET = 3,		/* seconds without a word, on long runs */
};

struct job {
	int points;		/* in each direction, boundary included */
	int steps;
	double change, skewness, disturbance;
	int quick;
};

struct outcome {
	struct ocean_blocks blocks;
	long cycles;
	double seconds, ratio;
	double *psi[2];		/* of the whole basin */
};

/* On process 0. */
static struct job job = { .points = 258, .steps = 6, .change = 1e-7 };
static struct outcome outcome;

static int finest_level(int points)
{
	int l = 0;

	while ((1 << l) + 2 < points)
		l++;
	return l;
}

/* ---- The computation ----------------------------------------------------------- */

static void tell_progress(const struct job *j, int step, const char *what)
{
	static time_t spoke;
	time_t now = time(NULL);

	if (step == 0)
		spoke = now;
	if (now - spoke < QUIET)
		return;
	spoke = now;
	fprintf(stderr, "ocean: %s%d of %d steps done\n", what, step, j->steps);
}

/* An error made on purpose, of the last process. */
static void disturb(struct ocean *o, double number)
{
	if (o->blocks->me == o->blocks->nprocs - 1)
		o->layer[0].psi[ocean_at(o->fine, 1, 1)] += number;
}

static void run(struct ocean *o, const struct job *j, double disturbance, const char *what)
{
	for (int step = 0; step < j->steps; step++) {
		if (o->blocks->me == 0)
			tell_progress(j, step, what);
		if (step == j->steps / 2)
			disturb(o, disturbance);
		ocean_step(o);
	}
}

/* ---- In parallel ------------------------------------------------------------------ */

/* Process 0 knows the job, and sends it to all. */
static struct job share_job(void)
{
	struct job shared;

	bsp_push_reg(&shared, sizeof shared);
	bsp_sync();
	for (bsp_pid_t q = 0; bsp_pid() == 0 && q < bsp_nprocs(); q++)
		bsp_put(q, &job, &shared, 0, sizeof job);
	bsp_pop_reg(&shared);
	bsp_sync();
	return shared;
}

static void collect(struct ocean *o)
{
	size_t n = (size_t)o->fine->points + 2;

	for (int s = 0; s < 2; s++) {
		outcome.psi[s] = ocean_allocate(o->blocks->me ? 0 : n * n);
		ocean_collect(o->blocks, o->fine, o->layer[s].psi, outcome.psi[s]);
	}
}

static void spmd(void)
{
	struct ocean_blocks blocks;
	struct ocean ocean;
	struct job shared;
	double began;

	bsp_begin(bsp_nprocs());

	shared = share_job();
	ocean_blocks_divide(&blocks, finest_level(shared.points), (int)bsp_nprocs(),
			    (int)bsp_pid());
	ocean_blocks_open(&blocks);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();

	began = bsp_time();
	ocean_open(&ocean, &blocks, shared.change, shared.skewness);
	run(&ocean, &shared, shared.disturbance, "");
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	outcome = (struct outcome){ .seconds = bsp_time() - began, .ratio = ocean.ratio,
				    .blocks = blocks, .cycles = ocean.solver.cycles };
	collect(&ocean);
	ocean_close(&ocean);
	ocean_blocks_close(&blocks);

	bsp_end();
}

/* ---- The report, by process 0 alone --------------------------------------------- */

static void show(const struct ocean_summary *s)
{
	const struct ocean_blocks *b = &outcome.blocks;

	printf("Ocean: two layers of water in a square basin, driven by wind\n\n");
	printf("Size            %d x %d\n", job.points, job.points);
	printf("Time steps      %d (%.2f days)\n", job.steps, job.steps / 3.0);
	printf("Change          %g at most, skewness of the wind %g\n", job.change, job.skewness);
	printf("Processes       %d (%d x %d)\n\n", b->nprocs, b->rows, b->cols);
	printf("Largest |psi|   %.9e %.9e\n", s->largest[0], s->largest[1]);
	printf("Energy          %.9e\n", s->energy);
	printf("psi at n / 4    %.9e %.9e\n", s->quarter[0], s->quarter[1]);
	printf("psi at 0        %.9e\n", s->boundary);
	printf("Volume ratio    %.9e\n", outcome.ratio);
	printf("Checksum        %016llx\n\n", s->checksum);
	printf("Supersteps      %ld, %ld cycles of the solver\n", b->supersteps, outcome.cycles);
	printf("Time in seconds %.4f\n", outcome.seconds);
	fflush(stdout);
}

/* How many numbers differ, and by how much at most. */
static long compare(const double *seen, const double *wanted, size_t n, double *difference)
{
	long differ = 0;

	for (size_t k = 0; k < n; k++) {
		if (memcmp(&seen[k], &wanted[k], sizeof *seen) == 0)
			continue;
		differ++;
		if (!(fabs(seen[k] - wanted[k]) <= *difference))
			*difference = fabs(seen[k] - wanted[k]);
	}
	return differ;
}

/* Computes all of it once more. The only block's field, with its ring, is the whole basin. */
static int equals_serial_run(void)
{
	size_t points = (size_t)job.points * (size_t)job.points;
	struct ocean_blocks blocks;
	struct ocean ocean;
	double difference = 0;
	long differ = 0;

	ocean_blocks_divide(&blocks, finest_level(job.points), 1, 0);
	ocean_open(&ocean, &blocks, job.change, job.skewness);
	run(&ocean, &job, 0, "serial run: ");
	for (int s = 0; s < 2; s++)
		differ += compare(outcome.psi[s], ocean.layer[s].psi, points, &difference);
	ocean_close(&ocean);
	if (differ > 0)
		printf("Serial run      %ld of %zu values differ, by %g at most\n", differ,
		       2 * points, difference);
	else
		printf("Serial run      the same to the last bit\n");
	return differ == 0;
}

/* Returns the exit status. */
static int report(void)
{
	struct ocean_summary summary;
	int good;

	ocean_summarize(outcome.psi, job.points, &summary);
	show(&summary);
	printf("Volume drift    %.1e\n", summary.drift);
	good = summary.drift <= 1e-12;		/* not if that is not a number */
	if (!job.quick)
		good &= equals_serial_run();
	printf("Verification %s\n", !good ? "FAILED" : job.quick ? "NOT PERFORMED" : "SUCCESSFUL");
	free(outcome.psi[0]);
	free(outcome.psi[1]);
	return !good;
}

/* ---- The command line -------------------------------------------------------------- */

static int read_count(const char *text, int *number)
{
	char *end;
	long n = isdigit((unsigned char)text[0]) ? strtol(text, &end, 10) : 0;

	if (n < 1 || n > INT_MAX || *end)
		return -1;
	*number = (int)n;
	return 0;
}

static int read_number(const char *text, double *number)
{
	char *end;

	*number = strtod(text, &end);
	return end == text || *end || !isfinite(*number) ? -1 : 0;
}

static int read_points(const char *text)
{
	int l;

	if (read_count(text, &job.points))
		return -1;
	l = job.points <= (1 << OCEAN_MAX_LEVEL) + 2 ? finest_level(job.points) : 0;
	if (l >= OCEAN_MIN_LEVEL && job.points == (1 << l) + 2)
		return 0;
	fprintf(stderr, "ocean: -n %s: the grid has 2^k + 2 points in each direction: 6, 10, 18, "
			"34, 66, 130, 258, 514, 1026, ... %d\n", text, (1 << OCEAN_MAX_LEVEL) + 2);
	return -1;
}

static int read_change(const char *text)
{
	if (read_number(text, &job.change) == 0 && job.change > 0)
		return 0;
	fprintf(stderr, "ocean: -a %s: the change that ends the solver is a number above 0\n",
		text);
	return -1;
}

static int read_option(char option, const char *text)
{
	switch (option) {
	case 'n':
		return read_points(text);
	case 't':
		return read_count(text, &job.steps);
	case 'a':
		return read_change(text);
	case 's':
		return read_number(text, &job.skewness);
	case 'e':
		return read_number(text, &job.disturbance);
	}
	return -1;
}

static int read_arguments(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-q") == 0) {
			job.quick = 1;
			continue;
		}
		if (argv[i][0] != '-' || strlen(argv[i]) != 2 || i + 1 == argc ||
		    read_option(argv[i][1], argv[i + 1]))
			return -1;
		i++;
	}
	return 0;
}

int main(int argc, char **argv)
{
	bsp_init(spmd, argc, argv);

	if (read_arguments(argc, argv)) {
		fprintf(stderr,
			"usage: ocean [-n POINTS] [-t STEPS] [-a CHANGE] [-s SKEWNESS] [-e NUMBER] "
			"[-q]\n"
			"  -n POINTS    of the grid in each direction, 2^k + 2; default 258\n"
			"  -t STEPS     of eight hours; default 6\n"
			"  -a CHANGE    by one more relaxation that ends the solver; default 1e-7\n"
			"  -s SKEWNESS  of the wind; default 0\n"
			"  -e NUMBER    added to one value half way: verification must notice\n"
			"  -q           no serial run to compare with: no verification\n");
		return 2;
	}
	spmd();
	return report();
}
