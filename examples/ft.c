/* SPDX-License-Identifier: BSD-3-Clause */
/* ft.c - FT (NPB specification): diffusion in three dimensions by Fourier transforms. */

/*
 * Shows a program that runs with barriers or with relaxed ones, and how it is laid
 * out so that communication goes on while all compute. The spectrum of the initial
 * values is found once; iteration t multiplies it by the factors of time t, transforms
 * back, and adds up some points of the solution.
 *
 * The box is cut into planes of fixed z (initial values, solution) or of fixed y (spectrum),
 * see ft.h. From one to the other all p processes exchange blocks. Iterations do not
 * depend on each other, so those of even and odd t have a receive buffer each, and
 * the next is begun before the last is finished:
 *
 * supersteps	computes				puts		depends on
 *	B	forward y, x				blocks		-
 *	B'	forward z; begin 1: inverse z, x	blocks		n blocks
 *	B'	begin t; finish t - 1: inverse y	blocks		n blocks, for finish
 *	1	finish T				checksums	n blocks
 *	1	process 0 verifies			-		p - 1 checksums
 *
 * T is the number of iterations, and t goes from 2 to T. The plain form (-s) finishes each
 * before it begins the next, and sends its checksum to process 0 at once:
 *
 *	B'	begin t (t = 1: after forward z)	blocks		1, t = 1: n blocks
 *	1	finish t: inverse y			a checksum	n blocks
 *
 * and process 0 depends on p - 1 checksums when it has begun the next.
 *
 * Two of the three inverse transforms come before the put, and one after: so there is more to
 * do while blocks are on their way, also for those of the same iteration.
 *
 * Blocks are put as soon as their plane has been transformed, or small ones several at
 * a time; n is p - 1 times the number of puts to one process. The superstep ends B times forward
 * and B' times inverse: relaxed, that costs next to nothing, and the puts are sent. The puts are
 * unbuffered: the buffer that they come from is not touched again in the superstep, nor
 * is the one that they go to, but for the process's own blocks, which it writes itself.
 *
 *	bspcc -O2 -o ft ft.c ft_setup.c ft_class.c ft_fft.c -lfftw3 -lm
 *	./ft [-c] [-s] [-o] [-b PUTS] [-k STEPS] [-e NUMBER] [CLASS]
 *
 * The blocks of a plane go to the processes after this one first, so that all receive at once; with
 * -o they go to 0, 1, 2, ... on every process, as in a program that was converted from others: then
 * all send to process 0 first, and that one is busy.
 *
 * The number of processes must divide ny and nz of the class. bsprun --sync classic runs the
 * same program with barriers.
 */
#include "ft.h"

#include <bsp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	WARM_UPS = 3,		/* of each receive buffer */
	QUIET = 3,		/* seconds without a word, on long runs */
};

/* The command line, on process 0. */
static struct ft_options options = { .class = 'S' };
static int exit_status;

/* ---- Transpositions -------------------------------------------------------- */

/* The puts that a process receives from all others in a transposition. */
static int all_puts(const struct ft_exchange *e)
{
	return ((int)bsp_nprocs() - 1) * ft_puts(e);
}

/* Where the block of an own plane lies at its receiver. */
static size_t place_of(const struct ft_exchange *e, int plane)
{
	return ((size_t)bsp_pid() * e->planes + plane) * e->stride;
}

/* Blocks of planes up to @last, for the @k-th process after this one. */
static void put_blocks(const struct ft *ft, const struct ft_exchange *e, int buffer, int k,
		       int last)
{
	bsp_pid_t q = (bsp_pid_t)(((int)bsp_pid() + k) % (int)bsp_nprocs());
	int first = last / e->per_put * e->per_put;
	const double complex *from = &ft->send[((size_t)(k - 1) * e->planes + first) * e->stride];
	size_t points = (last - first) * e->stride + (size_t)e->rows * ft->class->nx;

	bsp_hpput(q, from, ft->receive[buffer],
		  (bsp_size_t)(place_of(e, first) * sizeof *from),
		  (bsp_size_t)(points * sizeof *from));
}

/* Puts are sent when the superstep ends. The last one overlaps with other work. */
static void end_group(const struct ft_exchange *e, int plane)
{
	if ((plane + 1) % e->per_step == 0 && plane + 1 < e->planes)
		bsp_sync();
}

/* The @i-th process to which this one sends, from 1 on, is so many after this one. */
static int distance_of(const struct ft *ft, int i)
{
	int p = (int)bsp_nprocs(), me = (int)bsp_pid();

	return !ft->options.ordered ? i : i <= me ? p - me + i - 1 : i - me;
}

/* The last transform of a plane takes its blocks to where they are wanted. */
static void send_plane(const struct ft *ft, const struct ft_exchange *e, int buffer, int plane)
{
	int p = (int)bsp_nprocs(), me = (int)bsp_pid();
	bool full = (plane + 1) % e->per_put == 0 || plane + 1 == e->planes;

	for (int i = 1; i < p; i++) {
		int k = distance_of(ft, i);
		double complex *to = &ft->send[((size_t)(k - 1) * e->planes + plane) * e->stride];

		ft_transform_block(&ft->slab, e, (me + k) % p, to);
		if (full)
			put_blocks(ft, e, buffer, k, plane);
	}
	ft_transform_block(&ft->slab, e, me, &ft->receive[buffer][place_of(e, plane)]);
}

/* ---- The parts of an iteration --------------------------------------------- */

/* Forward in y and x, and send. */
static void begin_spectrum(struct ft *ft, int buffer)
{
	const struct ft_exchange *e = &ft->slab.forward;

	for (int z = 0; z < e->planes; z++) {
		ft_initial_plane(&ft->slab, z);
		send_plane(ft, e, buffer, z);
		end_group(e, z);
	}
}

/* Inverse in z and x, and send. Before the first, each plane of the spectrum is finished. */
static void begin_iteration(struct ft *ft, int t)
{
	const struct ft_exchange *e = &ft->slab.inverse;

	if (t == 1)
		bsp_read(ft->receive[0], all_puts(&ft->slab.forward));
	ft_set_decay(&ft->slab, t);
	for (int y = 0; y < e->planes; y++) {
		if (t == 1)
			ft_spectrum_plane(&ft->slab, ft->receive[0], y);
		ft_evolved_plane(&ft->slab, y);
		send_plane(ft, e, t % 2, y);
		end_group(e, y);
	}
}

/* Receive, inverse in y. */
static void finish_iteration(struct ft *ft, int t)
{
	double complex *blocks = ft->receive[t % 2];

	bsp_read(blocks, all_puts(&ft->slab.inverse));
	ft_solution(&ft->slab, blocks);
	ft->checksum[t - 1] = ft_checksum(&ft->slab, blocks);
}

/* Process 0 gets to know the own parts of checksums from iteration @t on. */
static void put_checksums(struct ft *ft, int t, int count)
{
	size_t place = (size_t)bsp_pid() * ft->class->niter + t - 1;

	if (bsp_pid() == 0)
		memcpy(&ft->checksums[place], &ft->checksum[t - 1], count * sizeof *ft->checksum);
	else
		bsp_put(0, &ft->checksum[t - 1], ft->checksums,
			(bsp_size_t)(place * sizeof *ft->checksum),
			(bsp_size_t)(count * sizeof *ft->checksum));
}

/* Process 0 adds up those from iteration @t on. */
static void add_checksums(struct ft *ft, int t, int count)
{
	int p = (int)bsp_nprocs(), niter = ft->class->niter;

	if (bsp_pid() > 0)
		return;
	bsp_read(ft->checksums, p - 1);
	for (int i = t - 1; i < t - 1 + count; i++)
		for (int q = 1; q < p; q++)
			ft->checksum[i] += ft->checksums[q * niter + i];
}

static void show_progress(struct ft *ft, int t)
{
	time_t now = time(NULL);

	if (bsp_pid() > 0 || now - ft->spoke < QUIET)
		return;
	ft->spoke = now;
	fprintf(stderr, "ft: %d of %d iterations done\n", t, ft->class->niter);
}

/* ---- The two forms ---------------------------------------------------------- */

static void iterate_pipelined(struct ft *ft)
{
	int niter = ft->class->niter;

	for (int t = 1; t <= niter; t++) {
		begin_iteration(ft, t);
		if (t > 1)
			finish_iteration(ft, t - 1);
		show_progress(ft, t - 1);
		bsp_sync();
	}
	finish_iteration(ft, niter);
	put_checksums(ft, 1, niter);
	bsp_sync();
	add_checksums(ft, 1, niter);
}

static void iterate_plain(struct ft *ft)
{
	int niter = ft->class->niter;

	for (int t = 1; t <= niter; t++) {
		begin_iteration(ft, t);
		if (t > 1)
			add_checksums(ft, t - 1, 1);
		bsp_sync();
		finish_iteration(ft, t);
		put_checksums(ft, t, 1);
		show_progress(ft, t);
		bsp_sync();
	}
	add_checksums(ft, niter, 1);
}

/*
 * All memory is used before the clock starts, which then does not see it being handed out;
 * and unbuffered puts take the fast way to an area only when some have gone before.
 */
static void warm_up(struct ft *ft)
{
	int n = all_puts(&ft->slab.forward);

	for (int i = 0; i < 2 * WARM_UPS; i++) {
		begin_spectrum(ft, i % 2);
		if (i > 0)
			bsp_read(ft->receive[(i - 1) % 2], n);
		bsp_sync();
	}
	bsp_read(ft->receive[1], n);
	for (int y = 0; y < ft->slab.inverse.planes; y++)
		ft_spectrum_plane(&ft->slab, ft->receive[1], y);
}

/* A barrier; supersteps from here on are relaxed. */
static void begin_relaxed(void)
{
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
}

/* Returns the seconds from the initial values to the last checksum. */
static double run(struct ft *ft)
{
	double began;

	begin_relaxed();
	began = bsp_time();
	begin_spectrum(ft, 0);
	bsp_sync();
	if (ft->options.plain)
		iterate_plain(ft);
	else
		iterate_pipelined(ft);
	return bsp_time() - began;
}

/* ---- The report -------------------------------------------------------------- */

static void show_job(const struct ft *ft)
{
	const struct ft_class *c = ft->class;

	printf("FT (NPB specification), 3-D fast Fourier transform, %s form\n\n",
	       ft->options.plain ? "plain" : "pipelined");
	printf("Class           %c\n", c->name);
	printf("Size            %d x %d x %d\n", c->nx, c->ny, c->nz);
	printf("Iterations      %d\n", c->niter);
	printf("Processes       %d\n", (int)bsp_nprocs());
	printf("Puts            %d and %d to each process, forward and inverse\n",
	       ft_puts(&ft->slab.forward), ft_puts(&ft->slab.inverse));
	fflush(stdout);
}

static void report(const struct ft *ft, double seconds)
{
	const struct ft_class *c = ft->class;
	double error = ft_error(c, ft->checksum);

	printf("\n");
	for (int t = 1; t <= c->niter; t++)
		printf("t = %2d  checksum = %.12e %.12e\n", t, creal(ft->checksum[t - 1]),
		       cimag(ft->checksum[t - 1]));
	printf("\nTime in seconds %.4f (transforms were planned before)\n", seconds);
	printf("Mop/s total     %.2f\n", ft_mop(c) / seconds);
	printf("Largest error   %.2e\n", error);
	printf("Verification %s\n", ft_verified(error) ? "SUCCESSFUL" : "FAILED");
	exit_status = !ft_verified(error);
}

/* ---- The program ------------------------------------------------------------- */

static void spmd(void)
{
	bsp_begin(bsp_nprocs());

	struct ft ft = { .spoke = time(NULL) };
	double seconds;

	ft_open(&ft, &options);
	if (bsp_pid() == 0)
		show_job(&ft);
	ft_plan(&ft);
	begin_relaxed();
	if (!ft.options.cold)
		warm_up(&ft);
	seconds = run(&ft);
	if (bsp_pid() == 0)
		report(&ft, seconds);
	ft_close(&ft);

	bsp_end();
}

static bool read_count(const char *text, int *count)
{
	char *end;
	long number = strtol(text, &end, 10);

	*count = (int)number;
	return end != text && !*end && number > 0 && number <= INT_MAX;
}

static bool read_number(const char *text, double *number)
{
	char *end;

	*number = strtod(text, &end);
	return end != text && !*end;
}

static bool read_class(const char *text)
{
	if (ft_class_find(text[0]) && !text[1]) {
		options.class = text[0];
		return true;
	}
	fprintf(stderr, "ft: there is no class '%s'; the classes are S, W, A, B and C\n", text);
	return false;
}

static bool read_arguments(int argc, char **argv)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "-c") == 0)
			options.cold = 1;
		else if (strcmp(argv[i], "-s") == 0)
			options.plain = 1;
		else if (strcmp(argv[i], "-o") == 0)
			options.ordered = 1;
		else if (strcmp(argv[i], "-b") == 0 && i + 1 < argc) {
			if (!read_count(argv[++i], &options.puts))
				return false;
		} else if (strcmp(argv[i], "-k") == 0 && i + 1 < argc) {
			if (!read_count(argv[++i], &options.steps))
				return false;
		} else if (strcmp(argv[i], "-e") == 0 && i + 1 < argc) {
			if (!read_number(argv[++i], &options.disturbance))
				return false;
		} else
			return false;
	}
	return i == argc || (i + 1 == argc && read_class(argv[i]));
}

int main(int argc, char **argv)
{
	bsp_init(spmd, argc, argv);

	if (!read_arguments(argc, argv)) {
		fprintf(stderr,
			"usage: ft [-c] [-s] [-o] [-b PUTS] [-k STEPS] [-e NUMBER] [CLASS]\n"
			"runs FT (NPB specification) in class S (default), W, A, B or C\n"
			"  -c         cold: no warm-up; a report of the run would count it\n"
			"  -s         plain form: finish an iteration before beginning the next\n"
			"  -o         put to 0, 1, 2, ... on all processes, not to the next first\n"
			"  -b PUTS    to each process in a transposition; default: of 8 KiB up\n"
			"  -k STEPS   supersteps of a transposition, at most; default 8\n"
			"  -e NUMBER  added to the first initial value: must not verify\n");
		return 2;
	}
	ft_learn(&options);
	spmd();
	return exit_status;
}
