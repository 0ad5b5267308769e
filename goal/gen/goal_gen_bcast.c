/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_bcast.c - the same bytes from the root to all. */

/*
 * Barchet-Estefanel and Mounié, "Performance Characterisation of Intra-Cluster Collective
 * Communications", Table 1, and for large messages scatter and allgather (Barnett, Payne, van de
 * Geijn and Watts, 1996). All sends are from the user's buffer and all receives into it; there is
 * no scratchpad.
 */
#include "goal/gen/goal_gen_tree.h"

static struct goal_spread spread_of(const struct goal_task *task, const struct goal_shape *shape)
{
	return (struct goal_spread){
		.shape = shape, .root = task->root, .at = GOAL_AT(task->target, 0),
		.cut = goal_cut(task->bytes, task->algorithm->has_segment ? task->segment : 0, 1),
	};
}

static void down(struct goal_graph *g, const struct goal_task *task, int nprocs, int rank,
		 const struct goal_shape *shape)
{
	struct goal_spread s = spread_of(task, shape);

	goal_spread(g, &s, nprocs, rank);
}

static void gen_bcast_linear(struct goal_graph *g, const struct goal_task *task, int nprocs,
			     int rank)
{
	down(g, task, nprocs, rank, &goal_shape_linear);
}

static void gen_bcast_chain(struct goal_graph *g, const struct goal_task *task, int nprocs,
			    int rank)
{
	down(g, task, nprocs, rank, &goal_shape_chain);
}

static void gen_bcast_binary(struct goal_graph *g, const struct goal_task *task, int nprocs,
			     int rank)
{
	down(g, task, nprocs, rank, &goal_shape_binary);
}

/* Number v sends to d v + 1, d v + 2, ... d v + d; all levels but the last are full. */
static void gen_bcast_d_ary(struct goal_graph *g, const struct goal_task *task, int nprocs,
			    int rank)
{
	int v = goal_relative(rank, task->root, nprocs), d = task->arity, received = -1;
	struct goal_place at = GOAL_AT(task->target, 0);
	int64_t first = (int64_t)d * v + 1;

	if (task->bytes == 0)
		return;
	if (v > 0)
		received = goal_recv(g, task->bytes, at,
				     goal_absolute((v - 1) / d, task->root, nprocs), 0);
	for (int64_t child = first; child < first + d && child < nprocs; child++)
		goal_after(g,
			   goal_send(g, task->bytes, at,
				     goal_absolute((int)child, task->root, nprocs), 0),
			   received);
}

static void gen_bcast_binomial(struct goal_graph *g, const struct goal_task *task, int nprocs,
			       int rank)
{
	down(g, task, nprocs, rank, &goal_shape_binomial);
}

static void gen_bcast_multicast(struct goal_graph *g, const struct goal_task *task, int nprocs,
				int rank)
{
	struct goal_spread s = spread_of(task, NULL);

	goal_spread_multicast(g, &s, nprocs, rank);
}

/* ---- Rendezvous ------------------------------------------------------------------ */

enum { REQUEST, ANSWER, DATA };

/* Ask all children at once when the data are here; each gets them when it has answered. */
static void bcast_rendezvous(struct goal_graph *g, const struct goal_task *task, int nprocs,
			     int rank, const struct goal_shape *shape)
{
	int v = goal_relative(rank, task->root, nprocs), data = -1, child;

	if (task->bytes == 0)
		return;
	if (v > 0) {
		int parent = goal_absolute(shape->parent(v), task->root, nprocs), asked, answer;

		/* The receive of the data is posted first, so an answer says that it is posted. */
		data = goal_recv(g, task->bytes, GOAL_AT(task->target, 0), parent, DATA);
		asked = goal_recv(g, 1, GOAL_NOWHERE, parent, REQUEST);
		answer = goal_send(g, 1, GOAL_NOWHERE, parent, ANSWER);
		goal_requires(g, answer, asked);
		goal_irequires(g, answer, data);
	}
	for (int i = 0; (child = shape->child(v, i, nprocs)) >= 0; i++) {
		int to = goal_absolute(child, task->root, nprocs);
		int request = goal_send(g, 1, GOAL_NOWHERE, to, REQUEST);
		int answer = goal_recv(g, 1, GOAL_NOWHERE, to, ANSWER);
		int sent = goal_send(g, task->bytes, GOAL_AT(task->target, 0), to, DATA);

		goal_after(g, request, data);
		goal_requires(g, sent, answer);
	}
}

static void gen_bcast_linear_rendezvous(struct goal_graph *g, const struct goal_task *task,
					int nprocs, int rank)
{
	bcast_rendezvous(g, task, nprocs, rank, &goal_shape_linear);
}

static void gen_bcast_chain_rendezvous(struct goal_graph *g, const struct goal_task *task,
				       int nprocs, int rank)
{
	bcast_rendezvous(g, task, nprocs, rank, &goal_shape_chain);
}

static void gen_bcast_binomial_rendezvous(struct goal_graph *g, const struct goal_task *task,
					  int nprocs, int rank)
{
	bcast_rendezvous(g, task, nprocs, rank, &goal_shape_binomial);
}

/* ---- Scatter and allgather --------------------------------------------------------- */

/*
 * The message is cut into nprocs shares that differ by a byte at most. They go down a binomial
 * tree, so relative number v then has shares v .. v + size - 1; then each gets the missing shares.
 * A share of no bytes is not sent.
 */
struct shares {
	struct goal_graph *g;
	const struct goal_task *task;
	int nprocs, v;
	int scattered;			/* the receive of our shares; -1 at the root */
};

enum { SCATTER, GATHER };		/* tags; rounds follow behind the second */

static int peer(const struct shares *s, int v)
{
	return goal_absolute(v, s->task->root, s->nprocs);
}

static uint64_t share_at(const struct shares *s, int i)
{
	uint64_t n = (uint64_t)s->nprocs, rest = s->task->bytes % n;

	return (uint64_t)i * (s->task->bytes / n) + ((uint64_t)i < rest ? (uint64_t)i : rest);
}

static int send_shares(const struct shares *s, int first, int n, int to, uint32_t tag)
{
	uint64_t at = share_at(s, first), bytes = share_at(s, first + n) - at;

	if (bytes == 0)
		return -1;
	return goal_send(s->g, bytes, GOAL_AT(s->task->target, at), peer(s, to), tag);
}

static int receive_shares(const struct shares *s, int first, int n, int from, uint32_t tag)
{
	uint64_t at = share_at(s, first), bytes = share_at(s, first + n) - at;

	if (bytes == 0)
		return -1;
	return goal_recv(s->g, bytes, GOAL_AT(s->task->target, at), peer(s, from), tag);
}

/* Did @v get share @i down the tree? */
static bool had(const struct shares *s, int v, int i)
{
	return i >= v && i < v + goal_shape_binomial.size(v, s->nprocs);
}

/* Either may be none: @op, as its share has no bytes. */
static void after(struct goal_graph *g, int op, int before)
{
	if (op >= 0)
		goal_after(g, op, before);
}

/* Share v - k goes right in round k, unless the right one had it down the tree. */
static void bcast_ring(const struct shares *s)
{
	int n = s->nprocs, right = (s->v + 1) % n, left = (s->v + n - 1) % n;
	int last = -1;

	for (int k = 0; k < n - 1; k++) {
		int out = (s->v - k + n) % n, in = (s->v - k - 1 + n) % n;

		if (!had(s, right, out))
			after(s->g, send_shares(s, out, 1, right, GATHER + (uint32_t)k),
			      had(s, s->v, out) ? s->scattered : last);
		if (!had(s, s->v, in))
			last = receive_shares(s, in, 1, left, GATHER + (uint32_t)k);
	}
}

/*
 * In round k groups of 2^k exchange all they have. The first of two groups has the shares of the
 * second already, if it is at its head.
 */
static void double_up(const struct shares *s)
{
	int last[GOAL_ROUNDS_MOST], n = 0;
	uint32_t tag = GATHER;

	for (int size = 1; size < s->nprocs; size *= 2, tag++) {
		int mine = s->v & ~(size - 1), theirs = mine ^ size, other = s->v ^ size, op = -1;

		if (other % (2 * size) != 0)
			op = send_shares(s, mine, size, other, tag);
		for (int i = 0; i < n; i++)
			after(s->g, op, last[i]);
		after(s->g, op, s->scattered);
		if (s->v % (2 * size) != 0)
			last[n++] = receive_shares(s, theirs, size, other, tag);
	}
}

static void gen_bcast_scatter_allgather(struct goal_graph *g, const struct goal_task *task,
					int nprocs, int rank)
{
	struct shares s = { g, task, nprocs, goal_relative(rank, task->root, nprocs), -1 };
	const struct goal_shape *shape = &goal_shape_binomial;
	int child;

	if (s.v > 0)
		s.scattered = receive_shares(&s, s.v, shape->size(s.v, nprocs),
					     shape->parent(s.v), SCATTER);
	for (int i = 0; (child = shape->child(s.v, i, nprocs)) >= 0; i++)
		after(g, send_shares(&s, child, shape->size(child, nprocs), child, SCATTER),
		      s.scattered);
	if (goal_butterfly_core(nprocs) == nprocs)
		double_up(&s);
	else
		bcast_ring(&s);
}

const struct goal_algorithm goal_bcast_algorithms[] = {
	{ .kind = GOAL_BCAST,
	  .name = "binomial",
	  .generate = gen_bcast_binomial,
	  .summary = "tree of ceil(log2 P) levels, the whole message at a time" },
	{ .kind = GOAL_BCAST,
	  .name = "linear",
	  .generate = gen_bcast_linear,
	  .summary = "the root sends to one after the other" },
	{ .kind = GOAL_BCAST,
	  .name = "linear-rendezvous",
	  .generate = gen_bcast_linear_rendezvous,
	  .summary = "the same, each is asked before" },
	{ .kind = GOAL_BCAST,
	  .name = "segmented-linear",
	  .generate = gen_bcast_linear,
	  .has_segment = true,
	  .summary = "the root sends each segment to one after the other" },
	{ .kind = GOAL_BCAST,
	  .name = "chain",
	  .generate = gen_bcast_chain,
	  .summary = "from each to the next" },
	{ .kind = GOAL_BCAST,
	  .name = "chain-rendezvous",
	  .generate = gen_bcast_chain_rendezvous,
	  .summary = "the same, each is asked before" },
	{ .kind = GOAL_BCAST,
	  .name = "segmented-chain",
	  .generate = gen_bcast_chain,
	  .has_segment = true,
	  .summary = "pipeline: each passes segments on as they come" },
	{ .kind = GOAL_BCAST,
	  .name = "binary",
	  .generate = gen_bcast_binary,
	  .summary = "tree in which each has two below it" },
	{ .kind = GOAL_BCAST,
	  .name = "d-ary",
	  .generate = gen_bcast_d_ary,
	  .has_arity = true,
	  .summary = "tree in which each has d below it; the models know the best d" },
	{ .kind = GOAL_BCAST,
	  .name = "binomial-rendezvous",
	  .generate = gen_bcast_binomial_rendezvous,
	  .summary = "binomial, each is asked before" },
	{ .kind = GOAL_BCAST,
	  .name = "segmented-binomial",
	  .generate = gen_bcast_binomial,
	  .has_segment = true,
	  .summary = "binomial, segments are passed on as they come" },
	{ .kind = GOAL_BCAST,
	  .name = "scatter-allgather",
	  .generate = gen_bcast_scatter_allgather,
	  .summary = "shares down a binomial tree, then exchanged: twice the bytes for any P" },
	{ .kind = GOAL_BCAST,
	  .name = "multicast",
	  .generate = gen_bcast_multicast,
	  .has_segment = true,
	  .multicasts = true,
	  .summary = "the root sends each segment to all at once" },
	{ .name = NULL },
};
