/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_reduce.c - reduce to a root, and allreduce. */

/*
 * Values are of runs of neighbours, and only neighbouring runs are folded, the lower one on the
 * left: so it is enough that the operator is associative. Any root is reached directly, without a
 * detour through process 0.
 *
 * In all algorithms of allreduce but dissemination any two processes that compute the same value do
 * so from the same operands in the same order, so results are the same on all to the last bit.
 */
#include "goal/gen/goal_gen_fold.h"

/* ---- Reduce ------------------------------------------------------------------------ */

static bool is_root(const struct goal_task *task, int rank)
{
	return rank == task->root;
}

static void gen_reduce_linear(struct goal_graph *g, const struct goal_task *task, int nprocs,
			      int rank)
{
	struct goal_fold f;
	struct goal_value v, all = { .slot = -1 };

	if (task->bytes == 0)
		return;
	goal_fold_begin(&f, g, task, rank, task->bytes, 4);
	if (!is_root(task, rank)) {
		goal_fold_send(&f, goal_fold_own(&f), task->root, 0);
		return;
	}
	for (int p = 0; p < nprocs; p++) {
		v = p == rank ? goal_fold_own(&f) : goal_fold_receive(&f, p, 0);
		all = p == 0 ? v : goal_fold(&f, all, v);
	}
	goal_fold_end(&f, all);
}

/* Two chains, from both ends to the root. */
static void reduce_chain_segment(struct goal_fold *f, int nprocs, int rank, uint32_t tag)
{
	int root = f->task->root;
	struct goal_value v = goal_fold_own(f);

	if (rank > 0 && rank <= root)
		v = goal_fold(f, goal_fold_receive(f, rank - 1, tag), v);
	if (rank < nprocs - 1 && rank >= root)
		v = goal_fold(f, v, goal_fold_receive(f, rank + 1, tag));
	if (rank == root)
		goal_fold_end(f, v);
	else
		goal_fold_send(f, v, rank < root ? rank + 1 : rank - 1, tag);
	if (rank != root)
		goal_fold_drop(f, v);
}

static void gen_reduce_chain(struct goal_graph *g, const struct goal_task *task, int nprocs,
			     int rank)
{
	goal_fold_by_segments(g, task, nprocs, rank, reduce_chain_segment);
}

/*
 * A binomial tree whose root is anywhere. A run of processes is halved; the half without the root
 * has its first process as its own, and sends to the root when both halves are done. So a process
 * has first to do with the smallest of the runs it is root of.
 */
enum side { ROOT_LEFT, ROOT_RIGHT, SENDS };

struct halving {
	int n;
	int peer[GOAL_ROUNDS_MOST];
	enum side side[GOAL_ROUNDS_MOST];
};

static void note(struct halving *h, int peer, enum side side)
{
	h->peer[h->n] = peer;
	h->side[h->n++] = side;
}

/* From the largest run to the one of @rank alone. */
static void reduce_halve(struct halving *h, int nprocs, int rank, int root)
{
	int low = 0, high = nprocs;

	h->n = 0;
	while (high - low > 1) {
		int middle = low + (high - low + 1) / 2;
		bool root_right = root >= middle, right = rank >= middle;
		int other = root_right ? low : middle;

		if (rank == root)
			note(h, other, root_right ? ROOT_RIGHT : ROOT_LEFT);
		if (rank == other)
			note(h, root, SENDS);
		if (right != root_right)
			root = other;
		if (right)
			low = middle;
		else
			high = middle;
	}
}

/* The value at the root; elsewhere one that has been sent. */
static struct goal_value fold_up(struct goal_fold *f, int nprocs, int rank, int root)
{
	struct goal_value v = goal_fold_own(f);
	struct halving h;

	reduce_halve(&h, nprocs, rank, root);
	while (h.n-- > 0) {
		int peer = h.peer[h.n];

		if (h.side[h.n] == SENDS)
			goal_fold_send(f, v, peer, 0);
		else if (h.side[h.n] == ROOT_LEFT)
			v = goal_fold(f, v, goal_fold_receive(f, peer, 0));
		else
			v = goal_fold(f, goal_fold_receive(f, peer, 0), v);
	}
	return v;
}

static void gen_reduce_binomial(struct goal_graph *g, const struct goal_task *task, int nprocs,
				int rank)
{
	struct goal_fold f;
	struct goal_value v;

	if (task->bytes == 0)
		return;
	goal_fold_begin(&f, g, task, rank, task->bytes, 1);
	v = fold_up(&f, nprocs, rank, task->root);
	if (is_root(task, rank))
		goal_fold_end(&f, v);
}

/* ---- Allreduce ----------------------------------------------------------------------- */

/* Process 0 has the result, which goes from there to all by @spread. */
static void spread_result(struct goal_fold *f, struct goal_value v, int nprocs, int rank,
			  void (*spread)(struct goal_graph *g, const struct goal_spread *s,
					 int nprocs, int rank))
{
	struct goal_spread down = { .shape = &goal_shape_binomial,
				    .at = GOAL_AT(f->task->target, 0),
				    .cut = goal_cut(f->task->bytes, 0, 1), .tag = 1 };

	if (rank == 0)
		goal_fold_end(f, v);
	down.nafter = goal_fold_target_uses(f, &down.after);
	spread(f->g, &down, nprocs, rank);
}

static void gen_allreduce_reduce_bcast(struct goal_graph *g, const struct goal_task *task,
				       int nprocs, int rank)
{
	struct goal_fold f;
	struct goal_value v;

	if (task->bytes == 0)
		return;
	goal_fold_begin(&f, g, task, rank, task->bytes, 1);
	v = fold_up(&f, nprocs, rank, 0);
	spread_result(&f, v, nprocs, rank, goal_spread);
}

/* A k-nomial tree, as a barrier has it: a child's value is of the processes from it on. */
static void gen_allreduce_reduce_multicast(struct goal_graph *g, const struct goal_task *task,
					   int nprocs, int rank)
{
	struct goal_tree t = goal_tree_make(nprocs, task->arity, 1, NULL);
	int children = goal_tree_children(&t, rank);
	struct goal_fold f;
	struct goal_value v;

	if (task->bytes == 0)
		return;
	goal_fold_begin(&f, g, task, rank, task->bytes, 4);
	v = goal_fold_own(&f);
	for (int n = 0; n < children; n++)
		v = goal_fold(&f, v, goal_fold_receive(&f, goal_tree_child(&t, rank, n), 0));
	if (rank)
		goal_fold_send(&f, v, goal_tree_parent(&t, rank), 0);
	spread_result(&f, v, nprocs, rank, goal_spread_multicast);
}

/*
 * The largest power of two of processes is the core. Each odd one of the first 2 x rest processes
 * gives its value to the one before it, and gets the result at the end; the others are the core, in
 * the order of their numbers.
 */
struct core {
	int size, rest;
	int me;				/* number in the core; -1: outside */
};

enum { INWARD, OUTWARD, ROUND };	/* tags; rounds follow behind the last */

static struct core core_of(int nprocs, int rank)
{
	struct core c = { .size = goal_butterfly_core(nprocs) };

	c.rest = nprocs - c.size;
	c.me = rank - c.rest;
	if (rank < 2 * c.rest)
		c.me = rank % 2 ? -1 : rank / 2;
	return c;
}

static int core_rank(const struct core *c, int q)
{
	return q < c->rest ? 2 * q : q + c->rest;
}

static bool has_guest(const struct core *c)
{
	return c->me >= 0 && c->me < c->rest;
}

static void be_guest(struct goal_fold *f, int host)
{
	goal_fold_send(f, goal_fold_own(f), host, INWARD);
	goal_fold_overwrites(f,
			     goal_recv(f->g, f->bytes, GOAL_AT(f->task->target, 0), host, OUTWARD));
}

static struct goal_value reduce_enter(struct goal_fold *f, const struct core *c, int rank)
{
	struct goal_value v = goal_fold_own(f);

	if (has_guest(c))
		v = goal_fold(f, v, goal_fold_receive(f, rank + 1, INWARD));
	return v;
}

static void gen_allreduce_recursive_doubling(struct goal_graph *g, const struct goal_task *task,
					     int nprocs, int rank)
{
	struct core c = core_of(nprocs, rank);
	struct goal_value v, theirs;
	uint32_t tag = ROUND;
	struct goal_fold f;
	int end;

	if (task->bytes == 0)
		return;
	goal_fold_begin(&f, g, task, rank, task->bytes, 1);
	if (c.me < 0) {
		be_guest(&f, rank - 1);
		return;
	}
	v = reduce_enter(&f, &c, rank);
	for (int distance = 1; distance < c.size; distance *= 2, tag++) {
		int other = core_rank(&c, c.me ^ distance);

		theirs = goal_fold_receive(&f, other, tag);
		goal_fold_send(&f, v, other, tag);
		v = other > rank ? goal_fold(&f, v, theirs) : goal_fold(&f, theirs, v);
	}
	end = goal_fold_end(&f, v);
	if (has_guest(&c))
		goal_after(g,
			   goal_send(g, task->bytes, GOAL_AT(task->target, 0), rank + 1, OUTWARD),
			   end);
}

/* ---- Reduce-scatter and allgather ------------------------------------------------------- */

/*
 * Rabenseifner, "Optimization of Collective Reduction Operations" (2004). In round k neighbours at
 * distance 2^k each keep a half of the range and give away the other: near ones first, so that
 * values are of runs in order. Then the same rounds backwards, in which the halves given away come
 * back as results.
 */
struct share {
	uint64_t at, bytes;
};

struct round {
	int other;
	struct share keeps, gives;
	int gave;			/* the send */
};

static struct round split(struct share all, uint64_t element, int other, bool keeps_low)
{
	uint64_t low = (all.bytes / element + 1) / 2 * element;
	struct share halves[2] = { { all.at, low }, { all.at + low, all.bytes - low } };

	return (struct round){ other, halves[!keeps_low], halves[keeps_low], -1 };
}

/* The operation after which the process's share of the result is in the target. */
static int scatter_halves(struct goal_fold *f, const struct core *c, int rank, struct round *rounds)
{
	struct share all = { 0, f->task->bytes };
	struct goal_value v = reduce_enter(f, c, rank), theirs;
	uint32_t tag = ROUND;

	for (int distance = 1; distance < c->size; distance *= 2, tag++, rounds++) {
		bool low = !(c->me & distance);

		*rounds =
			split(all, goal_fold_element(f->task), core_rank(c, c->me ^ distance), low);
		rounds->gave = goal_fold_send_part(f, v, rounds->gives.at, rounds->gives.bytes,
						   rounds->other, tag);
		all = rounds->keeps;
		v = goal_fold_narrow(f, v, all.at, all.bytes);
		theirs = goal_fold_receive(f, rounds->other, tag);
		v = low ? goal_fold(f, v, theirs) : goal_fold(f, theirs, v);
	}
	return goal_fold_end(f, v);
}

/* A send of the round may read from there: the result waits for it. */
static void gather_halves(struct goal_fold *f, const struct core *c, int rank,
			  const struct round *rounds, int n, int ready)
{
	int ended[GOAL_ROUNDS_MOST + 1], nended = 0, target = f->task->target;

	ended[nended++] = ready;
	while (n-- > 0) {
		const struct round *r = &rounds[n];
		uint32_t tag = ROUND + GOAL_ROUNDS_MOST + (uint32_t)n;
		int sent = goal_send(f->g, r->keeps.bytes, GOAL_AT(target, r->keeps.at), r->other,
				     tag);

		for (int i = 0; i < nended; i++)
			goal_after(f->g, sent, ended[i]);
		ended[nended++] = goal_recv(f->g, r->gives.bytes, GOAL_AT(target, r->gives.at),
					    r->other, tag);
		goal_after(f->g, ended[nended - 1], r->gave);
	}
	if (has_guest(c)) {
		int sent = goal_send(f->g, f->task->bytes, GOAL_AT(target, 0), rank + 1, OUTWARD);

		for (int i = 0; i < nended; i++)
			goal_after(f->g, sent, ended[i]);
	}
}

static void gen_allreduce_reduce_scatter_allgather(struct goal_graph *g,
						   const struct goal_task *task, int nprocs,
						   int rank)
{
	struct core c = core_of(nprocs, rank);
	struct round rounds[GOAL_ROUNDS_MOST];
	struct goal_fold f;
	int ready;

	if (task->bytes == 0)
		return;
	goal_fold_begin(&f, g, task, rank, task->bytes, 1);
	if (c.me < 0) {
		be_guest(&f, rank - 1);
		return;
	}
	if (!has_guest(&c))
		f.slot_bytes =
			split((struct share){ 0, task->bytes }, goal_fold_element(task), 0, true)
				.keeps.bytes;
	ready = scatter_halves(&f, &c, rank, rounds);
	gather_halves(&f, &c, rank, rounds, goal_rounds(c.size), ready);
}

static const char *too_few_elements(const struct goal_task *task, int nprocs)
{
	const char *reason = goal_fold_refuses(task, nprocs);

	if (reason || task->bytes == 0)
		return reason;
	if (task->bytes / goal_fold_element(task) < (uint64_t)goal_butterfly_core(nprocs))
		return "there are fewer elements than processes";
	return NULL;
}

/* ---- Dissemination --------------------------------------------------------------------- */

/*
 * Before round k a process has the fold of the window of 2^k processes that ends with it, and of
 * that window (modulo P) that has as many as the lower k bits of P. Both go on by 2^k, and join
 * those there, the second one only if bit k of P is set. So after ceil(log2 P) rounds each
 * contribution has been counted once, for any P: recursive doubling takes two more if P is no power
 * of two. But every process begins elsewhere in the circle.
 */
static const char *order_matters(const struct goal_task *task, int nprocs)
{
	const char *reason = goal_fold_refuses(task, nprocs);

	if (!reason && !goal_fold_commutes(task))
		return "results would differ from process to process, unless numbers are integers";
	return reason;
}

struct windows {
	struct goal_value full, rest;
	bool has_rest;
};

/* Bit k of P is not set: the windows of 2^k are doubled. */
static void double_window(struct goal_fold *f, struct windows *w, int to, int from, uint32_t tag)
{
	struct goal_value theirs = goal_fold_receive(f, from, tag);

	goal_fold_send(f, w->full, to, tag);
	theirs = goal_fold_into(f, theirs, w->full);
	goal_fold_drop(f, w->full);
	w->full = theirs;
}

/* Bit k of P is set: windows are doubled, and the new rest is the rest received and our window. */
static void extend_rest(struct goal_fold *f, struct windows *w, int to, int from, uint32_t tag)
{
	struct goal_value mine[2] = { w->full, w->rest }, theirs[2];
	size_t n = w->has_rest ? 2 : 1;

	goal_fold_receive_list(f, theirs, n, from, tag);
	goal_fold_send_list(f, mine, n, to, tag);
	for (size_t i = 0; i < n; i++)
		theirs[i] = goal_fold_into(f, theirs[i], w->full);
	w->rest = w->full;
	if (w->has_rest) {
		goal_fold_drop(f, mine[0]);
		goal_fold_drop(f, mine[1]);
		w->rest = theirs[1];
	}
	w->full = theirs[0];
	w->has_rest = true;
}

static void gen_allreduce_dissemination(struct goal_graph *g, const struct goal_task *task,
					int nprocs, int rank)
{
	struct windows w = { .has_rest = false };
	struct goal_value theirs;
	int highest = goal_butterfly_core(nprocs), to, from, distance = 1;
	struct goal_fold f;
	uint32_t tag = 0;

	if (task->bytes == 0)
		return;
	goal_fold_begin(&f, g, task, rank, task->bytes, 1);
	w.full = goal_fold_own(&f);
	for (;; distance *= 2, tag++) {
		to = (rank + distance) % nprocs;
		from = (rank + nprocs - distance) % nprocs;
		if (distance == highest)
			break;
		if (nprocs & distance)
			extend_rest(&f, &w, to, from, tag);
		else
			double_window(&f, &w, to, from, tag);
	}
	/* The highest bit: all that is missing is the rest from there. */
	if (w.has_rest) {
		theirs = goal_fold_receive(&f, from, tag);
		goal_fold_send(&f, w.rest, to, tag);
		w.full = goal_fold(&f, theirs, w.full);
	}
	goal_fold_end(&f, w.full);
}

const struct goal_algorithm goal_reduce_algorithms[] = {
	{ .kind = GOAL_REDUCE,
	  .name = "binomial",
	  .generate = gen_reduce_binomial,
	  .refuses = goal_fold_refuses,
	  .summary = "tree of ceil(log2 P) levels" },
	{ .kind = GOAL_REDUCE,
	  .name = "linear",
	  .generate = gen_reduce_linear,
	  .refuses = goal_fold_refuses,
	  .summary = "all send to the root, which folds" },
	{ .kind = GOAL_REDUCE,
	  .name = "chain",
	  .generate = gen_reduce_chain,
	  .refuses = goal_fold_refuses,
	  .summary = "from both ends to the root, each folds its own in" },
	{ .kind = GOAL_REDUCE,
	  .name = "segmented-chain",
	  .generate = gen_reduce_chain,
	  .has_segment = true,
	  .refuses = goal_fold_refuses,
	  .summary = "the same, segments are passed on as they come" },
	{ .name = NULL },
};

const struct goal_algorithm goal_allreduce_algorithms[] = {
	{ .kind = GOAL_ALLREDUCE,
	  .name = "recursive-doubling",
	  .generate = gen_allreduce_recursive_doubling,
	  .refuses = goal_fold_refuses,
	  .summary = "groups exchange values; log2 P rounds, two more if P is no power of two" },
	{ .kind = GOAL_ALLREDUCE,
	  .name = "dissemination",
	  .generate = gen_allreduce_dissemination,
	  .refuses = order_matters,
	  .summary = "ceil(log2 P) rounds for any P; integers" },
	{ .kind = GOAL_ALLREDUCE,
	  .name = "reduce-bcast",
	  .generate = gen_allreduce_reduce_bcast,
	  .refuses = goal_fold_refuses,
	  .summary = "to one and back, along binomial trees" },
	{ .kind = GOAL_ALLREDUCE,
	  .name = "reduce-scatter-allgather",
	  .generate = gen_allreduce_reduce_scatter_allgather,
	  .refuses = too_few_elements,
	  .summary = "each folds its share, then shares are gathered: twice the bytes for any P" },
	{ .kind = GOAL_ALLREDUCE,
	  .name = "reduce-multicast",
	  .generate = gen_allreduce_reduce_multicast,
	  .has_arity = true,
	  .multicasts = true,
	  .refuses = goal_fold_refuses,
	  .summary = "to one along a k-nomial tree, which sends the result to all at once" },
	{ .name = NULL },
};
