/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_lengths.c - collective operations with a length for each process: calls and results. */

#include "soak_collective.h"

/* An area of blocks: what an array of lengths says of it. */
struct area {
	size_t sizes[PROCS], offsets[PROCS];
	size_t bytes;
	bool packed;
};

/* Bytes, or elements, that process @p has for @q; often none. */
static size_t length(const struct collective *c, int p, int q)
{
	uint32_t x = (c->seed ^ (uint32_t)(p * 64 + q + 1) * 2654435761u) * 2246822519u;

	x ^= x >> 15;
	return x % 5 ? x / 5 % (c->n + 1) : 0;
}

/* All blocks are those for process 0, except of exchanges. */
static size_t length_out(const struct collective *c, int p, int q)
{
	return c->what == SCATTERV ? length(c, c->root, q) :
	       c->what == EXCHANGEV ? length(c, p, q) : length(c, p, 0);
}

static uint32_t block_seed(const struct collective *c, int from, int to)
{
	return c->seed + 256 * (uint32_t)from + (uint32_t)to;
}

/* Blocks in order without gaps, or from the last to the first with some. */
static void lay_out(struct area *a, uint32_t seed)
{
	a->packed = seed % 2;
	a->bytes = 0;
	for (int i = 0; i < soak.nprocs; i++) {
		int q = a->packed ? i : soak.nprocs - 1 - i;

		a->offsets[q] = a->bytes;
		a->bytes += a->sizes[q] + (a->packed ? 0 : seed / 2 % 4);
	}
}

static struct area area_out(const struct collective *c)
{
	struct area a;

	for (int q = 0; q < soak.nprocs; q++)
		a.sizes[q] = length_out(c, soak.me, q);
	lay_out(&a, c->seed);
	return a;
}

static struct area area_in(const struct collective *c)
{
	struct area a;

	for (int p = 0; p < soak.nprocs; p++)
		a.sizes[p] = length_out(c, p, soak.me);
	lay_out(&a, c->seed >> 8);
	return a;
}

static const size_t *offsets(const struct area *a)
{
	return a->packed ? NULL : a->offsets;
}

/* Elements before those of this process, of all; and of all processes. */
static size_t elements_before(const struct collective *c, int last)
{
	size_t n = 0;

	for (int p = 0; p < last; p++)
		n += length(c, p, 0);
	return n;
}

/* ---- Buffers --- */

static bool has_blocks_out(const struct collective *c)
{
	return c->what == EXCHANGEV || (c->what == SCATTERV && c->root == soak.me);
}

static bool has_blocks_in(const struct collective *c)
{
	return c->what == EXCHANGEV || c->what == ALLGATHERV ||
	       (c->what == GATHERV && c->root == soak.me);
}

static size_t lengths_bytes_out(const struct collective *c)
{
	if (c->what == REDUCE_SCATTER)
		return elements_before(c, soak.nprocs) * c->element->bytes;
	if (has_blocks_out(c))
		return area_out(c).bytes;
	return c->what == SCATTERV ? 0 : length(c, soak.me, 0);
}

static size_t lengths_bytes_in(const struct collective *c)
{
	if (c->what == REDUCE_SCATTER)
		return length(c, soak.me, 0) * c->element->bytes;
	if (has_blocks_in(c))
		return area_in(c).bytes;
	return c->what == SCATTERV ? length(c, c->root, soak.me) : 0;
}

static void lengths_fill(const struct collective *c)
{
	struct area a = area_out(c);

	if (c->what == REDUCE_SCATTER)
		put_numbers(c->src, c->element, (int)block_seed(c, soak.me, 0),
			    elements_before(c, soak.nprocs));
	else if (has_blocks_out(c))
		for (int q = 0; q < soak.nprocs; q++)
			fill(c->src + a.offsets[q], a.sizes[q], block_seed(c, soak.me, q));
	else
		fill(c->src, lengths_bytes_out(c), block_seed(c, soak.me, 0));
}

/* ---- The calls --- */

static void lengths_call(struct collective *c)
{
	struct area out = area_out(c), in = area_in(c);
	size_t mine = length(c, soak.me, 0), dealt = length(c, c->root, soak.me);

	switch (c->what) {
	case GATHERV:
		bsp_gatherv(c->root, c->src, mine, c->dst, in.sizes, offsets(&in));
		break;
	case SCATTERV:
		bsp_scatterv(c->root, c->src, out.sizes, offsets(&out), c->dst, dealt);
		break;
	case ALLGATHERV:
		bsp_allgatherv(c->src, mine, c->dst, in.sizes, offsets(&in));
		break;
	case EXCHANGEV:
		bsp_exchangev(c->src, out.sizes, offsets(&out), c->dst, in.sizes, offsets(&in));
		break;
	default:
		bsp_reduce_scatter(c->op, c->element->type, c->src, c->dst, in.sizes);
	}
}

/* The arrays are gone when this returns. */
static void lengths_start(struct collective *c)
{
	struct area out = area_out(c), in = area_in(c);
	size_t mine = length(c, soak.me, 0), dealt = length(c, c->root, soak.me);

	switch (c->what) {
	case GATHERV:
		c->request = bsp_igatherv(c->root, c->src, mine, c->dst, in.sizes, offsets(&in));
		break;
	case SCATTERV:
		c->request = bsp_iscatterv(c->root, c->src, out.sizes, offsets(&out), c->dst,
					   dealt);
		break;
	case ALLGATHERV:
		c->request = bsp_iallgatherv(c->src, mine, c->dst, in.sizes, offsets(&in));
		break;
	case EXCHANGEV:
		c->request = bsp_iexchangev(c->src, out.sizes, offsets(&out), c->dst, in.sizes,
					    offsets(&in));
		break;
	default:
		c->request = bsp_ireduce_scatter(c->op, c->element->type, c->src, c->dst, in.sizes);
	}
}

void soak_start_lengths(struct collective *c)
{
	soak_make_buffer(&c->from, lengths_bytes_out(c));
	soak_make_buffer(&c->to, lengths_bytes_in(c));
	c->src = soak_start_of(&c->from);
	c->dst = soak_start_of(&c->to);
	c->in_place = false;
	lengths_fill(c);
	if (c->blocks)
		lengths_call(c);
	else
		lengths_start(c);
}

/* ---- Expectations --- */

static long wrong_elements(const struct collective *c)
{
	size_t n = elements_before(c, soak.nprocs), each = c->element->bytes;
	char *all = memory(n * each), *next = memory(n * each);
	long wrong;

	put_numbers(all, c->element, (int)block_seed(c, 0, 0), n);
	for (int p = 1; p < soak.nprocs; p++) {
		put_numbers(next, c->element, (int)block_seed(c, p, 0), n);
		for (size_t i = 0; i < n; i++)
			fold_number(c->op, c->element, all + i * each, next + i * each);
	}
	wrong = different(c->element, all + elements_before(c, soak.me) * each, c->dst,
			  length(c, soak.me, 0));
	free(all);
	free(next);
	return wrong;
}

long soak_wrong_lengths(const struct collective *c)
{
	struct area in = area_in(c);
	long n = 0;

	if (c->what == REDUCE_SCATTER)
		return wrong_elements(c);
	if (c->what == SCATTERV)
		return wrong(c->dst, lengths_bytes_in(c), block_seed(c, c->root, soak.me));
	for (int p = 0; has_blocks_in(c) && p < soak.nprocs; p++)
		n += wrong(c->dst + in.offsets[p], in.sizes[p],
			   block_seed(c, p, c->what == EXCHANGEV ? soak.me : 0));
	return n;
}
