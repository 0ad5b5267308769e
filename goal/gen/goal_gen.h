/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen.h - schedules of barriers and collective operations, by algorithm. */

/*
 * A generator adds the part of one process to a graph. It knows nothing of networks; models
 * choose the algorithm and the segment (bsplib/model/model.h). Generators of the same arguments
 * on all processes match. Tags are from 0 on and a schedule's own.
 *
 * Every operation of a collective is one of these:
 *	barrier		no process ends it before all have started; may carry counts
 *	bcast		@bytes of the root to all
 *	scatter		@bytes to each from the root's P blocks
 *	gather		the reverse
 *	allgather	@bytes of each process to all
 *	exchange	total exchange: block q of process p becomes block p of process q
 *	reduce		elements of all folded, at the root
 *	allreduce	the same at all
 *	scan		process p gets the fold of 0 .. p
 *	reduce-scatter	P blocks of each folded: process p gets block p of the result
 * Folds are in the order of the process numbers (x0 op x1) op ...: associative is all that an
 * operator needs to be, and results do not depend on timing. Results of allreduce are the same on
 * all processes to the last bit.
 *
 * Buffers. The source has the data that a process contributes: of scatter at the root and of
 * exchange and reduce-scatter a block for each process, in order, else @bytes. The target has the
 * data that it receives: of gather at the root, of allgather and of exchange a block from each,
 * else @bytes. Bcast has a target only, which is read at the root. A process without data to
 * contribute or receive has a buffer of 0 bytes there. Sources are not written.
 *
 * If source and target are the same buffer it is used in place:
 *	scatter		the root's block stays among its blocks; the others receive theirs at
 *			the beginning
 *	gather		the root's block is in its place; the others send the block at the
 *			beginning
 *	allgather	each process's own block is in its place
 *	reduce-scatter	refuses it
 *	others		the source is at the beginning, and is replaced; of reduce, at the
 *			root only
 *
 * Nodes. With @nodes an operation has two levels, and one message goes to or from a node where one
 * would go to or from each of its processes: bcast, reduce, allreduce, scan and reduce-scatter by
 * any algorithm that does not multicast, gather and scatter by the linear one, allgather and
 * exchange by those that take lengths as arguments. Results are those of one level, but for what
 * rounding makes of another bracketing.
 *
 * Lengths as arguments. With @apart each piece of each message is one block, or part of none. So a
 * schedule for blocks of one byte (or element) serves blocks of any lengths: the start of a run
 * replaces each place and length, which are the number of a block and 1. goal_scratch_blocks() says
 * which block's length a unit of the scratchpad has. Algorithms that need lengths of other
 * processes' blocks, which only the root of a gather or scatter has, refuse this; in two levels all
 * do but those of allgather and reduce-scatter, of which all processes have all lengths.
 */
#ifndef GOAL_GEN_H
#define GOAL_GEN_H

#include "goal.h"

enum goal_kind {
	GOAL_BARRIER, GOAL_BCAST, GOAL_SCATTER, GOAL_GATHER, GOAL_ALLGATHER, GOAL_EXCHANGE,
	GOAL_REDUCE, GOAL_ALLREDUCE, GOAL_SCAN, GOAL_REDUCE_SCATTER, GOAL_KINDS,
};

/* How the result of a barrier that has a root gets back. */
enum goal_release { GOAL_RELEASE_TREE, GOAL_RELEASE_MULTICAST };

/*
 * The processes that share a node, where each node has consecutive ones: those of node k are
 * first[k] .. first[k + 1] - 1, one at least.
 */
struct goal_node_map {
	int n;
	const int *first;		/* n + 1, from 0 to the number of processes */
};

/* The node of process @p. */
int goal_node_in_map(const struct goal_node_map *map, int p);

/* The operation: the same on all processes but for the numbers of buffers. */
struct goal_task {
	enum goal_kind kind;
	const struct goal_algorithm *algorithm;
	int root;			/* of bcast, scatter, gather, reduce */
	/* See above; of reduce, allreduce, scan: of all elements together. */
	uint64_t bytes;
	/*
	 * Bytes, for the algorithms with segments; 0 or more than @bytes: one segment. It is
	 * rounded to whole elements, and up where there would be more than 65536 segments.
	 */
	uint64_t segment;
	int arity;			/* of k-ary trees, >= 1; of barriers see goal_topology.h */
	enum goal_release release;	/* barrier */
	/*
	 * Barriers that know nodes: processes of each, which have consecutive numbers; the last
	 * may have fewer. 0 or 1: all are alike, or @nodes says.
	 */
	int node;
	/*
	 * Collectives in two levels (goal_gen_nodes.c), and barriers over nodes of any sizes: the
	 * algorithm is that between nodes. NULL: all processes are alike.
	 */
	const struct goal_node_map *nodes;
	/*
	 * Barriers that know nodes: only the first process of each takes part, with the numbers and
	 * words of its whole node, which has counted them by itself.
	 */
	bool counted;
	/*
	 * For models, which choose algorithms that multicast by it: the longest message, in bytes,
	 * that the network multicasts as one. 0: none, a multicast is a message to each process.
	 */
	uint64_t multicast_most;
	/* 1 or 2: messages to one process are spread over so many (nic); 0 is 1. */
	int networks;
	/* For kinds that fold: */
	enum goal_function function;
	enum goal_datatype datatype;
	/*
	 * >= 0: fold by the host's function of that number, whose pieces are result, left, right;
	 * then the element is @element bytes.
	 */
	int call;
	uint64_t element;
	bool apart;			/* lengths are arguments of a run, see above */
	/*
	 * Scan: process p > 0 gets the fold of 0 .. p - 1, and process 0 nothing. The source is not
	 * the target. For scans between nodes.
	 */
	bool exclusive;
	/* Buffers: numbers of goal_buffer(). */
	int source, target;		/* the same: in place, see above */
	/* barrier: */
	struct goal_counts *counts;	/* NULL: it carries nothing */
};

/*
 * The data that a barrier carries. In the scratchpad, 4 bytes each; the generator says where.
 * Before the schedule starts, @out holds for d = 1 .. P - 1 a number for process me + d (modulo P),
 * and @any and @all a word each. When it is over @in is the sum of the numbers for us, @any the or
 * and @all the and of the words of all; @out is then 0 again (so that only what is not 0 must be
 * written). A task that is counted takes numbers for all processes but those of this node, and has
 * at @in as many sums as processes of this node. With @words there are no numbers, and a message
 * has 8 bytes, whatever P is.
 */
struct goal_counts {
	uint64_t out;			/* offset of an array of P; [0] is not used */
	uint64_t in;
	uint64_t any, all;
	bool words;			/* set by the caller: @any and @all alone */
};

struct goal_algorithm {
	enum goal_kind kind;
	const char *name;		/* as in BSP_COLL and goalc gen */
	const char *summary;		/* one line, with the source */
	bool has_segment, has_arity, has_release, has_nodes;
	bool multicasts;		/* always; not as the release of a barrier */
	/* Can it do that (a power of two, ...)? NULL or the reason. */
	const char *(*refuses)(const struct goal_task *task, int nprocs);
	/* goal_scratch_blocks() calls it for each unit of a task with one level. */
	int (*scratch_block)(int nprocs, int rank, uint64_t unit);
	/* Add the part of @rank to @g, whose nprocs it has. */
	void (*generate)(struct goal_graph *g, const struct goal_task *task, int nprocs, int rank);
};

/* "bcast", ...; -1 if there is none of that name. */
const char *goal_kind_name(enum goal_kind kind);
int goal_kind_of(const char *name);

/* Does it fold elements? */
static inline bool goal_kind_folds(enum goal_kind kind)
{
	return kind == GOAL_REDUCE || kind == GOAL_ALLREDUCE || kind == GOAL_SCAN ||
	       kind == GOAL_REDUCE_SCATTER;
}

/*
 * The i-th algorithm of a kind, or NULL; the algorithm of a name, or NULL. goal_algorithms.c
 * has the table. A name of an earlier version gives an algorithm whose name differs; the caller
 * prints a notice.
 */
const struct goal_algorithm *goal_algorithm(enum goal_kind kind, unsigned int i);
const struct goal_algorithm *goal_algorithm_named(enum goal_kind kind, const char *name);

/* Why this cannot be done, or NULL if it can: what goal_generate() would say. */
const char *goal_refuses(const struct goal_task *task, int nprocs, int rank);

/*
 * Lengths as arguments: fill in the block whose length each of @n units of the scratchpad has, or
 * -1: it is not used.
 */
void goal_scratch_blocks(const struct goal_task *task, int nprocs, int rank, int *blocks, size_t n);

/*
 * Generate and compile; NULL with the reason in @why (@len bytes). Buffers are numbered as the task
 * says: create them in order.
 */
void *goal_generate(const struct goal_task *task, int nprocs, int rank, size_t *bytes, char *why,
		    size_t len);

#endif
