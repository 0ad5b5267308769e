/* SPDX-License-Identifier: BSD-3-Clause */
/* bsprows.c - the rows of the benchmark as a BSP program, run by bspbench. */

#include "bench.h"

#include <bsp_coll.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum op { PUT, HPPUT, GET, HPGET };
enum coll { GATHERV, SCATTERV, ALLGATHERV, EXCHANGEV, REDUCE_SCATTER, BCAST, ALLREDUCE, EXCHANGE };

static struct bench_area *area;

/* Areas that the row at hand transfers: one block for each process. */
static char *from;
static char *to;
static int me;
static int nprocs;

static void bsprows_barrier(void)
{
	bsp_sync();
}

static int bsprows_neighbour(void)
{
	return (me + 1) % nprocs;
}

/* ---- Rows ----------------------------------------------------------------- */

static void open_areas(size_t nbytes)
{
	from = malloc(nbytes);
	to = malloc(nbytes);
	if (from == NULL || to == NULL)
		bsp_abort("bsprows: no memory");
	memset(from, me, nbytes);
	memset(to, me, nbytes);
	bsp_push_reg(from, (bsp_size_t)nbytes);
	bsp_push_reg(to, (bsp_size_t)nbytes);
	bsp_sync();
}

static void open_items(const struct bench_row *row)
{
	open_areas(row->nbytes * BENCH_ITEMS);
}

static void open_blocks(const struct bench_row *row)
{
	open_areas(row->nbytes * (size_t)nprocs);
}

static void open_vector(const struct bench_row *row)
{
	open_areas(row->nbytes);
}

static void close_areas(const struct bench_row *row)
{
	(void)row;
	bsp_pop_reg(from);
	bsp_pop_reg(to);
	bsp_sync();
	free(from);
	free(to);
}

static void bsprows_move(enum op op, int pid, char *src, char *dst, size_t src_at, size_t dst_at,
			 size_t n)
{
	switch (op) {
	case PUT:
		bsp_put(pid, src + src_at, dst, (bsp_size_t)dst_at, (bsp_size_t)n);
		break;
	case HPPUT:
		bsp_hpput(pid, src + src_at, dst, (bsp_size_t)dst_at, (bsp_size_t)n);
		break;
	case GET:
		bsp_get(pid, src, (bsp_size_t)src_at, dst + dst_at, (bsp_size_t)n);
		break;
	case HPGET:
		bsp_hpget(pid, src, (bsp_size_t)src_at, dst + dst_at, (bsp_size_t)n);
		break;
	}
}

static void run_sync(const struct bench_row *row, long supersteps)
{
	(void)row;
	for (long s = 0; s < supersteps; s++)
		bsp_sync();
}

static void bsprows_run_single(const struct bench_row *row, long supersteps)
{
	for (long s = 0; s < supersteps; s++) {
		bsprows_move((enum op)row->kind, bsprows_neighbour(), from, to, 0, 0, row->nbytes);
		bsp_sync();
	}
}

/* On a ring. Outside of it bsp_sync waits for all: the rows count on that. */
static void bsprows_run_listed(const struct bench_row *row, long supersteps)
{
	int pids[2] = { (me + nprocs - 1) % nprocs, bsprows_neighbour() };

	bsp_set_neighbors(2, pids);
	bsp_sync();
	bsprows_run_single(row, supersteps);
	bsp_set_neighbors(BSP_ALL, NULL);
	bsp_sync();
}

static void bsprows_run_items(const struct bench_row *row, long supersteps)
{
	int pid = bsprows_neighbour();
	size_t offset[BENCH_ITEMS];

	for (int i = 0; i < BENCH_ITEMS; i++)
		offset[i] = (size_t)bench_scattered(i) * row->nbytes;
	for (long s = 0; s < supersteps; s++) {
		if (row->kind == PUT)
			for (int i = 0; i < BENCH_ITEMS; i++)
				bsp_put(pid, from + offset[i], to, (bsp_size_t)offset[i],
					(bsp_size_t)row->nbytes);
		else
			for (int i = 0; i < BENCH_ITEMS; i++)
				bsp_get(pid, from, (bsp_size_t)offset[i], to + offset[i],
					(bsp_size_t)row->nbytes);
		bsp_sync();
	}
}

static void bsprows_run_messages(const struct bench_row *row, long supersteps)
{
	int pid = bsprows_neighbour();

	for (long s = 0; s < supersteps; s++) {
		for (int i = 0; i < BENCH_ITEMS; i++)
			bsp_send(pid, NULL, from + (size_t)i * row->nbytes,
				 (bsp_size_t)row->nbytes);
		bsp_sync();
		for (int i = 0; i < BENCH_ITEMS; i++)
			bsp_move(to + (size_t)i * row->nbytes, (bsp_size_t)row->nbytes);
	}
}

static void run_push_pop(const struct bench_row *row, long supersteps)
{
	static char place[8];

	(void)row;
	for (long s = 0; s < supersteps; s++) {
		bsp_push_reg(place, sizeof place);
		bsp_sync();
		bsp_pop_reg(place);
		bsp_sync();
	}
}

/* Begins with the next process, so that not all go to the same one at first. */
static void bsprows_run_exchange(const struct bench_row *row, long supersteps)
{
	size_t n = row->nbytes;

	for (long s = 0; s < supersteps; s++) {
		for (int k = 1; k < nprocs; k++) {
			int pid = (me + k) % nprocs;
			bool reads = row->kind == GET || row->kind == HPGET;
			size_t src = (size_t)(reads ? me : pid) * n;
			size_t dst = (size_t)(reads ? pid : me) * n;

			bsprows_move((enum op)row->kind, pid, from, to, src, dst, n);
		}
		bsp_sync();
	}
}

/* The frame's barrier is a bsp_sync, so each batch begins and ends with a classic one. */
static void bsprows_run_relaxed(const struct bench_row *row, long supersteps)
{
	int pid = bsprows_neighbour();

	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	for (long s = 0; s < supersteps; s++) {
		bsp_put(pid, from, to, 0, (bsp_size_t)row->nbytes);
		bsp_sync();
		bsp_read(to, 1);
	}
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
}

static void run_relaxed_exchange(const struct bench_row *row, long supersteps)
{
	size_t n = row->nbytes;

	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	for (long s = 0; s < supersteps; s++) {
		for (int k = 1; k < nprocs; k++) {
			int pid = (me + k) % nprocs;

			bsprows_move((enum op)row->kind, pid, from, to, (size_t)pid * n,
				     (size_t)me * n, n);
		}
		bsp_sync();
		bsp_read(to, nprocs - 1);
	}
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
}

/* Process q has, or gets, 1, 2 or 3 halves of @nbytes in turn. */
static size_t bsprows_length(const struct bench_row *row, int q)
{
	return row->nbytes / 2 * (size_t)(1 + q % 3);
}

static void open_lengths(const struct bench_row *row)
{
	open_areas(row->nbytes * 2 * (size_t)nprocs);
}

/* Lengths depend on the sender, or in a scatter on the receiver. */
static void bsprows_collect(const struct bench_row *row, const size_t *in, const size_t *out)
{
	size_t mine = bsprows_length(row, me);

	switch ((enum coll)row->kind) {
	case GATHERV:
		bsp_gatherv(0, from, mine, to, in, NULL);
		break;
	case SCATTERV:
		bsp_scatterv(0, from, in, NULL, to, mine);
		break;
	case ALLGATHERV:
		bsp_allgatherv(from, mine, to, in, NULL);
		break;
	case EXCHANGEV:
		bsp_exchangev(from, out, NULL, to, in, NULL);
		break;
	default:
		bsp_reduce_scatter(BSP_SUM, BSP_INT8, from, to, in);
	}
}

static void bsprows_run_lengths(const struct bench_row *row, long supersteps)
{
	size_t in[BENCH_MOST_PROCS], out[BENCH_MOST_PROCS];

	for (int q = 0; q < nprocs; q++) {
		in[q] = bsprows_length(row, q);
		out[q] = bsprows_length(row, me);
	}
	for (long s = 0; s < supersteps; s++)
		bsprows_collect(row, in, out);
}

/*
 * A root may be done before others have begun, so a batch ends with a superstep, as that of
 * mpibench.c with a barrier.
 */
static void bsprows_run_uniform(const struct bench_row *row, long supersteps)
{
	for (long s = 0; s < supersteps; s++) {
		if (row->kind == BCAST)
			bsp_bcast(0, from, to, row->nbytes);
		else if (row->kind == ALLREDUCE)
			bsp_allreduce(BSP_SUM, BSP_DOUBLE, from, to, row->nbytes / sizeof(double));
		else
			bsp_exchange(from, to, row->nbytes);
	}
	bsp_sync();
}

/* A ring that is closed. */
static void bsprows_run_neighbors(const struct bench_row *row, long supersteps)
{
	int pids[2] = { (me + nprocs - 1) % nprocs, bsprows_neighbour() };

	for (long s = 0; s < supersteps; s++)
		bsp_neighbor_exchange(2, pids, from, to, row->nbytes);
}

static void bsprows_run_compute(const struct bench_row *row, long supersteps)
{
	(void)row;
	for (long s = 0; s < supersteps; s++) {
		bench_work(area);
		bsp_sync();
	}
}

/* The same work in one superstep. */
static void bsprows_run_compute_alone(const struct bench_row *row, long supersteps)
{
	(void)row;
	for (long s = 0; s < supersteps; s++)
		bench_work(area);
	bsp_sync();
}

static void run_dot(const struct bench_row *row, long supersteps)
{
	(void)row;
	for (long s = 0; s < supersteps; s++)
		bench_dot();
	bsp_sync();
}

#define SINGLE .run = bsprows_run_single, .open = open_blocks, .close = close_areas, .nbytes = 8
#define ITEMS .run = bsprows_run_items, .open = open_items, .close = close_areas, .nbytes = 8, \
	.copied = 8 * BENCH_ITEMS
#define EXCHANGE(n) .run = bsprows_run_exchange, .open = open_blocks, .close = close_areas, \
	.nbytes = (n), .copied = (n)
#define RELAXED(n) .run = run_relaxed_exchange, .open = open_blocks, .close = close_areas, \
	.nbytes = (n), .copied = (n)

#define LENGTHS .run = bsprows_run_lengths, .open = open_lengths, .close = close_areas, \
	.nbytes = 1 << 10

#define UNIFORM(n, how) .run = bsprows_run_uniform, .open = (how), .close = close_areas, \
	.nbytes = (n)

static const struct bench_row rows[] = {
	{ .name = "sync", .run = run_sync },
	{ .name = "put-8", SINGLE, .kind = PUT },
	{ .name = "listed-put-8",
	  .run = bsprows_run_listed,
	  .reference = bsprows_run_single,
	  .open = open_blocks,
	  .close = close_areas,
	  .nbytes = 8,
	  .least = 200,
	  .kind = PUT },
	{ .name = "hpput-8", SINGLE, .kind = HPPUT },
	{ .name = "get-8", SINGLE, .kind = GET },
	{ .name = "puts-1000", ITEMS, .kind = PUT },
	{ .name = "gets-1000", ITEMS, .kind = GET },
	{ .name = "messages-1000",
	  .run = bsprows_run_messages,
	  .open = open_items,
	  .close = close_areas,
	  .nbytes = 8,
	  .copied = 8 * BENCH_ITEMS },
	{ .name = "push-pop", .run = run_push_pop },
	{ .name = "exchange-put-64", EXCHANGE(64), .kind = PUT },
	{ .name = "exchange-put-1K", EXCHANGE(1 << 10), .kind = PUT },
	{ .name = "exchange-put-64K", EXCHANGE(64 << 10), .kind = PUT },
	{ .name = "exchange-put-1M", EXCHANGE(1 << 20), .kind = PUT },
	{ .name = "exchange-put-8M", EXCHANGE(8 << 20), .kind = PUT },
	{ .name = "exchange-hpput-64", EXCHANGE(64), .kind = HPPUT },
	{ .name = "exchange-hpput-1K", EXCHANGE(1 << 10), .kind = HPPUT },
	{ .name = "exchange-hpput-64K", EXCHANGE(64 << 10), .kind = HPPUT },
	{ .name = "exchange-hpput-1M", EXCHANGE(1 << 20), .kind = HPPUT },
	{ .name = "exchange-hpput-8M", EXCHANGE(8 << 20), .kind = HPPUT },
	{ .name = "exchange-get-64", EXCHANGE(64), .kind = GET },
	{ .name = "exchange-get-1K", EXCHANGE(1 << 10), .kind = GET },
	{ .name = "exchange-get-64K", EXCHANGE(64 << 10), .kind = GET },
	{ .name = "exchange-get-1M", EXCHANGE(1 << 20), .kind = GET },
	{ .name = "exchange-get-8M", EXCHANGE(8 << 20), .kind = GET },
	{ .name = "relaxed-8",
	  .run = bsprows_run_relaxed,
	  .open = open_blocks,
	  .close = close_areas,
	  .nbytes = 8 },
	{ .name = "relaxed-put-64", RELAXED(64), .kind = PUT },
	{ .name = "relaxed-put-1K", RELAXED(1 << 10), .kind = PUT },
	{ .name = "relaxed-put-64K", RELAXED(64 << 10), .kind = PUT },
	{ .name = "relaxed-put-1M", RELAXED(1 << 20), .kind = PUT },
	{ .name = "relaxed-hpput-1M", RELAXED(1 << 20), .kind = HPPUT },
	{ .name = "bcast-1M", UNIFORM(1 << 20, open_vector), .kind = BCAST },
	{ .name = "allreduce-8", UNIFORM(8, open_vector), .kind = ALLREDUCE },
	{ .name = "allreduce-64K", UNIFORM(64 << 10, open_vector), .kind = ALLREDUCE },
	{ .name = "exchange-1K", UNIFORM(1 << 10, open_blocks), .kind = EXCHANGE },
	{ .name = "gatherv-1K", LENGTHS, .kind = GATHERV },
	{ .name = "scatterv-1K", LENGTHS, .kind = SCATTERV },
	{ .name = "allgatherv-1K", LENGTHS, .kind = ALLGATHERV },
	{ .name = "exchangev-1K", LENGTHS, .kind = EXCHANGEV },
	{ .name = "reduce-scatter-1K", LENGTHS, .kind = REDUCE_SCATTER },
	{ .name = "neighbors-1K",
	  .run = bsprows_run_neighbors,
	  .open = open_lengths,
	  .close = close_areas,
	  .nbytes = 1 << 10 },
	{ .name = "compute",
	  .run = bsprows_run_compute,
	  .reference = bsprows_run_compute_alone,
	  .least = 60 },
	{ .name = "dot", .run = run_dot },
	{ .name = NULL }
};

/* ---- The job -------------------------------------------------------------- */

static int bsprows_usage(void)
{
	fprintf(stderr, "usage: bsprows AREA|- BATCH_US TRIES CORES exit|none|where|memory|ROW...\n"
		"bspbench runs this; AREA - is for a run by hand\nrows:");
	for (const struct bench_row *row = rows; row->name != NULL; row++)
		fprintf(stderr, " %s", row->name);
	fprintf(stderr, "\n");
	return 2;
}

/* The process that started the others lives on beside them, and is counted too. */
static void tell_memory(struct bench_job *job, long original, long before)
{
	long supervisor = 0;

	for (int i = 0; i < 10; i++)
		bsp_sync();
	if (original != (long)getpid())
		supervisor = bench_memory(original);
	bench_tell_memory(job, 0, supervisor - before);
}

static int bsprows_work(struct bench_job *job, int nnames, char **names, long original, long before)
{
	if (strcmp(names[0], "none") == 0)
		return 0;
	if (strcmp(names[0], "memory") == 0) {
		tell_memory(job, original, before);
		return 0;
	}
	if (strcmp(names[0], "where") == 0) {
		bench_tell_where(job);
		return 0;
	}
	return bench_measure(job, nnames, names);
}

int main(int argc, char **argv)
{
	if (argc < 6)
		return bsprows_usage();
	if (strcmp(argv[5], "exit") == 0)
		return 0;
	area = bench_area_open(argv[1]);
	if (area == NULL) {
		perror("bsprows: shared memory");
		return 1;
	}
	long original = (long)getpid();
	long before = bench_memory(original);

	bsp_begin(bsp_nprocs());
	me = bsp_pid();
	nprocs = bsp_nprocs();
	bsp_sync();
	struct bench_job job = {
		.me = me,
		.nprocs = nprocs,
		.area = area,
		.barrier = bsprows_barrier,
		.rows = rows,
		.pair = nprocs > 1 && nprocs <= atoi(argv[4]),
		.batch_ns = 1e3 * atof(argv[2]),
		.tries = atoi(argv[3]),
	};
	int status = bsprows_work(&job, argc - 5, argv + 5, original, before);

	bsp_end();
	return status;
}
