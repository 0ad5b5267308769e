/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_operation.c - collective operations: their buffers, calls, and what plain loops leave. */

#include "soak_collective.h"

enum {
	GUARD = 64,		/* bytes around a buffer */
	GUARD_BYTE = 0xa5,	/* as memory() has it */
};

/* ---- Operators of the program: maps x -> a x + b, one after the other ---- */

struct map {
	uint32_t a, b;
};

static void compose(void *result, void *left, void *right, int *nbytes)
{
	struct map *z = result;
	const struct map *x = left, *y = right;

	for (size_t i = 0; i < (size_t)*nbytes / sizeof *z; i++) {
		z[i].a = y[i].a * x[i].a;
		z[i].b = y[i].a * x[i].b + y[i].b;
	}
}

/* ---- Choosing --------------------------------------------------------------- */

void soak_choose_operation(struct collective *c)
{
	c->what = (enum what)pick(OPERATIONS);
	c->root = (int)pick((size_t)soak.nprocs);
	c->in_place = pick(4) == 0;
	do {
		c->element = &elements[pick(NTYPES)];
		c->op = operators[pick(NOPERATORS)];
	} while (!is_for(c->op, c->element));
	c->n = pick(12) ? pick_length(MOST_BLOCK) : 0;
	if (c->what == FOLD || c->what == SCAN)
		c->n -= c->n % sizeof(struct map);
	else if (c->what == REDUCE_SCATTER || (c->what >= REDUCE && !soak_has_lengths(c)))
		c->n /= c->element->bytes;
}

/* ---- Buffers ------------------------------------------------------------- */

/* Byte of a block of one process for another. */
static uint32_t block_seed(const struct collective *c, int from, int to)
{
	return c->seed + 256 * (uint32_t)from + (uint32_t)to;
}

static bool folds(const struct collective *c)
{
	return c->what >= REDUCE && c->what <= SCAN;
}

static bool folds_maps(const struct collective *c)
{
	return c->what == FOLD || c->what == SCAN;
}

static size_t bytes_in(const struct collective *c)
{
	size_t all = c->n * (size_t)soak.nprocs;
	bool root = c->root == soak.me;

	switch (c->what) {
	case BCAST:
		return root ? c->n : 0;
	case SCATTER:
		return root ? all : 0;
	case EXCHANGE:
		return all;
	default:
		return folds(c) && !folds_maps(c) ? c->n * c->element->bytes : c->n;
	}
}

static size_t bytes_out(const struct collective *c)
{
	size_t all = c->n * (size_t)soak.nprocs;
	bool root = c->root == soak.me;

	switch (c->what) {
	case GATHER:
		return root ? all : 0;
	case ALLGATHER:
	case EXCHANGE:
		return all;
	case REDUCE:
		return root ? c->n * c->element->bytes : 0;
	default:
		return folds(c) && !folds_maps(c) ? c->n * c->element->bytes : c->n;
	}
}

void soak_make_buffer(struct buffer *b, size_t nbytes)
{
	b->nbytes = nbytes;
	b->memory = memory(nbytes + 2 * GUARD);
}

char *soak_start_of(const struct buffer *b)
{
	return b->memory + GUARD;
}

bool soak_is_guarded(const struct buffer *b)
{
	const unsigned char *bytes = (const unsigned char *)b->memory;

	for (size_t i = 0; i < GUARD; i++)
		if (bytes[i] != GUARD_BYTE || bytes[GUARD + b->nbytes + i] != GUARD_BYTE)
			return false;
	return true;
}

/* In place the smaller one of both is a part of the other. */
static void place_buffers(struct collective *c)
{
	size_t in = bytes_in(c), out = bytes_out(c), own = c->n * (size_t)soak.me;

	soak_make_buffer(&c->from, in);
	soak_make_buffer(&c->to, out);
	c->src = soak_start_of(&c->from);
	c->dst = soak_start_of(&c->to);
	if (!c->in_place || !in || !out)
		return;
	c->src = in > out ? c->src : c->dst + (c->what == GATHER || c->what == ALLGATHER ? own : 0);
	if (in > out)
		c->dst = c->src + (c->what == SCATTER ? own : 0);
}

static void fill_source(const struct collective *c)
{
	if (folds_maps(c))
		fill(c->src, c->n, block_seed(c, soak.me, 0));
	else if (folds(c))
		put_numbers(c->src, c->element, (int)block_seed(c, soak.me, 0), c->n);
	else
		for (size_t at = 0; at + c->n <= bytes_in(c) && c->n; at += c->n)
			fill(c->src + at, c->n, block_seed(c, soak.me, (int)(at / c->n)));
}

/* ---- Expectations -------------------------------------------------------- */

static long wrong_block(const struct collective *c, const char *at, int from, int to)
{
	return wrong(at, c->n, block_seed(c, from, to));
}

static long wrong_blocks(const struct collective *c, int to)
{
	long n = 0;

	for (int p = 0; p < soak.nprocs; p++)
		n += wrong_block(c, c->dst + (size_t)p * c->n, p, to);
	return n;
}

static long wrong_maps(const struct collective *c, int last)
{
	char *all = memory(c->n), *next = memory(c->n), *both = memory(c->n);
	int nbytes = (int)c->n;
	long n;

	fill(all, c->n, block_seed(c, 0, 0));
	for (int p = 1; p <= last; p++) {
		fill(next, c->n, block_seed(c, p, 0));
		compose(both, all, next, &nbytes);
		memcpy(all, both, c->n);
	}
	n = memcmp(all, c->dst, c->n) != 0;
	free(all);
	free(next);
	free(both);
	return n;
}

static long wrong_numbers(const struct collective *c, int last)
{
	size_t each = c->element->bytes;
	char *all = memory(c->n * each), *next = memory(c->n * each);
	long n;

	put_numbers(all, c->element, (int)block_seed(c, 0, 0), c->n);
	for (int p = 1; p <= last; p++) {
		put_numbers(next, c->element, (int)block_seed(c, p, 0), c->n);
		for (size_t i = 0; i < c->n; i++)
			fold_number(c->op, c->element, all + i * each, next + i * each);
	}
	n = different(c->element, all, c->dst, c->n);
	free(all);
	free(next);
	return n;
}

long soak_wrong_result(const struct collective *c)
{
	bool root = c->root == soak.me;
	int last = c->what == PREFIX || c->what == SCAN ? soak.me : soak.nprocs - 1;

	if (soak_has_lengths(c))
		return soak_wrong_lengths(c);
	switch (c->what) {
	case BCAST:
		return wrong_block(c, c->dst, c->root, 0);
	case GATHER:
		return root ? wrong_blocks(c, 0) : 0;
	case SCATTER:
		return wrong_block(c, c->dst, c->root, soak.me);
	case ALLGATHER:
		return wrong_blocks(c, 0);
	case EXCHANGE:
		return wrong_blocks(c, soak.me);
	case REDUCE:
		return root ? wrong_numbers(c, last) : 0;
	default:
		return folds_maps(c) ? wrong_maps(c, last) : wrong_numbers(c, last);
	}
}

/* ---- The calls ------------------------------------------------------------ */

static void start(struct collective *c)
{
	int root = c->root, type = c->element->type;

	switch (c->what) {
	case BCAST:
		c->request = bsp_ibcast(root, c->src, c->dst, c->n);
		break;
	case GATHER:
		c->request = bsp_igather(root, c->src, c->dst, c->n);
		break;
	case SCATTER:
		c->request = bsp_iscatter(root, c->src, c->dst, c->n);
		break;
	case ALLGATHER:
		c->request = bsp_iallgather(c->src, c->dst, c->n);
		break;
	case EXCHANGE:
		c->request = bsp_iexchange(c->src, c->dst, c->n);
		break;
	case REDUCE:
		c->request = bsp_ireduce(root, c->op, type, c->src, c->dst, c->n);
		break;
	case ALLREDUCE:
		c->request = bsp_iallreduce(c->op, type, c->src, c->dst, c->n);
		break;
	case PREFIX:
		c->request = bsp_iprefix(c->op, type, c->src, c->dst, c->n);
		break;
	case FOLD:
		c->request = bsp_ifold(compose, c->src, c->dst, c->n);
		break;
	default:
		c->request = bsp_iscan(compose, c->src, c->dst, c->n);
	}
}

static void call(struct collective *c)
{
	int root = c->root, type = c->element->type;

	switch (c->what) {
	case BCAST:
		bsp_bcast(root, c->src, c->dst, c->n);
		break;
	case GATHER:
		bsp_gather(root, c->src, c->dst, c->n);
		break;
	case SCATTER:
		bsp_scatter(root, c->src, c->dst, c->n);
		break;
	case ALLGATHER:
		bsp_allgather(c->src, c->dst, c->n);
		break;
	case EXCHANGE:
		bsp_exchange(c->src, c->dst, c->n);
		break;
	case REDUCE:
		bsp_reduce(root, c->op, type, c->src, c->dst, c->n);
		break;
	case ALLREDUCE:
		bsp_allreduce(c->op, type, c->src, c->dst, c->n);
		break;
	case PREFIX:
		bsp_prefix(c->op, type, c->src, c->dst, c->n);
		break;
	case FOLD:
		bsp_fold(compose, c->src, c->dst, c->n);
		break;
	default:
		bsp_scan(compose, c->src, c->dst, c->n);
	}
}

void soak_start_operation(struct collective *c)
{
	if (soak_has_lengths(c)) {
		soak_start_lengths(c);
		return;
	}
	place_buffers(c);
	fill_source(c);
	if (c->blocks)
		call(c);
	else
		start(c);
}
