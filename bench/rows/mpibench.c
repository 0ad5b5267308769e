/* SPDX-License-Identifier: BSD-3-Clause */
/* mpibench.c - the work of bsprows in plain MPI, run by bspbench through mpirun. */

#include "bench.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum op { PUT, GET };
enum coll { GATHERV, SCATTERV, ALLGATHERV, EXCHANGEV, REDUCE_SCATTER, BCAST, ALLREDUCE, EXCHANGE };

static struct bench_area *area;
static char *from;
static char *to;
static MPI_Win window;
static int me;
static int nprocs;

static void mpibench_barrier(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

static int mpibench_neighbour(void)
{
	return (me + 1) % nprocs;
}

static int before_me(void)
{
	return (me + nprocs - 1) % nprocs;
}

/* ---- Memory of a row ------------------------------------------------------ */

static void *memory(size_t nbytes)
{
	char *p = malloc(nbytes);

	if (p == NULL) {
		fprintf(stderr, "mpibench: no memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	memset(p, me, nbytes);
	return p;
}

static void open_private(const struct bench_row *row)
{
	size_t blocks = row->kind > nprocs ? (size_t)row->kind : (size_t)nprocs;

	from = memory(row->nbytes * blocks);
	to = memory(row->nbytes * blocks);
}

static void open_vector(const struct bench_row *row)
{
	from = memory(row->nbytes);
	to = memory(row->nbytes);
}

static void open_each_block(const struct bench_row *row)
{
	from = memory(row->nbytes * (size_t)nprocs);
	to = memory(row->nbytes * (size_t)nprocs);
}

static void close_private(const struct bench_row *row)
{
	(void)row;
	free(from);
	free(to);
}

/* The window holds what is put to, or got from; the other side is private. */
static void open_window(const struct bench_row *row, size_t blocks)
{
	size_t nbytes = row->nbytes * blocks;
	char *base;

	MPI_Win_allocate((MPI_Aint)nbytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
	memset(base, me, nbytes);
	from = row->kind == PUT ? memory(nbytes) : base;
	to = row->kind == PUT ? base : memory(nbytes);
	MPI_Win_fence(0, window);
}

static void open_window_blocks(const struct bench_row *row)
{
	open_window(row, (size_t)nprocs);
}

static void open_window_items(const struct bench_row *row)
{
	open_window(row, BENCH_ITEMS);
}

static void close_window(const struct bench_row *row)
{
	free(row->kind == PUT ? from : to);
	MPI_Win_free(&window);
}

/* ---- Rows ----------------------------------------------------------------- */

static void mpibench_run_barrier(const struct bench_row *row, long supersteps)
{
	(void)row;
	for (long s = 0; s < supersteps; s++)
		mpibench_barrier();
}

/* @row->kind messages of @row->nbytes to the neighbour. */
static void mpibench_exchange(const struct bench_row *row)
{
	static MPI_Request request[2 * BENCH_ITEMS];
	int n = 0;

	for (int i = 0; i < row->kind; i++)
		MPI_Irecv(to + (size_t)i * row->nbytes, (int)row->nbytes, MPI_BYTE, before_me(), 0,
			  MPI_COMM_WORLD, &request[n++]);
	for (int i = 0; i < row->kind; i++)
		MPI_Isend(from + (size_t)i * row->nbytes, (int)row->nbytes, MPI_BYTE,
			  mpibench_neighbour(), 0, MPI_COMM_WORLD, &request[n++]);
	MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

static void mpibench_run_messages(const struct bench_row *row, long supersteps)
{
	for (long s = 0; s < supersteps; s++)
		mpibench_exchange(row);
}

static void run_messages_barrier(const struct bench_row *row, long supersteps)
{
	for (long s = 0; s < supersteps; s++) {
		mpibench_exchange(row);
		mpibench_barrier();
	}
}

static void mpibench_move(enum op op, int pid, size_t src_at, size_t dst_at, int n)
{
	if (op == PUT)
		MPI_Put(from + src_at, n, MPI_BYTE, pid, (MPI_Aint)dst_at, n, MPI_BYTE, window);
	else
		MPI_Get(to + dst_at, n, MPI_BYTE, pid, (MPI_Aint)src_at, n, MPI_BYTE, window);
}

static void mpibench_run_single(const struct bench_row *row, long supersteps)
{
	for (long s = 0; s < supersteps; s++) {
		mpibench_move((enum op)row->kind, mpibench_neighbour(), 0, 0, (int)row->nbytes);
		MPI_Win_fence(0, window);
	}
}

static void mpibench_run_items(const struct bench_row *row, long supersteps)
{
	size_t offset[BENCH_ITEMS];

	for (int i = 0; i < BENCH_ITEMS; i++)
		offset[i] = (size_t)bench_scattered(i) * row->nbytes;
	for (long s = 0; s < supersteps; s++) {
		for (int i = 0; i < BENCH_ITEMS; i++)
			mpibench_move((enum op)row->kind, mpibench_neighbour(), offset[i],
				      offset[i], (int)row->nbytes);
		MPI_Win_fence(0, window);
	}
}

static void mpibench_run_exchange(const struct bench_row *row, long supersteps)
{
	size_t n = row->nbytes;

	for (long s = 0; s < supersteps; s++) {
		for (int k = 1; k < nprocs; k++) {
			int pid = (me + k) % nprocs;
			size_t src = (size_t)(row->kind == GET ? me : pid) * n;
			size_t dst = (size_t)(row->kind == GET ? pid : me) * n;

			mpibench_move((enum op)row->kind, pid, src, dst, (int)n);
		}
		MPI_Win_fence(0, window);
	}
}

static void run_alltoall(const struct bench_row *row, long supersteps)
{
	int n = (int)row->nbytes;

	for (long s = 0; s < supersteps; s++)
		MPI_Alltoall(from, n, MPI_BYTE, to, n, MPI_BYTE, MPI_COMM_WORLD);
}

/* As in bsprows.c. */
static int mpibench_length(const struct bench_row *row, int q)
{
	return (int)row->nbytes / 2 * (1 + q % 3);
}

static void open_lengths(const struct bench_row *row)
{
	from = memory(row->nbytes * 2 * (size_t)nprocs);
	to = memory(row->nbytes * 2 * (size_t)nprocs);
}

/* Where the blocks begin that have these lengths. */
static void mpibench_pack(int *at, const int *lengths)
{
	for (int q = 0, end = 0; q < nprocs; end += lengths[q++])
		at[q] = end;
}

static void mpibench_collect(const struct bench_row *row, const int *in, const int *in_at,
			     const int *out, const int *out_at)
{
	int mine = mpibench_length(row, me);

	switch ((enum coll)row->kind) {
	case GATHERV:
		MPI_Gatherv(from, mine, MPI_BYTE, to, in, in_at, MPI_BYTE, 0, MPI_COMM_WORLD);
		break;
	case SCATTERV:
		MPI_Scatterv(from, in, in_at, MPI_BYTE, to, mine, MPI_BYTE, 0, MPI_COMM_WORLD);
		break;
	case ALLGATHERV:
		MPI_Allgatherv(from, mine, MPI_BYTE, to, in, in_at, MPI_BYTE, MPI_COMM_WORLD);
		break;
	case EXCHANGEV:
		MPI_Alltoallv(from, out, out_at, MPI_BYTE, to, in, in_at, MPI_BYTE, MPI_COMM_WORLD);
		break;
	default:
		MPI_Reduce_scatter(from, to, in, MPI_INT8_T, MPI_SUM, MPI_COMM_WORLD);
	}
}

static void mpibench_run_lengths(const struct bench_row *row, long supersteps)
{
	int in[BENCH_MOST_PROCS], in_at[BENCH_MOST_PROCS], out[BENCH_MOST_PROCS],
		out_at[BENCH_MOST_PROCS];

	for (int q = 0; q < nprocs; q++) {
		in[q] = mpibench_length(row, q);
		out[q] = mpibench_length(row, me);
	}
	mpibench_pack(in_at, in);
	mpibench_pack(out_at, out);
	for (long s = 0; s < supersteps; s++)
		mpibench_collect(row, in, in_at, out, out_at);
}

static void mpibench_run_uniform(const struct bench_row *row, long supersteps)
{
	int n = (int)row->nbytes;

	for (long s = 0; s < supersteps; s++) {
		if (row->kind == BCAST)
			MPI_Bcast(to, n, MPI_BYTE, 0, MPI_COMM_WORLD);
		else if (row->kind == ALLREDUCE)
			MPI_Allreduce(from, to, n / (int)sizeof(double), MPI_DOUBLE, MPI_SUM,
				      MPI_COMM_WORLD);
		else
			MPI_Alltoall(from, n, MPI_BYTE, to, n, MPI_BYTE, MPI_COMM_WORLD);
	}
	mpibench_barrier();
}

static void mpibench_run_neighbors(const struct bench_row *row, long supersteps)
{
	int n = (int)row->nbytes, closed = 1;
	MPI_Comm ring;

	MPI_Cart_create(MPI_COMM_WORLD, 1, &nprocs, &closed, 0, &ring);
	for (long s = 0; s < supersteps; s++)
		MPI_Neighbor_alltoall(from, n, MPI_BYTE, to, n, MPI_BYTE, ring);
	MPI_Comm_free(&ring);
}

static void mpibench_run_compute(const struct bench_row *row, long supersteps)
{
	(void)row;
	for (long s = 0; s < supersteps; s++) {
		bench_work(area);
		mpibench_barrier();
	}
}

static void mpibench_run_compute_alone(const struct bench_row *row, long supersteps)
{
	(void)row;
	for (long s = 0; s < supersteps; s++)
		bench_work(area);
	mpibench_barrier();
}

#define MESSAGES(n) .open = open_private, .close = close_private, .nbytes = 8, .kind = (n)
#define SINGLE \
	.run = mpibench_run_single, .open = open_window_blocks, .close = close_window, .nbytes = 8
#define ITEMS                                                                            \
	.run = mpibench_run_items, .open = open_window_items, .close = close_window, .nbytes = 8, \
	.copied = 8 * BENCH_ITEMS
#define EXCHANGE(n)                                                                      \
	.run = mpibench_run_exchange, .open = open_window_blocks, .close = close_window, \
	.nbytes = (n), .copied = (n)
#define ALLTOALL(n)                                                                       \
	.run = run_alltoall, .open = open_private, .close = close_private, .nbytes = (n), \
	.copied = (n)

#define LENGTHS \
	.run = mpibench_run_lengths, .open = open_lengths, .close = close_private, .nbytes = 1 << 10

#define UNIFORM(n, how) .run = mpibench_run_uniform, .open = (how), .close = close_private, \
	.nbytes = (n)

static const struct bench_row rows[] = {
	{ .name = "barrier", .run = mpibench_run_barrier },
	{ .name = "isend-8", .run = mpibench_run_messages, MESSAGES(1) },
	{ .name = "isend-barrier-8", .run = run_messages_barrier, MESSAGES(1) },
	{ .name = "put-fence-8", SINGLE, .kind = PUT },
	{ .name = "get-fence-8", SINGLE, .kind = GET },
	{ .name = "isends-1000",
	  .run = mpibench_run_messages,
	  MESSAGES(BENCH_ITEMS),
	  .copied = 8 * BENCH_ITEMS },
	{ .name = "puts-fence-1000", ITEMS, .kind = PUT },
	{ .name = "gets-fence-1000", ITEMS, .kind = GET },
	{ .name = "alltoall-64", ALLTOALL(64) },
	{ .name = "alltoall-1K", ALLTOALL(1 << 10) },
	{ .name = "alltoall-64K", ALLTOALL(64 << 10) },
	{ .name = "alltoall-1M", ALLTOALL(1 << 20) },
	{ .name = "alltoall-8M", ALLTOALL(8 << 20) },
	{ .name = "put-fence-64", EXCHANGE(64), .kind = PUT },
	{ .name = "put-fence-1K", EXCHANGE(1 << 10), .kind = PUT },
	{ .name = "put-fence-64K", EXCHANGE(64 << 10), .kind = PUT },
	{ .name = "put-fence-1M", EXCHANGE(1 << 20), .kind = PUT },
	{ .name = "put-fence-8M", EXCHANGE(8 << 20), .kind = PUT },
	{ .name = "get-fence-64", EXCHANGE(64), .kind = GET },
	{ .name = "get-fence-1K", EXCHANGE(1 << 10), .kind = GET },
	{ .name = "get-fence-64K", EXCHANGE(64 << 10), .kind = GET },
	{ .name = "get-fence-1M", EXCHANGE(1 << 20), .kind = GET },
	{ .name = "get-fence-8M", EXCHANGE(8 << 20), .kind = GET },
	{ .name = "bcast-1M", UNIFORM(1 << 20, open_vector), .kind = BCAST },
	{ .name = "allreduce-8", UNIFORM(8, open_vector), .kind = ALLREDUCE },
	{ .name = "allreduce-64K", UNIFORM(64 << 10, open_vector), .kind = ALLREDUCE },
	{ .name = "exchange-1K", UNIFORM(1 << 10, open_each_block), .kind = EXCHANGE },
	{ .name = "gatherv-1K", LENGTHS, .kind = GATHERV },
	{ .name = "scatterv-1K", LENGTHS, .kind = SCATTERV },
	{ .name = "allgatherv-1K", LENGTHS, .kind = ALLGATHERV },
	{ .name = "exchangev-1K", LENGTHS, .kind = EXCHANGEV },
	{ .name = "reduce-scatter-1K", LENGTHS, .kind = REDUCE_SCATTER },
	{ .name = "neighbors-1K",
	  .run = mpibench_run_neighbors,
	  .open = open_lengths,
	  .close = close_private,
	  .nbytes = 1 << 10 },
	{ .name = "compute",
	  .run = mpibench_run_compute,
	  .reference = mpibench_run_compute_alone,
	  .least = 60 },
	{ .name = NULL }
};

/* ---- The job -------------------------------------------------------------- */

static int mpibench_work(struct bench_job *job, int nnames, char **names, long before)
{
	if (strcmp(names[0], "none") == 0)
		return 0;
	if (strcmp(names[0], "memory") == 0) {
		bench_tell_memory(job, before, 0);
		return 0;
	}
	return bench_measure(job, nnames, names);
}

int main(int argc, char **argv)
{
	if (argc < 6) {
		fprintf(stderr, "usage: mpibench AREA BATCH_US TRIES CORES none|memory|ROW...\n");
		return 2;
	}
	long before = bench_memory((long)getpid());

	area = bench_area_open(argv[1]);
	if (area == NULL) {
		perror("mpibench: shared memory");
		return 1;
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
	mpibench_barrier();
	struct bench_job job = {
		.me = me,
		.nprocs = nprocs,
		.area = area,
		.barrier = mpibench_barrier,
		.rows = rows,
		.pair = nprocs > 1 && nprocs <= atoi(argv[4]),
		.batch_ns = 1e3 * atof(argv[2]),
		.tries = atoi(argv[3]),
	};
	int status = mpibench_work(&job, argc - 5, argv + 5, before);

	MPI_Finalize();
	return status;
}
