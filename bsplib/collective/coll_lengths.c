// SPDX-License-Identifier: BSD-3-Clause
/* coll_lengths.c - collective calls with a length for each process: their arrays and areas. */

/*
 * A call has two sides, the source and the destination. On each a process has blocks, one for each
 * process, or one block, or none. Checked, they are numbers of bytes and offsets from the beginning
 * of the area; these the schedule gets (bsplib/schedule/lengths.c). They are kept here until then:
 * between the check of a call and its start there is no other call.
 *
 * These checks are of what this process can know. Lengths that others have are compared when their
 * messages arrive.
 */

#include "bsplib/collective/coll.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/transfer/address.h"

#include <stdlib.h>
#include <string.h>

enum {
	SRC, DST, SCRATCH, SIDES,
	UNKNOWN_BYTES = 4096,	/* of a block, for models, where not all processes know any */
};

struct lengths_side {
	uint64_t *at, *bytes;		/* of each block */
	size_t room;
	size_t n;			/* blocks: as many as processes, 1, or 0 */
	uint64_t total;
	uint64_t low, high;		/* from the first byte to behind the last; 0, 0: none */
};

static struct {
	struct lengths_side side[SIDES];
	int *order;			/* of blocks, by their offsets */
	size_t order_room;
	int *scratch;			/* whose lengths units of the scratchpad have */
	size_t scratch_room;
} lengths;

static const char *const side_names[] = { "source", "destination" };

/* ---- Shapes --- */

/* Blocks on that side of this process: for each process one, or one, or none. */
static size_t side_blocks(const struct bspi_coll *c, int side)
{
	bool root = c->root == bspi.me;

	switch (c->kind) {
	case GOAL_GATHER:
		return side == SRC ? 1 : root ? (size_t)bspi.nprocs : 0;
	case GOAL_SCATTER:
		return side == DST ? 1 : root ? (size_t)bspi.nprocs : 0;
	case GOAL_EXCHANGE:
		return (size_t)bspi.nprocs;
	default:
		/* allgather, and reduce-scatter, which is the other way round */
		return (side == DST) == (c->kind == GOAL_ALLGATHER) ? (size_t)bspi.nprocs : 1;
	}
}

/* The block on that side that this process gives itself. */
static size_t side_own(const struct lengths_side *s)
{
	return s->n > 1 ? (size_t)bspi.me : 0;
}

static const char *lengths_own(const struct bspi_coll *c, int side)
{
	const struct lengths_side *s = &lengths.side[side];
	const char *area = side == SRC ? c->src : c->dst;

	return s->n ? area + s->at[side_own(s)] : NULL;
}

/* Do all processes have all lengths? */
static bool lengths_are_common(const struct bspi_coll *c)
{
	return c->kind == GOAL_ALLGATHER || c->kind == GOAL_REDUCE_SCATTER;
}

/* ---- Sizes and offsets --- */

static void side_make_room(const struct bspi_coll *c, struct lengths_side *s, size_t n)
{
	s->n = n;
	if (n <= s->room)
		return;
	free(s->at);
	s->at = malloc(2 * n * sizeof(*s->at));
	if (!s->at)
		bspi_fail_memory(c->call, c->site);
	s->bytes = s->at + n;
	s->room = n;
}

/* Bytes of block @i, by the program. */
static size_t side_size(const struct bspi_coll *c, int side, size_t i)
{
	const size_t *sizes = side == SRC ? c->src_sizes : c->dst_sizes;
	size_t size = sizes ? sizes[i] : c->count, pid = sizes ? i : (size_t)bspi.me;

	if (bspi_negative(size))
		bspi_fail(c->call, c->site, "size %zd for process %zu is negative", (ssize_t)size,
			  pid);
	if (size > GOAL_BYTES_MOST / c->unit)
		bspi_fail(c->call, c->site, "%zu times %zu bytes for process %zu are more than "
			  "2^40 bytes", size, c->unit, pid);
	return size * c->unit;
}

static uint64_t side_place(const struct bspi_coll *c, int side, size_t i)
{
	const struct lengths_side *s = &lengths.side[side];
	const size_t *offsets = side == SRC ? c->src_offsets : c->dst_offsets;

	if (!offsets)
		return s->total;
	if (offsets[i] > GOAL_BYTES_MOST - s->bytes[i])
		bspi_fail(c->call, c->site, "the block of process %zu in the %s, %zu bytes at "
			  "offset %zu, ends beyond 2^40 bytes",
			  i, side_names[side], (size_t)s->bytes[i], offsets[i]);
	return offsets[i];
}

static void side_add(const struct bspi_coll *c, int side, size_t i)
{
	struct lengths_side *s = &lengths.side[side];

	s->bytes[i] = side_size(c, side, i);
	s->at[i] = 0;
	if (s->bytes[i] == 0)
		return;
	s->at[i] = side_place(c, side, i);
	if (s->total == 0 || s->at[i] < s->low)
		s->low = s->at[i];
	if (s->at[i] + s->bytes[i] > s->high)
		s->high = s->at[i] + s->bytes[i];
	s->total += s->bytes[i];
	if (s->total > GOAL_BYTES_MOST)
		bspi_fail(c->call, c->site,
			  "the blocks of the %s have more than 2^40 bytes together",
			  side_names[side]);
}

static void side_read(const struct bspi_coll *c, int side)
{
	struct lengths_side *s = &lengths.side[side];
	size_t n = side_blocks(c, side);
	bool listed = c->kind == GOAL_EXCHANGE ||
		      (side == DST) == (c->kind == GOAL_GATHER || c->kind == GOAL_ALLGATHER);

	side_make_room(c, s, n ? n : 1);
	s->n = n;
	s->total = s->low = s->high = 0;
	if (n && listed && !(side == SRC ? c->src_sizes : c->dst_sizes))
		bspi_fail(c->call, c->site, "the array of %s is NULL",
			  c->kind == GOAL_REDUCE_SCATTER ? "counts" : "sizes");
	for (size_t i = 0; i < n; i++)
		side_add(c, side, i);
}

/* ---- Checks --- */

static int lengths_compare(const void *a, const void *b)
{
	uint64_t x = lengths.side[DST].at[*(const int *)a];
	uint64_t y = lengths.side[DST].at[*(const int *)b];

	return (x > y) - (x < y);
}

static void lengths_make_room(const struct bspi_coll *c, int **numbers, size_t *room, size_t n)
{
	if (n <= *room)
		return;
	free(*numbers);
	*numbers = malloc(n * sizeof(**numbers));
	if (!*numbers)
		bspi_fail_memory(c->call, c->site);
	*room = n;
}

/* Blocks that have bytes, by their offsets; returns how many. */
static size_t lengths_sort(const struct bspi_coll *c, const struct lengths_side *s)
{
	bool sorted = true;
	size_t n = 0;

	lengths_make_room(c, &lengths.order, &lengths.order_room, s->n);
	for (size_t i = 0; i < s->n; i++) {
		if (s->bytes[i] == 0)
			continue;
		sorted &= n == 0 || s->at[lengths.order[n - 1]] <= s->at[i];
		lengths.order[n++] = (int)i;
	}
	if (!sorted)
		qsort(lengths.order, n, sizeof(*lengths.order), lengths_compare);
	return n;
}

static void check_blocks_apart(const struct bspi_coll *c)
{
	const struct lengths_side *s = &lengths.side[DST];
	size_t n = c->dst_offsets ? lengths_sort(c, s) : 0;

	for (size_t i = 1; i < n; i++) {
		int a = lengths.order[i - 1], b = lengths.order[i];

		if (s->at[a] + s->bytes[a] > s->at[b])
			bspi_fail(c->call, c->site, "the blocks of processes %d (%zu byte%s at "
				  "offset %zu) and %d (%zu byte%s at offset %zu) of the "
				  "destination overlap",
				  a, (size_t)s->bytes[a], bspi_plural(s->bytes[a]),
				  (size_t)s->at[a], b, (size_t)s->bytes[b],
				  bspi_plural(s->bytes[b]), (size_t)s->at[b]);
	}
}

static void check_area(const struct bspi_coll *c, int side)
{
	const void *area = side == SRC ? c->src : c->dst;

	if (lengths.side[side].total == 0)
		return;
	if (!area)
		bspi_fail(c->call, c->site, "the %s is NULL", side_names[side]);
	if ((uintptr_t)area % c->unit == 0)
		return;
	bspi_fail(c->call, c->site, "the %s %s is not on a multiple of %zu bytes, as %s has to be",
		  side_names[side], bspi_address_text(area), c->unit, c->type_name);
}

static bool lengths_overlap(const struct bspi_coll *c)
{
	const struct lengths_side *src = &lengths.side[SRC], *dst = &lengths.side[DST];
	uintptr_t from = (uintptr_t)c->src, to = (uintptr_t)c->dst;

	return src->total && dst->total && from + src->low < to + dst->high &&
	       to + dst->low < from + src->high;
}

static void check_areas_apart(const struct bspi_coll *c)
{
	const struct lengths_side *src = &lengths.side[SRC], *dst = &lengths.side[DST];
	bool in_place = c->kind == GOAL_EXCHANGE ? c->src == c->dst :
						   lengths_own(c, SRC) == lengths_own(c, DST);

	if (!lengths_overlap(c) || in_place)
		return;
	bspi_fail(c->call, c->site, "the source (%zu byte%s at %s) and the destination (%zu byte%s "
		  "at %s) overlap, and are not in place",
		  (size_t)(src->high - src->low), bspi_plural(src->high - src->low),
		  bspi_address_text((const char *)c->src + src->low),
		  (size_t)(dst->high - dst->low), bspi_plural(dst->high - dst->low),
		  bspi_address_text((const char *)c->dst + dst->low));
}

/* The block that this process gives itself is as long on both sides. */
static void check_own(const struct bspi_coll *c)
{
	const struct lengths_side *src = &lengths.side[SRC], *dst = &lengths.side[DST];
	size_t given = src->n ? src->bytes[side_own(src)] : 0;
	size_t expected = dst->n ? dst->bytes[side_own(dst)] : 0;

	if (src->n && dst->n && given != expected)
		bspi_fail(c->call, c->site, "process %d gives itself %zu byte%s and expects %zu; "
			  "each length has to be the one that the receiver expects",
			  bspi.me, given, bspi_plural(given), expected);
}

static uint64_t lengths_hash(const struct lengths_side *s)
{
	uint64_t h = 1;

	for (size_t i = 0; i < s->n; i++)
		h = (h ^ s->bytes[i]) * UINT64_C(0x9e3779b97f4a7c15), h ^= h >> 29;
	return h;
}

void bspi_lengths_check(struct bspi_coll *c)
{
	const struct lengths_side *blocks = &lengths.side[c->kind == GOAL_ALLGATHER ? DST : SRC];

	side_read(c, SRC);
	if (c->kind == GOAL_REDUCE_SCATTER)
		c->count = c->src_sizes[bspi.me];
	side_read(c, DST);
	check_own(c);
	check_blocks_apart(c);
	check_area(c, SRC);
	check_area(c, DST);
	check_areas_apart(c);
	if (!lengths_are_common(c))
		return;
	c->bytes = blocks->total;
	c->lengths = lengths_hash(blocks);
}

/* ---- For the start --- */

uint64_t bspi_lengths_given(void)
{
	const struct lengths_side *src = &lengths.side[SRC];

	return src->n ? src->total : lengths.side[DST].total;
}

uint64_t bspi_lengths_typical(const struct bspi_coll *c)
{
	uint64_t mean = c->bytes / (uint64_t)bspi.nprocs, class = c->unit;

	if (!lengths_are_common(c))
		return UNKNOWN_BYTES;
	while (2 * class <= mean && 8 * class <= GOAL_BYTES_MOST / (uint64_t)bspi.nprocs)
		class *= 2;
	return class;
}

void bspi_lengths_copy_own(const struct bspi_coll *c)
{
	const char *from = lengths_own(c, SRC);
	char *to = (char *)(uintptr_t)lengths_own(c, DST);

	if (lengths.side[SRC].total && from != to)
		memmove(to, from, lengths.side[SRC].bytes[0]);
}

/* Lengths of the scratchpad's units, which are those of blocks, one behind the other. */
static uint64_t lengths_lay_out_scratch(const struct bspi_coll *c, const struct bspi_kept *k)
{
	const struct goal_header *h = bspi_schedule_header(k->schedule);
	uint64_t n = h->scratch_bytes / c->unit, total = 0;
	struct lengths_side *s = &lengths.side[SCRATCH];

	side_make_room(c, s, n ? n : 1);
	lengths_make_room(c, &lengths.scratch, &lengths.scratch_room, n);
	goal_scratch_blocks(&k->task, bspi.nprocs, bspi.me, lengths.scratch, n);
	for (uint64_t i = 0; i < n; i++) {
		int block = lengths.scratch[i];

		s->at[i] = total;
		s->bytes[i] = block < 0 ? 0 : lengths.side[SRC].bytes[block];
		total += s->bytes[i];
	}
	return bspi_align16(total);
}

/* A copy of the source at @copy; its blocks are where they are in that. */
static void *lengths_copy_source(const struct bspi_coll *c, char *copy)
{
	struct lengths_side *s = &lengths.side[SRC];

	memcpy(copy, (const char *)c->src + s->low, s->high - s->low);
	for (size_t i = 0; i < s->n; i++)
		s->at[i] -= s->bytes[i] ? s->low : 0;
	return copy;
}

void bspi_lengths_run(const struct bspi_coll *c, struct bspi_request *r, struct bspi_kept *k)
{
	struct lengths_side *src = &lengths.side[SRC];
	uint64_t scratch = lengths_lay_out_scratch(c, k), copy = 0;
	void *buffers[2] = { src->total ? (void *)(uintptr_t)c->src : NULL,
			     lengths.side[DST].total ? c->dst : NULL };
	struct bspi_blocks blocks[SIDES];

	if (c->kind == GOAL_EXCHANGE || c->kind == GOAL_REDUCE_SCATTER)
		copy = lengths_overlap(c) ? src->high - src->low : 0;
	if (scratch + copy) {
		r->copy = malloc(scratch + copy);
		if (!r->copy)
			bspi_fail_memory(c->call, c->site);
	}
	if (copy)
		buffers[0] = lengths_copy_source(c, (char *)r->copy + scratch);
	for (int i = 0; i < SIDES; i++)
		blocks[i] = (struct bspi_blocks){ lengths.side[i].at, lengths.side[i].bytes };
	r->run = bspi_run_start_apart(k->schedule, buffers, blocks, r->copy, r, c->site);
}

void bspi_lengths_close(void)
{
	for (int i = 0; i < SIDES; i++)
		free(lengths.side[i].at);
	free(lengths.order);
	free(lengths.scratch);
	memset(&lengths, 0, sizeof(lengths));
}
