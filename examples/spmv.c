/* SPDX-License-Identifier: BSD-3-Clause */
/* spmv.c - multiplies a sparse matrix from a Matrix Market file by a vector, many times. */

/*
 * Shows how communication is planned once and used often. Rows of the matrix and
 * components of the vectors are dealt out in blocks. For y = A x a process needs
 * those x whose columns have nonzeros in its rows; the ones of other processes
 * are its ghosts.
 *
 *	plan	each process sends to each owner the list of ghosts that it needs,
 *		and the place where it wants them: messages, because the owner
 *		cannot know how many will come
 *	product	each owner puts its x where the others want them; after bsp_sync()
 *		everything is there: one superstep for each product, without any
 *		further talk of indices, and nothing is sent that is not needed
 *
 *	bspcc -O2 -o spmv spmv.c mtx.c -lm
 *	bspcc -O2 -o laplace_matrix laplace_matrix.c -lm
 *	./laplace_matrix 300 > laplace.mtx
 *	./spmv laplace.mtx [PRODUCTS]
 *
 * The last product is compared with one computed by process 0 alone.
 */
#include "mtx.h"

#include <bsp.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 };		/* entries in one message of process 0 */

struct job {
	int failed;		/* there is no matrix */
	int nrows, ncols;
	int products;
};

/* Wanted by a process: x[index[0]], x[index[1]], ... in its places first, first + 1, ... */
struct request {
	bsp_pid_t pid;
	int first, count;
	int *index;
};

struct request_tag {
	bsp_pid_t pid;
	int first;
};

/* The rows of one process; columns are places in x. */
struct block {
	int nrows;
	size_t *start;		/* of each row in col and value, nrows + 1 */
	int *col;
	double *value;
};

/* x of one process: the own components, then the ghosts by column. */
struct vector {
	int first;		/* column of the first own component */
	int nown, nghosts;
	int *ghost;		/* columns, ascending */
	double *x;		/* nown + nghosts, registered */
};

struct plan {
	int nrequests;
	struct request *request;
	double *buffer;		/* for the longest of them */
};

/* The command line, on process 0. */
static const char *file_name;
static int products = 100;
static int exit_status;

static void *allocate(size_t n, size_t size)
{
	void *mem = calloc(n + 1, size);

	if (!mem)
		bsp_abort("no memory for %zu times %zu bytes", n, size);
	return mem;
}

/* ---- Blocks: process s has first_of(n, s) ... first_of(n, s + 1) - 1 ------- */

static int first_of(int n, bsp_pid_t s)
{
	return (int)((int64_t)n * (int64_t)s / (int64_t)bsp_nprocs());
}

static bsp_pid_t owner_of(int n, int i)
{
	return (bsp_pid_t)((((int64_t)i + 1) * (int64_t)bsp_nprocs() - 1) / n);
}

/* ---- Reading, by process 0 ----------------------------------------------- */

/* Prints what is wrong, if something is. */
static int read_matrix(struct mtx *matrix)
{
	int most = sizeof(bsp_size_t) == sizeof(int) ? INT_MAX / (int)sizeof(double) : INT_MAX;
	struct mtx_error error;
	FILE *file = fopen(file_name, "r");

	if (!file) {
		fprintf(stderr, "%s: %s\n", file_name, strerror(errno));
		return -1;
	}
	if (mtx_read(file, matrix, &error)) {
		fprintf(stderr, "%s:%ld: %s\n", file_name, error.line, error.reason);
		fclose(file);
		return -1;
	}
	fclose(file);
	if (matrix->nrows <= most && matrix->ncols <= most)
		return 0;
	fprintf(stderr, "%s: more than %d rows or columns need bspcc --mcbsp\n", file_name, most);
	mtx_free(matrix);
	return -1;
}

/* Process 0 reads the file, and all get to know what to expect. */
static struct job begin_job(struct mtx *matrix)
{
	struct job job = { 0 };

	bsp_push_reg(&job, sizeof job);
	bsp_sync();
	if (bsp_pid() == 0) {
		struct job send = { .failed = read_matrix(matrix) != 0, .nrows = matrix->nrows,
				    .ncols = matrix->ncols, .products = products };

		for (bsp_pid_t q = 0; q < bsp_nprocs(); q++)
			bsp_put(q, &send, &job, 0, sizeof send);
	}
	bsp_pop_reg(&job);
	bsp_sync();
	return job;
}

/* ---- Dealing out the entries --------------------------------------------- */

static void send_chunk(bsp_pid_t q, const struct mtx_entry *chunk, int *count)
{
	if (*count > 0)
		bsp_send(q, NULL, chunk, (bsp_size_t)(*count * sizeof *chunk));
	*count = 0;
}

/* Process 0 sends every entry to the process that has its row. */
static void deal_entries(const struct mtx *matrix)
{
	size_t p = bsp_nprocs();
	struct mtx_entry *chunk = allocate(p * CHUNK, sizeof *chunk);
	int *count = allocate(p, sizeof *count);

	for (size_t k = 0; k < matrix->nentries; k++) {
		bsp_pid_t q = owner_of(matrix->nrows, matrix->entries[k].row);

		if (count[q] == CHUNK)
			send_chunk(q, &chunk[(size_t)q * CHUNK], &count[q]);
		chunk[(size_t)q * CHUNK + (size_t)count[q]++] = matrix->entries[k];
	}
	for (size_t q = 0; q < p; q++)
		send_chunk((bsp_pid_t)q, &chunk[q * CHUNK], &count[q]);
	free(count);
	free(chunk);
}

/* Returns the entries of this process, in any order. */
static struct mtx_entry *receive_entries(size_t *nentries)
{
	struct mtx_entry *entries;
	void *tag, *payload;
	bsp_nprocs_t nmessages;
	size_t n = 0;

	bsp_qsize(&nmessages, NULL);
	entries = allocate((size_t)nmessages * CHUNK, sizeof *entries);
	for (bsp_nprocs_t k = 0; k < nmessages; k++) {
		size_t length = (size_t)bsp_hpmove(&tag, &payload);

		memcpy(&entries[n], payload, length);
		n += length / sizeof *entries;
	}
	*nentries = n;
	return entries;
}

/* ---- The local problem --------------------------------------------------- */

static int compare_ints(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* Finds out which x the entries need; all are zero at first. */
static struct vector make_vector(const struct mtx_entry *entries, size_t nentries, int ncols)
{
	struct vector v = { .first = first_of(ncols, bsp_pid()) };
	int end = first_of(ncols, bsp_pid() + 1);
	size_t n = 0;

	v.nown = end - v.first;
	v.ghost = allocate(nentries, sizeof *v.ghost);
	for (size_t k = 0; k < nentries; k++)
		if (entries[k].col < v.first || entries[k].col >= end)
			v.ghost[n++] = entries[k].col;
	qsort(v.ghost, n, sizeof *v.ghost, compare_ints);
	for (size_t k = 0; k < n; k++)
		if (k == 0 || v.ghost[k] != v.ghost[k - 1])
			v.ghost[v.nghosts++] = v.ghost[k];
	v.x = allocate((size_t)v.nown + (size_t)v.nghosts, sizeof *v.x);
	return v;
}

static int place_of(const struct vector *v, int col)
{
	const int *ghost;

	if (col >= v->first && col < v->first + v->nown)
		return col - v->first;
	ghost = bsearch(&col, v->ghost, (size_t)v->nghosts, sizeof col, compare_ints);
	return v->nown + (int)(ghost - v->ghost);
}

/* Sorts the entries by row. */
static struct block make_block(const struct mtx_entry *entries, size_t nentries, int nrows,
			       const struct vector *v)
{
	int first = first_of(nrows, bsp_pid());
	struct block b = { .nrows = first_of(nrows, bsp_pid() + 1) - first };

	b.start = allocate((size_t)b.nrows + 1, sizeof *b.start);
	b.col = allocate(nentries, sizeof *b.col);
	b.value = allocate(nentries, sizeof *b.value);
	for (size_t k = 0; k < nentries; k++)
		b.start[entries[k].row - first]++;
	for (int i = 0; i < b.nrows; i++)
		b.start[i + 1] += b.start[i];
	/* start[i] is the end of row i now, and goes down to its start */
	for (size_t k = nentries; k-- > 0;) {
		size_t at = --b.start[entries[k].row - first];

		b.col[at] = place_of(v, entries[k].col);
		b.value[at] = entries[k].value;
	}
	return b;
}

/* ---- The plan ------------------------------------------------------------ */

/* Tells every owner which of its components are wanted here, and where. */
static void send_requests(const struct vector *v, int ncols)
{
	for (int from = 0, to; from < v->nghosts; from = to) {
		bsp_pid_t owner = owner_of(ncols, v->ghost[from]);
		struct request_tag tag = { bsp_pid(), v->nown + from };
		int end = first_of(ncols, owner + 1);

		for (to = from; to < v->nghosts && v->ghost[to] < end; to++)
			;
		bsp_send(owner, &tag, &v->ghost[from], (bsp_size_t)((to - from) * sizeof(int)));
	}
}

static struct plan receive_requests(const struct vector *v)
{
	struct plan plan = { 0 };
	bsp_nprocs_t nmessages;
	int longest = 0;

	bsp_qsize(&nmessages, NULL);
	plan.request = allocate((size_t)nmessages, sizeof *plan.request);
	for (; plan.nrequests < (int)nmessages; plan.nrequests++) {
		struct request *r = &plan.request[plan.nrequests];
		struct request_tag tag;
		bsp_size_t length;

		bsp_get_tag(&length, &tag);
		r->pid = tag.pid;
		r->first = tag.first;
		r->count = (int)((size_t)length / sizeof(int));
		r->index = allocate((size_t)r->count, sizeof *r->index);
		bsp_move(r->index, length);
		for (int k = 0; k < r->count; k++)
			r->index[k] -= v->first;
		longest = r->count > longest ? r->count : longest;
	}
	plan.buffer = allocate((size_t)longest, sizeof *plan.buffer);
	return plan;
}

/* ---- The product --------------------------------------------------------- */

static void put_ghosts(const struct plan *plan, const struct vector *v)
{
	for (int i = 0; i < plan->nrequests; i++) {
		const struct request *r = &plan->request[i];

		for (int k = 0; k < r->count; k++)
			plan->buffer[k] = v->x[r->index[k]];
		bsp_put(r->pid, plan->buffer, v->x, (bsp_size_t)(r->first * sizeof(double)),
			(bsp_size_t)(r->count * sizeof(double)));
	}
}

static void multiply(const struct block *b, const double *x, double *y)
{
	for (int i = 0; i < b->nrows; i++) {
		double sum = 0;

		for (size_t k = b->start[i]; k < b->start[i + 1]; k++)
			sum += b->value[k] * x[b->col[k]];
		y[i] = sum;
	}
}

static double component(int j)
{
	return 1 + j % 7 / 8.0;
}

/*
 * Computes y = A x for x, -x, x, ...: a ghost of the product before would have the
 * wrong sign. A put needs no second bsp_sync(): it arrives when all have multiplied.
 * Returns the seconds taken.
 */
static double multiply_often(const struct block *b, const struct plan *plan,
			     const struct vector *v, double *y, int times)
{
	double began = bsp_time();

	for (int j = 0; j < v->nown; j++)
		v->x[j] = component(v->first + j);
	for (int t = 0; t < times; t++) {
		put_ghosts(plan, v);
		bsp_sync();
		multiply(b, v->x, y);
		for (int j = 0; j < v->nown; j++)
			v->x[j] = -v->x[j];
	}
	bsp_sync();
	return bsp_time() - began;
}

/* ---- The check ----------------------------------------------------------- */

/* Returns to process 0 the whole of y, to the others NULL; the largest *@nghosts too. */
static double *gather(const double *y, int nrows, int *nghosts)
{
	size_t p = bsp_nprocs();
	int first = first_of(nrows, bsp_pid()), end = first_of(nrows, bsp_pid() + 1);
	int *all = allocate(p, sizeof *all);
	double *whole = NULL;

	bsp_push_reg(y, (bsp_size_t)((end - first) * sizeof *y));
	bsp_push_reg(nghosts, sizeof *nghosts);
	bsp_sync();
	if (bsp_pid() == 0)
		whole = allocate((size_t)nrows, sizeof *whole);
	for (bsp_pid_t q = 0; whole && q < bsp_nprocs(); q++) {
		first = first_of(nrows, q);
		end = first_of(nrows, q + 1);
		bsp_get(q, y, 0, &whole[first], (bsp_size_t)((end - first) * sizeof *y));
		bsp_get(q, nghosts, 0, &all[q], sizeof *all);
	}
	bsp_sync();
	for (size_t q = 0; q < p; q++)
		*nghosts = all[q] > *nghosts ? all[q] : *nghosts;
	free(all);
	return whole;
}

/* Returns the error of @y in the 1-norm, relative to |A| |x|; not a number if y is not. */
static double residual(const struct mtx *matrix, const double *y, double sign)
{
	double *rest = allocate((size_t)matrix->nrows, sizeof *rest);
	double *size = allocate((size_t)matrix->nrows, sizeof *size);
	double error = 0, scale = 0;

	for (size_t k = 0; k < matrix->nentries; k++) {
		struct mtx_entry e = matrix->entries[k];

		rest[e.row] += sign * e.value * component(e.col);
		size[e.row] += fabs(e.value) * component(e.col);
	}
	for (int i = 0; i < matrix->nrows; i++) {
		error += fabs(rest[i] - y[i]);
		scale += size[i];
	}
	free(rest);
	free(size);
	return scale > 0 ? error / scale : error;
}

static void report(const struct mtx *matrix, const double *y, double seconds, int nghosts)
{
	double error = residual(matrix, y, products % 2 ? 1 : -1), sum = 0;

	for (int i = 0; i < matrix->nrows; i++)
		sum += y[i];
	printf("spmv: %d x %d, %zu nonzeros, at most %d ghosts on each of %d process%s\n",
	       matrix->nrows, matrix->ncols, matrix->nentries, nghosts, (int)bsp_nprocs(),
	       bsp_nprocs() == 1 ? "" : "es");
	printf("spmv: %d products in %.4f s: %.4g flop/s, sum %.12g, residual %.2g\n", products,
	       seconds, 2.0 * (double)matrix->nentries * products / seconds, sum, error);
	if (!(error < 1e-12))
		bsp_abort("the residual %g is too large", error);
}

/* ---- The program --------------------------------------------------------- */

static void free_all(struct vector *v, struct block *b, struct plan *plan)
{
	for (int i = 0; i < plan->nrequests; i++)
		free(plan->request[i].index);
	free(plan->request);
	free(plan->buffer);
	free(b->start);
	free(b->col);
	free(b->value);
	free(v->ghost);
	free(v->x);
}

static void solve(const struct mtx *matrix, const struct job *job)
{
	bsp_size_t tag_size = sizeof(struct request_tag);
	size_t nentries;

	if (bsp_pid() == 0)
		deal_entries(matrix);
	bsp_set_tagsize(&tag_size);
	bsp_sync();

	struct mtx_entry *entries = receive_entries(&nentries);
	struct vector v = make_vector(entries, nentries, job->ncols);
	struct block b = make_block(entries, nentries, job->nrows, &v);
	free(entries);
	send_requests(&v, job->ncols);
	bsp_push_reg(v.x, (bsp_size_t)((size_t)(v.nown + v.nghosts) * sizeof *v.x));
	bsp_sync();

	struct plan plan = receive_requests(&v);
	double *y = allocate((size_t)b.nrows, sizeof *y);
	double seconds = multiply_often(&b, &plan, &v, y, job->products);
	int most_ghosts = v.nghosts;
	double *whole = gather(y, job->nrows, &most_ghosts);
	if (whole)
		report(matrix, whole, seconds, most_ghosts);
	free(whole);
	free(y);
	free_all(&v, &b, &plan);
}

static void spmd(void)
{
	bsp_begin(bsp_nprocs());

	struct mtx matrix = { 0 };
	struct job job = begin_job(&matrix);

	if (!job.failed)
		solve(&matrix, &job);
	exit_status = job.failed;
	mtx_free(&matrix);

	bsp_end();
}

static int read_arguments(int argc, char **argv)
{
	char *end = NULL;
	long number = products;

	if (argc < 2 || argc > 3)
		return -1;
	file_name = argv[1];
	if (argc == 3)
		number = isdigit((unsigned char)argv[2][0]) ? strtol(argv[2], &end, 10) : 0;
	if (number < 1 || number > INT_MAX || (end && *end))
		return -1;
	products = (int)number;
	return 0;
}

int main(int argc, char **argv)
{
	bsp_init(spmd, argc, argv);

	if (read_arguments(argc, argv)) {
		fprintf(stderr,
			"usage: spmv FILE [PRODUCTS]\nmultiplies the matrix in FILE, in Matrix "
			"Market format, by a vector PRODUCTS (100) times\n");
		return 2;
	}
	spmd();
	return exit_status;
}
