/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_opt.h - rewrite schedules so that they do the same with fewer operations and edges. */

/*
 * Rewritings, and why they are sound. A run of a graph is a sequence of events: an operation
 * starts, an operation ends. An edge says that one event comes before another: the end of a before
 * the start of b, or the start of a before the start of b. A rewriting is sound if
 *
 *	(1) each run of the new graph does what some run of the old one does, so what was certain
 *	    stays as it is. Operations race if no path orders them and one writes what another
 *	    accesses; the result is then that of some order of their pieces;
 *	(2) the new graph comes to its end wherever the old one does, whatever the other processes
 *	    do, in particular where their progress depends on messages of this one;
 *	(3) nothing waits for something that it did not wait for. (It may start later all the same:
 *	    two messages that have become one take the network before a third one that was
 *	    between them. So goalc merges messages only if the simulated time does not grow.)
 *
 * Redundant edges are dropped (goal_opt_edges.c). An edge is redundant if a path of other edges,
 * together with "the start of v is before its end", leads from its first event to its second. The
 * events are a graph without cycles, so all redundant edges can be dropped at once, and what is
 * left is the one smallest graph of the same order (Aho, Garey and Ullman, 1972). The order of
 * events is the same, hence (1) to (3).
 *
 * Twins become one operation (goal_opt_twins.c). Twins wait for exactly the same events, and
 * exactly the same operations wait for them, in the same way. So they are ready at the same event,
 * and what follows has to wait for both anyway. Local operations of one function and type end
 * without waiting for anything, so the new one, which does the pieces of the first and then those
 * of the second, is what the interpreter does in some of the old runs: (1); it ends whenever it is
 * ready: (2); and nothing that waits for it did not wait for both: (3).
 *
 * A local operation that waits for one other alone, of the same function and type, that nothing
 * else waits for, becomes part of that (a chain): it is ready exactly when that has ended.
 *
 * Pieces that touch on both sides become one, except where that changes bytes: a piece is copied
 * as by memmove(), so of a chain, whose second piece reads what the first has written, pieces
 * become one only if it is certain that they are apart: both of one buffer, or one of them in the
 * scratchpad. Two buffers may be the same memory. For twins nothing has to be certain: of pieces
 * [x, x + n) and [x + n, x + 2 n), and likewise of y, only one can write what the other reads, and
 * reading both first is then what happens if the reader is done first: a race.
 *
 * Messages of twins become one message (goal_opt_set.c), only where the graphs of all processes
 * are at hand, since sender and receiver must agree: sends that are twins, whose receives are
 * twins. The new send is ready when each old one was, and so is the new receive. A larger message
 * may have to wait for its receive where a smaller one did not, so messages are merged only if the
 * schedule ends even if every send waits for its receive. Then each old message is transferred as
 * soon as both are ready, and so is the new one: the same events become possible, by induction over
 * their order: (2). Operations that wait for a part of the message waited for all of them: (3). And
 * (1), if it is certain which message goes to which receive, and stays so: no receive of the job is
 * open (from any process, or with any tag); lengths agree; and all messages of one sender, receiver
 * and tag belong to the same twins on both sides, so that none of the same name is left to be
 * confused with the new one. Its tag is the first one's, and its pieces are sent and received in
 * the order of the sends.
 *
 * A program sees only its own graph, so goal_optimize() drops edges and merges local operations;
 * nothing that it does can be seen by another process.
 *
 * Cost. Searches for paths follow at most GOAL_OPT_FOLLOW_ONE edges for an operation, and
 * GOAL_OPT_FOLLOW for each operation and edge of a graph (and GOAL_OPT_FOLLOW_LEAST) in all: a path
 * that is not found leaves an edge that is not needed, and is no error. Everything else is linear
 * or sorts, in memory of some words for each operation and edge; each round of merging leaves fewer
 * operations, and there are at most GOAL_OPT_ROUNDS.
 */
#ifndef GOAL_OPT_H
#define GOAL_OPT_H

#include "goal/goal_graph.h"

enum {
	GOAL_OPT_FOLLOW_ONE = 1 << 16,
	GOAL_OPT_FOLLOW = 64,
	GOAL_OPT_FOLLOW_LEAST = 1 << 24,
	GOAL_OPT_ROUNDS = 64,
	GOAL_OPT_PARTS_MOST = 1024,	/* pieces of a merged operation */
};

/*
 * Edges of a graph whose operations are in traversal order: each is behind all that it waits for.
 * The graph's own are sorted, and each is there once, so all that begin at an operation follow each
 * other; @in has them sorted by the operation at which they end.
 */
struct goal_opt_edges {
	size_t *first;			/* by operation: the first that begins at it; and n */
	size_t *first_in;		/* by operation: the first in @in; and n */
	struct goal_edge *in;		/* by op, then before, then end */
};

/* False: no memory; free it in either case. */
bool goal_opt_edges_create(struct goal_opt_edges *e, struct goal_graph *g);
void goal_opt_edges_free(struct goal_opt_edges *e);

/* Drop what is redundant. False: no memory, and @g is as before. */
bool goal_opt_reduce(struct goal_graph *g, struct goal_gain *gain);

/*
 * By operation: the first of its twins, or itself. Sends, receives and local operations only;
 * sends to one peer, receives from one. False: no memory.
 */
bool goal_opt_twins(struct goal_graph *g, const struct goal_opt_edges *e, uint32_t *twin);

/*
 * How operations become one: @into[i] is a twin of i or begins its chain, or is i itself. Merged
 * operations follow it in the order of the calls.
 */
struct goal_opt_merge {
	uint32_t *into;
	uint32_t *next, *tail;		/* the list of an operation, and its last */
	bool *chained;			/* it follows in order what it is merged into */
	uint32_t *parts;		/* of an operation with all that is merged into it */
	uint64_t *bytes;
};

bool goal_opt_merge_create(struct goal_opt_merge *m, const struct goal_graph *g);
void goal_opt_merge_free(struct goal_opt_merge *m);
/* Merge @op into @into, which is merged into none; false: it would be too large. */
bool goal_opt_merge_one(struct goal_opt_merge *m, uint32_t op, uint32_t into, bool chained);
/* Rewrite the graph; its operations are in traversal order again. False: as above. */
bool goal_opt_merge_apply(struct goal_graph *g, const struct goal_opt_merge *m);

/*
 * All that one process may do alone, until nothing changes. The operations of @g are in traversal
 * order, as goal_decompile() gives them. False: no memory; @g is then sound, and not all is done.
 */
bool goal_opt_alone(struct goal_graph *g, struct goal_gain *gain);

#endif
