/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_tree.h - what generators of collective operations share: trees, cuts, blocks. */

/*
 * Trees are of relative numbers: the root is 0, and process p is number (p - root) modulo nprocs.
 * In all but the binary one a process and what is below it are consecutive numbers, so their blocks
 * travel as one message.
 */
#ifndef GOAL_GEN_TREE_H
#define GOAL_GEN_TREE_H

#include "goal/gen/goal_algorithms.h"
#include "goal/gen/goal_topology.h"

enum {
	GOAL_ROUNDS_MOST = 25,		/* rounds of distance 2^k, for GOAL_PROCESSES_MOST */
	GOAL_CUTS_MOST = 1 << 16,	/* segments of one message */
};

struct goal_shape {
	int (*parent)(int v);			/* of a v > 0 */
	/* The i-th child, in the order in which they are sent to, or -1. */
	int (*child)(int v, int i, int nprocs);
	/* How many numbers from v on are v and below it; NULL if those are not consecutive. */
	int (*size)(int v, int nprocs);
};

extern const struct goal_shape goal_shape_linear, goal_shape_chain, goal_shape_binary,
	goal_shape_binomial;

static inline int goal_relative(int rank, int root, int nprocs)
{
	return rank >= root ? rank - root : rank - root + nprocs;
}

static inline int goal_absolute(int v, int root, int nprocs)
{
	return v < nprocs - root ? v + root : v - (nprocs - root);
}

/* @bytes cut into @n segments, all but the last of @segment. */
struct goal_cut {
	uint64_t bytes, segment;
	int n;
};

/*
 * Cut on multiples of @element; @segment 0, or more than @bytes: one. Segments grow where there
 * would be more than GOAL_CUTS_MOST of them, so that no segment size makes a schedule that is too
 * large to build.
 */
struct goal_cut goal_cut(uint64_t bytes, uint64_t segment, uint64_t element);

static inline uint64_t goal_cut_at(const struct goal_cut *c, int i)
{
	return (uint64_t)i * c->segment;
}

static inline uint64_t goal_cut_bytes(const struct goal_cut *c, int i)
{
	return i < c->n - 1 ? c->segment : c->bytes - goal_cut_at(c, i);
}

/*
 * The blocks @first .. @first + @n - 1 (modulo @nblocks), @bytes each, of a buffer of @nblocks
 * blocks: one piece or two. Returns how many.
 */
size_t goal_blocks(struct goal_piece *pieces, int buffer, int first, int n, int nblocks,
		   uint64_t bytes);

/* goal_requires(), if there is an operation to wait for: @before may be -1. */
void goal_after(struct goal_graph *g, int op, int before);
/* A copy; -1 if there is nothing to do. */
int goal_copy(struct goal_graph *g, struct goal_place to, struct goal_place from, uint64_t bytes);

/* NULL, or why nprocs blocks of the task's bytes are too much. For all operations on blocks. */
const char *goal_blocks_refuse(const struct goal_task *task, int nprocs);

/* The same for algorithms that need lengths which not all processes have, or join blocks. */
const char *goal_joined_blocks_refuse(const struct goal_task *task, int nprocs);

/* The same bytes from a root to all, down a tree or by multicast. */
struct goal_spread {
	const struct goal_shape *shape;
	int root;
	struct goal_place at;		/* where they are, and go to, on all */
	struct goal_cut cut;
	uint32_t tag;			/* and those behind it, one a segment */
	const int *after;		/* what has to end before these bytes may be touched here */
	int nafter;
};

/* Every process sends segment i to all its children as soon as it has it, before segment i + 1. */
void goal_spread(struct goal_graph *g, const struct goal_spread *s, int nprocs, int rank);
/* The root multicasts each segment; @s->shape is not used. */
void goal_spread_multicast(struct goal_graph *g, const struct goal_spread *s, int nprocs, int rank);

/*
 * The blocks of all, up a tree to the task's root, with tag 0. Writes to @last, which has room for
 * GOAL_ROUNDS_MOST + 1 if the tree is binomial and may be NULL, what has to end here before the
 * target is whole (at the root) or may be written to; returns how many these are.
 */
int goal_gather_up(struct goal_graph *g, const struct goal_task *task, int nprocs, int rank,
		   const struct goal_shape *shape, int *last);

#endif
