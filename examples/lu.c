/* SPDX-License-Identifier: BSD-3-Clause */
/* lu.c - LU (NPB specification): a flow problem solved by sweeps that run as a pipeline. */

/*
 * Symmetric successive over-relaxation (SSOR) for the compressible Navier-Stokes equations on n^3
 * points. In the lower sweep a point needs those before it in directions i, j and k to
 * be finished, in the upper sweep those behind it. A grid of px x py processes divides i
 * and j, and each process has all k. So the sweeps are wavefronts: process (r, c) works on a
 * block of planes k while (r+1, c) and (r, c+1) work on the block before.
 *
 * With B blocks, D = px + py - 2 and d = r + c, an iteration is 2 (B + D) - 1 supersteps. For
 * b = 0 to B - 1, and otherwise nothing, process (r, c) does
 *
 *	in superstep		this					puts a face to
 *	d + b			residual, lower sweep of block b	(r+1, c), (r, c+1)
 *	2 D - d + B - 1 + b	upper sweep of block B - 1 - b, new U	(r-1, c), (r, c-1)
 *
 * The far corner ends its lower sweep and begins the upper in one superstep. A face
 * has all that its neighbour needs, of the sweep and of U: lu_exchange.c. After the last
 * iteration:
 *
 *	0	the last lower faces, all planes	(r+1, c), (r, c+1)
 *	1	residual, its norms			sums to process 0
 *	2	error norms, surface integral		sums to process 0
 *	3	process 0 verifies			-
 *
 * The number read depends on the puts of the superstep before. [..] is 1 if true, else 0; there is
 * one area for both lower and one for both upper faces, which is not read if n is 0:
 *
 *	area			n			inside, edge, corner of the process grid
 *	lower faces		[r > 0] + [c > 0]		2, 1 or 2, 0 to 2
 *	upper faces		[r < px-1] + [c < py-1]		2, 1 or 2, 0 to 2
 *	sums on process 0	p
 *
 * With barriers every superstep takes the latency of the network. Relaxed, a process goes
 * on as soon as its faces are there, and the latency counts only until the pipeline is full.
 *
 *	bspcc -O2 -o lu lu.c lu_*.c -lm
 *	./lu [-i ITERATIONS] [-k PLANES] [-t DT] [-e NUMBER] [CLASS]
 *
 * The flags -march=native -mprefer-vector-width=512 make it almost twice as fast on a processor
 * with AVX-512. bsprun --sync classic runs the same program with barriers.
 */
#include "lu.h"
#include <bsp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	NSUMS = 6,
	QUIET = 3,		/* seconds without a word, on long runs */
};

struct job {
	char class;
	int iterations;		/* 0: as the class says */
	int planes;		/* in a superstep; 0: to be chosen */
	double dt;		/* 0: as the class says */
	double disturbance;
};

static struct job job = { .class = 'S' };
static int exit_status;

/* ---- Supersteps --------------------------------------------------------------- */

static int planes_of(const struct lu *lu, int block)
{
	int left = lu->class->n - 2 - block * lu->planes;

	return left < lu->planes ? left : lu->planes;
}

static void work(struct lu *lu, enum lu_direction way, int block)
{
	int first = 1 + block * lu->planes, nplanes = planes_of(lu, block);

	lu_receive(lu, way, first, nplanes);
	lu_sweep(lu, way, first, nplanes);
	lu_send(lu, way, first, nplanes);
}

/* The far corner ends its lower sweep and begins the upper in the same superstep. */
static void iterate(struct lu *lu)
{
	int d = lu->r + lu->c, depth = lu->px + lu->py - 2, blocks = lu->blocks;

	for (int s = 0; s < 2 * (blocks + depth) - 1; s++) {
		int lower = s - d, upper = s - (blocks - 1 + 2 * depth - d);

		if (lower >= 0 && lower < blocks)
			work(lu, LOWER, lower);
		if (upper >= 0 && upper < blocks)
			work(lu, UPPER, blocks - 1 - upper);
		bsp_sync();
	}
}

/* The last residual needs U of the lower neighbours after the last upper sweep. */
static void exchange_all(struct lu *lu)
{
	int inner = lu->class->n - 2;

	lu_send(lu, LOWER, 1, inner);
	bsp_sync();
	lu_receive(lu, LOWER, 1, inner);
}

/* Adds up @mine of all processes, in their order, on process 0; @all has room for all. */
static void add_up(double *mine, double *all)
{
	size_t p = (size_t)bsp_nprocs(), size = NSUMS * sizeof *mine;

	bsp_put(0, mine, all, (bsp_size_t)((size_t)bsp_pid() * size), (bsp_size_t)size);
	bsp_sync();
	if (bsp_pid() != 0)
		return;
	bsp_read(all, (int)p);
	memset(mine, 0, size);
	for (size_t s = 0; s < p; s++)
		for (size_t v = 0; v < NSUMS; v++)
			mine[v] += all[s * NSUMS + v];
}

/* ---- Output --------------------------------------------------------------------- */

static void show_heading(const struct lu *lu)
{
	int n = lu->class->n;

	printf("LU (NPB specification), symmetric successive over-relaxation\n\n");
	printf("Class           %c\n", lu->class->name);
	printf("Size            %d x %d x %d\n", n, n, n);
	printf("Iterations      %d\n", lu->iterations);
	printf("Processes       %d, a grid of %d x %d\n", (int)bsp_nprocs(), lu->px, lu->py);
	printf("Planes          %d in a superstep\n", lu->planes);
	fflush(stdout);
}

/* In the time that the person waits, which is not bsp_time() on an emulated network. */
static void show_progress(const struct lu *lu, int iteration)
{
	static time_t spoke;
	time_t now = time(NULL);

	if (iteration == 0)
		spoke = now;
	if (bsp_pid() > 0 || now - spoke < QUIET)
		return;
	spoke = now;
	fprintf(stderr, "lu: %d of %d iterations done\n", iteration, lu->iterations);
}

/* Nominal: counts the operations of the benchmark's own program; this one needs fewer. */
static double million_operations(const struct lu *lu)
{
	double n = lu->class->n;

	return 1e-6 * lu->iterations *
	       (((1984.77 * n - 10923.3) * n + 27770.9) * n - 144010);
}

static void show_result(const struct lu *lu, const double value[LU_NVALUES], double seconds)
{
	int complete = lu->iterations == lu->class->iterations;
	int good = complete && lu_compare(lu, value);

	printf("\nTime in seconds %.4f\n", seconds);
	printf("Mop/s total     %.2f (nominal)\n", million_operations(lu) / seconds);
	if (complete)
		printf("Verification %s\n", good ? "SUCCESSFUL" : "FAILED");
	else
		printf("Verification NOT PERFORMED: the result is known after %d iterations\n",
		       lu->class->iterations);
	exit_status = complete && !good;
}

/* ---- The program -------------------------------------------------------------- */

/* Only process 0 has read the command line. */
static void broadcast_job(void)
{
	bsp_push_reg(&job, sizeof job);
	bsp_sync();
	for (bsp_pid_t q = 0; bsp_pid() == 0 && q < bsp_nprocs(); q++)
		bsp_put(q, &job, &job, 0, sizeof job);
	bsp_pop_reg(&job);
	bsp_sync();
}

static void open_job(struct lu *lu)
{
	const struct lu_class *class = lu_find_class(job.class);

	lu->iterations = job.iterations ? job.iterations : class->iterations;
	lu->dt = job.dt > 0 ? job.dt : class->dt;
	lu_open(lu, class, job.planes);
	lu_set_forcing(lu);
	lu_set_initial(lu);
	if (bsp_pid() == 0)
		show_heading(lu);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
}

/* One iteration that does not count touches all memory; a barrier, and all start at once. */
static void warm_up(struct lu *lu)
{
	iterate(lu);
	lu_set_initial(lu);
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
}

static void solve(struct lu *lu, double *all)
{
	double residual[NSUMS] = { 0 }, error[NSUMS], value[LU_NVALUES], began, seconds;
	double points = pow(lu->class->n - 2, 3);

	show_progress(lu, 0);
	began = bsp_time();
	for (int it = 1; it <= lu->iterations; it++) {
		iterate(lu);
		show_progress(lu, it);
	}
	if (bsp_pid() == 0)
		lu_row(lu, lu->u, 0, 1)[EN * lu->stride] += job.disturbance;
	exchange_all(lu);
	lu_sum_residual(lu, residual);
	add_up(residual, all);
	seconds = bsp_time() - began;

	lu_sum_error(lu, error);
	add_up(error, all);
	for (int m = 0; m < 5; m++) {
		value[m] = sqrt(residual[m] / points);
		value[5 + m] = sqrt(error[m] / points);
	}
	value[10] = error[5];
	if (bsp_pid() == 0)
		show_result(lu, value, seconds);
}

static void spmd(void)
{
	bsp_begin(bsp_nprocs());

	size_t size = (size_t)bsp_nprocs() * NSUMS * sizeof(double);
	double *all = malloc(size);
	struct lu lu;

	if (!all)
		bsp_abort("lu: no memory for %zu bytes", size);
	bsp_push_reg(all, (bsp_size_t)size);
	broadcast_job();
	open_job(&lu);
	warm_up(&lu);
	solve(&lu, all);
	lu_close(&lu);
	free(all);

	bsp_end();
}

/* ---- The command line ---------------------------------------------------------- */

static int is_count(const char *text, int *count)
{
	char *end;
	long number = strtol(text, &end, 10);

	*count = (int)number;
	return end != text && !*end && number >= 1 && number <= 1000000;
}

static int is_number(const char *text, double *number)
{
	char *end;

	*number = strtod(text, &end);
	return end != text && !*end;
}

static int is_option(char option, const char *text)
{
	switch (option) {
	case 'e':
		return is_number(text, &job.disturbance);
	case 'i':
		return is_count(text, &job.iterations);
	case 'k':
		return is_count(text, &job.planes);
	case 't':
		return is_number(text, &job.dt) && job.dt > 0 && job.dt <= 1000;
	default:
		return 0;
	}
}

static int read_arguments(int argc, char **argv)
{
	int a = 1;

	for (; a < argc && argv[a][0] == '-'; a += 2)
		if (strlen(argv[a]) != 2 || a + 1 == argc || !is_option(argv[a][1], argv[a + 1]))
			return 0;
	if (a < argc)
		job.class = strlen(argv[a]) == 1 ? argv[a][0] : 0;
	return a >= argc - 1;
}

int main(int argc, char **argv)
{
	bsp_init(spmd, argc, argv);

	if (!read_arguments(argc, argv)) {
		fprintf(stderr,
			"usage: lu [-i ITERATIONS] [-k PLANES] [-t DT] [-e NUMBER] [CLASS]\n"
			"runs LU (NPB specification) in class S (default), W, A, B or C\n"
			"  -i ITERATIONS  instead of the class's own; nothing is verified then\n"
			"  -k PLANES      in a superstep; default: 1 to 3, as suits the blocks\n"
			"  -t DT          time step, instead of the class's own\n"
			"  -e NUMBER      added to one value of U: verification must notice\n");
		return 2;
	}
	if (!lu_find_class(job.class)) {
		fprintf(stderr, "lu: there is no class '%s'; the classes are S, W, A, B and C\n",
			argv[argc - 1]);
		return 2;
	}
	spmd();
	return exit_status;
}
