/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_tree.c - trees, cuts and blocks. */
#include "goal/gen/goal_gen_tree.h"

/* ---- Trees ------------------------------------------------------------------ */

static int root_of(int v)
{
	(void)v;
	return 0;
}

static int linear_child(int v, int i, int nprocs)
{
	return v == 0 && i < nprocs - 1 ? i + 1 : -1;
}

static int linear_size(int v, int nprocs)
{
	return v == 0 ? nprocs : 1;
}

const struct goal_shape goal_shape_linear = { root_of, linear_child, linear_size };

static int chain_parent(int v)
{
	return v - 1;
}

static int chain_child(int v, int i, int nprocs)
{
	return i == 0 && v + 1 < nprocs ? v + 1 : -1;
}

static int chain_size(int v, int nprocs)
{
	return nprocs - v;
}

const struct goal_shape goal_shape_chain = { chain_parent, chain_child, chain_size };

static int binary_parent(int v)
{
	return (v - 1) / 2;
}

static int binary_child(int v, int i, int nprocs)
{
	int child = 2 * v + 1 + i;

	return i < 2 && child < nprocs ? child : -1;
}

const struct goal_shape goal_shape_binary = { binary_parent, binary_child, NULL };

/* Number v, whose lowest bit is b, heads v .. v + b - 1. */
static int binomial_parent(int v)
{
	return v & (v - 1);
}

static int binomial_size(int v, int nprocs)
{
	int lowest = v & -v;

	return v == 0 || lowest > nprocs - v ? nprocs - v : lowest;
}

/* The largest part goes first: it has the longest way. */
static int binomial_child(int v, int i, int nprocs)
{
	int levels = goal_rounds(binomial_size(v, nprocs));

	return i < levels ? v + goal_hop(levels, i) : -1;
}

const struct goal_shape goal_shape_binomial = { binomial_parent, binomial_child, binomial_size };

/* ---- Cuts and blocks ----------------------------------------------------------- */

struct goal_cut goal_cut(uint64_t bytes, uint64_t segment, uint64_t element)
{
	struct goal_cut c = { bytes, bytes, bytes > 0 };
	uint64_t elements = bytes / element, of_segment = segment / element;
	uint64_t least = elements / GOAL_CUTS_MOST + (elements % GOAL_CUTS_MOST != 0);

	if (segment == 0 || segment >= bytes)
		return c;
	if (of_segment < least)
		of_segment = least;
	if (of_segment == 0)
		of_segment = 1;
	c.segment = of_segment * element;
	c.n = (int)(bytes / c.segment + (bytes % c.segment != 0));
	return c;
}

size_t goal_blocks(struct goal_piece *pieces, int buffer, int first, int n, int nblocks,
		   uint64_t bytes)
{
	int start = first % nblocks;
	int before_end = n < nblocks - start ? n : nblocks - start;

	pieces[0].at = GOAL_AT(buffer, (uint64_t)start * bytes);
	pieces[0].bytes = (uint64_t)before_end * bytes;
	if (before_end == n)
		return 1;
	pieces[1].at = GOAL_AT(buffer, 0);
	pieces[1].bytes = (uint64_t)(n - before_end) * bytes;
	return 2;
}

const char *goal_blocks_refuse(const struct goal_task *task, int nprocs)
{
	if (task->bytes > GOAL_BYTES_MOST / (uint64_t)nprocs)
		return "the blocks of all together have more than 2^40 bytes";
	return NULL;
}

const char *goal_joined_blocks_refuse(const struct goal_task *task, int nprocs)
{
	if (task->apart)
		return "it needs lengths that not all processes have";
	return goal_blocks_refuse(task, nprocs);
}

/* ---- Operations ----------------------------------------------------------------- */

void goal_after(struct goal_graph *g, int op, int before)
{
	if (before >= 0)
		goal_requires(g, op, before);
}

int goal_copy(struct goal_graph *g, struct goal_place to, struct goal_place from, uint64_t bytes)
{
	bool same = to.buffer == from.buffer && to.offset == from.offset;

	if (bytes == 0 || same)
		return -1;
	return goal_local(g, GOAL_COPY, GOAL_NONE, bytes, to, from);
}

static struct goal_place segment_at(const struct goal_spread *s, int i)
{
	return GOAL_AT(s->at.buffer, s->at.offset + goal_cut_at(&s->cut, i));
}

static void after_all(struct goal_graph *g, const struct goal_spread *s, int op)
{
	for (int i = 0; i < s->nafter; i++)
		goal_after(g, op, s->after[i]);
}

/*
 * All segments are awaited from the start; their receives have consecutive numbers, of which the
 * first is returned.
 */
static int receive_segments(struct goal_graph *g, const struct goal_spread *s, int from)
{
	int first = goal_nops(g);

	for (int i = 0; i < s->cut.n; i++) {
		int op = goal_recv(g, goal_cut_bytes(&s->cut, i), segment_at(s, i), from,
				   s->tag + (uint32_t)i);

		after_all(g, s, op);
	}
	return first;
}

void goal_spread(struct goal_graph *g, const struct goal_spread *s, int nprocs, int rank)
{
	int v = goal_relative(rank, s->root, nprocs), received = -1, child;

	if (v > 0)
		received =
			receive_segments(g, s, goal_absolute(s->shape->parent(v), s->root, nprocs));
	for (int i = 0; i < s->cut.n; i++)
		for (int j = 0; (child = s->shape->child(v, j, nprocs)) >= 0; j++) {
			int op = goal_send(g, goal_cut_bytes(&s->cut, i), segment_at(s, i),
					   goal_absolute(child, s->root, nprocs),
					   s->tag + (uint32_t)i);

			if (v > 0)
				goal_requires(g, op, received + i);
			else
				after_all(g, s, op);
		}
}

void goal_spread_multicast(struct goal_graph *g, const struct goal_spread *s, int nprocs, int rank)
{
	if (nprocs == 1)
		return;
	if (rank != s->root) {
		receive_segments(g, s, s->root);
		return;
	}
	for (int i = 0; i < s->cut.n; i++)
		after_all(g, s, goal_multicast(g, goal_cut_bytes(&s->cut, i), segment_at(s, i),
					       s->tag + (uint32_t)i));
}
