// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_gen_barrier.c - barriers: butterfly, trees with their release, and dissemination. */

/*
 * No process ends the barrier before all have started it. Receives are ready at once unless they
 * write to what is still to be sent, so that a message that is early finds its place.
 *
 * Counts. In a round of the dissemination barrier the numbers for the processes 2^k and more
 * further on, and less than 2^(k+1), go on by 2^k, from the largest k to 0; those that meet are
 * added (Bruck and others, 1997, whose blocks are numbers here). So after the round with 2^k a
 * process holds numbers for those less than 2^k further on, and sends P - 1 in all. The butterfly
 * halves what it holds in the same way. Trees add up all numbers at process 0; with the release
 * each gets those of its subtree.
 *
 * Nodes. Trees have two levels (goal_topology.h). Dissemination has its rounds between the first
 * processes of nodes, and a tree inside each node before and after them; what is said of processes
 * above holds for nodes. Where nodes have counted by themselves there are only the rounds or the
 * tree between first processes, and numbers come in for all processes of a node.
 */
#include "goal/gen/goal_algorithms.h"
#include "goal/gen/goal_gen_counts.h"
#include "goal/gen/goal_topology.h"

static void barrier_init(struct goal_barrier *b, struct goal_graph *g, const struct goal_task *task,
			 int nprocs, int rank)
{
	*b = (struct goal_barrier){
		.g = g, .nprocs = nprocs, .me = rank, .task = task, .counts = task->counts,
		.ours = 1,
	};
	if (task->counted) {
		struct goal_tree t = goal_tree_make(nprocs, 2, task->node, task->nodes);

		b->ours = goal_tree_node_size(&t, goal_tree_node(&t, rank));
	}
	goal_counts_init(b);
}

/* Is the task counted, and this no first process? */
static bool has_no_part(const struct goal_tree *t, int rank)
{
	return t->counted && rank != goal_tree_node_first(t, goal_tree_node(t, rank));
}

/* Messages to a process are spread over the networks: the network of the @n-th. */
static unsigned int barrier_network(const struct goal_barrier *b, int n)
{
	return b->task->networks == 2 ? n % 2 : 0;
}

/* ---- Rounds -------------------------------------------------------------------- */

/* The last send and what the next one waits for; -1: nothing. */
struct rounds {
	int sent, received;
};

/*
 * Send @out, receive @in. With counts what is received waits for what is sent and the next send
 * for that. Without them the next send has to wait for all rounds before: it does not
 * start before the last one has.
 */
static void barrier_exchange(const struct goal_barrier *b, struct rounds *r,
			     const struct goal_message *out, const struct goal_message *in)
{
	int sent = goal_counts_send(b, out);

	if (r->received >= 0)
		goal_requires(b->g, sent, r->received);
	if (r->sent >= 0 && !b->counts)
		goal_irequires(b->g, sent, r->sent);
	r->sent = sent;
	r->received = goal_counts_fold(b, in, sent);
}

/* ---- Butterfly -------------------------------------------------------------------- */

/*
 * The first 2^k processes exchange. Each of the others belongs to one of those, to which it sends
 * before and from which it receives afterwards: tags are 0 before, 1 to k in the rounds and k + 1
 * afterwards.
 */
static void behind(const struct goal_barrier *b, int front, uint32_t last_tag)
{
	int sent = goal_counts_send(
		b, &(struct goal_message){ front, 0, 0, { { front, b->nprocs } } });
	struct goal_message end = { front, last_tag, 0, { { b->me, 1 } } };
	uint64_t totals = 0;
	int got = goal_counts_get(b, &end, &totals);

	if (!b->counts)
		return;
	goal_requires(b->g, got, sent);
	goal_counts_clear(b, sent);
}

/* Counts for @n processes from @first on, and for those behind them. */
static struct goal_message half(const struct goal_barrier *b, int peer, int round, int first, int n)
{
	int core = goal_butterfly_core(b->nprocs);
	int rest = b->nprocs - core - first;

	return (struct goal_message){
		.peer = peer, .tag = round, .nic = barrier_network(b, round),
		.run = { { first, n }, { (core + first) % b->nprocs,
					 rest < 0 ? 0 : rest < n ? rest : n } },
	};
}

static void front(struct goal_barrier *b, int core, uint32_t last_tag)
{
	struct rounds r = { .sent = -1, .received = -1 };
	int other = b->me + core;
	int round = 1, sent = -1;

	if (other < b->nprocs)
		r.received = goal_counts_fold(
			b, &(struct goal_message){ other, 0, 0, { { b->me, b->nprocs } } }, -1);
	for (int n = core / 2; n; n /= 2, round++) {
		int peer = b->me ^ n;
		struct goal_message out = half(b, peer, round, peer & ~(n - 1), n);
		struct goal_message in = half(b, peer, round, b->me & ~(n - 1), n);

		barrier_exchange(b, &r, &out, &in);
	}
	if (other < b->nprocs) {
		sent = goal_counts_send(
			b, &(struct goal_message){ other, last_tag, 0, { { other, 1 } } });
		goal_requires(b->g, sent, r.received);
		if (r.sent >= 0 && !b->counts)
			goal_irequires(b->g, sent, r.sent);
	}
	if (b->counts && r.received >= 0)
		goal_counts_take(b, sent >= 0 ? sent : r.received);
}

static void gen_barrier_butterfly(struct goal_graph *g, const struct goal_task *task, int nprocs,
				  int rank)
{
	int core = goal_butterfly_core(nprocs);
	uint32_t last_tag = goal_rounds(core) + 1;
	struct goal_barrier b;

	barrier_init(&b, g, task, nprocs, rank);
	if (rank >= core)
		behind(&b, rank - core, last_tag);
	else
		front(&b, core, last_tag);
}

/* ---- Trees -------------------------------------------------------------------- */

enum { UP = 0, DOWN = 1 };

/* Receive from the first @children; @op waits for that. */
static void barrier_gather(const struct goal_barrier *b, const struct goal_tree *t, int children,
			   int op)
{
	for (int n = 0; n < children; n++) {
		struct goal_message m = { goal_tree_child(t, b->me, n), UP, barrier_network(b, n),
					  { { b->me, b->nprocs } } };

		goal_requires(b->g, op, goal_counts_fold(b, &m, -1));
	}
}

/*
 * Release a child; @totals is where the counts for this process are, before those for its
 * subtree.
 */
static int barrier_release(const struct goal_barrier *b, const struct goal_tree *t, int n,
			   uint64_t totals)
{
	int child = goal_tree_child(t, b->me, n);
	struct goal_message m = { child, DOWN, barrier_network(b, n),
				  { { child, goal_tree_size(t, child) } } };

	return goal_counts_put(b, &m, totals + (uint64_t)(child - b->me) * 4);
}

/*
 * Release the first @children, at least one, where the totals are; the largest subtree first. All
 * that is to be waited for is up to the first send, which is returned: the others need only wait
 * for its start, so that dependencies are as many as children, and not as their square.
 */
static int release_tree(const struct goal_barrier *b, const struct goal_tree *t, int children)
{
	uint64_t totals = b->counts ? b->counts->out : 0;
	int n = children - 1;
	int first = barrier_release(b, t, n, totals);
	int take = b->counts ? goal_counts_take(b, first) : -1;

	while (n-- > 0) {
		int sent = barrier_release(b, t, n, totals);

		goal_irequires(b->g, sent, first);
		if (take >= 0)
			goal_requires(b->g, take, sent);
	}
	return first;
}

static bool is_multicast(const struct goal_task *task)
{
	return task->algorithm->has_release && task->release == GOAL_RELEASE_MULTICAST;
}

/* The result is received where the counts for the parent were. */
static void below_root(const struct goal_barrier *b, const struct goal_tree *t)
{
	int parent = goal_tree_parent(t, b->me), children = goal_tree_children(t, b->me);
	unsigned int nic = barrier_network(b, goal_tree_place(t, b->me));
	struct goal_message to_parent = { parent, UP, nic, { { parent, b->nprocs } } };
	struct goal_message from_parent = { parent, DOWN, nic,
					    { { b->me, goal_tree_size(t, b->me) } } };
	struct goal_message from_root = { .peer = 0, .tag = DOWN };
	uint64_t totals = 0;
	int up = goal_counts_send(b, &to_parent), got;

	barrier_gather(b, t, children, up);
	if (is_multicast(b->task)) {
		got = goal_counts_get_multicast(b, &from_root);
	} else {
		got = goal_counts_get(b, &from_parent, &totals);
		for (int n = children - 1; n >= 0; n--)
			goal_requires(b->g, barrier_release(b, t, n, totals), got);
	}
	if (!b->counts)
		return;
	goal_requires(b->g, got, up);
	goal_counts_clear(b, up);
}

static void gen_barrier_tree(struct goal_graph *g, const struct goal_task *task, int nprocs,
			     int rank)
{
	int arity = goal_tree_arity(task->algorithm->name, task->arity, nprocs);
	struct goal_tree t = goal_tree_make(nprocs, arity, task->node, task->nodes);
	struct goal_barrier b;
	int children, sent;

	t.counted = task->counted;
	if (has_no_part(&t, rank))
		return;
	children = goal_tree_children(&t, rank);
	barrier_init(&b, g, task, nprocs, rank);
	if (rank) {
		below_root(&b, &t);
	} else if (children && is_multicast(task)) {
		sent = goal_counts_put_multicast(&b, DOWN);
		barrier_gather(&b, &t, children, sent);
		if (b.counts)
			goal_counts_take(&b, sent);
	} else if (children) {
		barrier_gather(&b, &t, children, release_tree(&b, &t, children));
	}
}

/* ---- Dissemination --------------------------------------------------------------------- */

/* The processes of nodes @k .. @k + @n - 1, fewer than all; after the last node comes node 0. */
static struct goal_counts_run run_of_nodes(const struct goal_tree *t, int k, int n)
{
	int nodes = goal_tree_nodes(t), first = goal_tree_node_first(t, k);
	int end = k + n < nodes ? goal_tree_node_first(t, k + n) :
				  t->nprocs + goal_tree_node_first(t, k + n - nodes);

	return (struct goal_counts_run){ first, end - first };
}

/*
 * The rounds, of the first process of a node. Returns the first send, or -1 if there is none, which
 * is to wait for what has come from the node.
 */
static int barrier_disseminate(const struct goal_barrier *b, const struct goal_tree *t,
			       struct rounds *r)
{
	int nodes = goal_tree_nodes(t), me = goal_tree_node(t, b->me);
	int n = goal_rounds(nodes), first = -1;

	for (int j = 0; j < n; j++) {
		int hop = goal_hop(n, j);
		int to = (int)(((int64_t)me + hop) % nodes), from = (me - hop + nodes) % nodes;
		int most = hop < nodes - hop ? hop : nodes - hop;

		barrier_exchange(
			b, r,
			&(struct goal_message){ goal_tree_node_first(t, to), j,
						barrier_network(b, j),
						{ run_of_nodes(t, to, most) } },
			&(struct goal_message){ goal_tree_node_first(t, from), j,
						barrier_network(b, j),
						{ run_of_nodes(t, me, most) } });
		if (j == 0)
			first = r->sent;
	}
	return first;
}

static void gen_barrier_dissemination(struct goal_graph *g, const struct goal_task *task,
				      int nprocs, int rank)
{
	struct goal_tree t = goal_tree_make(nprocs, 2, task->node, task->nodes);
	struct rounds r = { .sent = -1, .received = -1 };
	struct goal_barrier b;
	int near, gate, release;

	t.counted = task->counted;
	if (has_no_part(&t, rank))
		return;
	barrier_init(&b, g, task, nprocs, rank);
	if (rank != goal_tree_node_first(&t, goal_tree_node(&t, rank))) {
		below_root(&b, &t);
		return;
	}
	near = goal_tree_near_children(&t, rank);
	gate = barrier_disseminate(&b, &t, &r);
	if (near == 0) {
		if (gate >= 0 && b.counts)
			goal_counts_take(&b, r.received);
		return;
	}
	release = release_tree(&b, &t, near);
	if (gate >= 0)
		goal_requires(g, release, r.received);
	if (gate >= 0 && !b.counts)
		goal_irequires(g, release, r.sent);
	barrier_gather(&b, &t, near, gate >= 0 ? gate : release);
}

/* By Hensgen, Finkel and Manber (1988), and by Iwasaki and others, section 3. */
const struct goal_algorithm goal_barrier_algorithms[] = {
	{ .kind = GOAL_BARRIER,
	  .name = "dissemination",
	  .generate = gen_barrier_dissemination,
	  .has_nodes = true,
	  .summary = "rounds, each to the process 2^k further on (Hensgen and others 1988)" },
	{ .kind = GOAL_BARRIER,
	  .name = "butterfly",
	  .generate = gen_barrier_butterfly,
	  .summary = "shuffle exchange in pairs (Iwasaki and others, 3.1.1)" },
	{ .kind = GOAL_BARRIER,
	  .name = "binomial",
	  .generate = gen_barrier_tree,
	  .has_nodes = true,
	  .has_release = true,
	  .summary = "binomial tree (Iwasaki and others, 3.2.1: tree of 2)" },
	{ .kind = GOAL_BARRIER,
	  .name = "knomial",
	  .generate = gen_barrier_tree,
	  .has_nodes = true,
	  .has_release = true,
	  .has_arity = true,
	  .summary = "k-nomial tree (Iwasaki and others, 3.2.2: tree of 3)" },
	{ .kind = GOAL_BARRIER,
	  .name = "linear",
	  .generate = gen_barrier_tree,
	  .has_nodes = true,
	  .has_release = true,
	  .summary = "all to process 0 at once, and back (Iwasaki and others, 3.2.3: concurrent)" },
	{ .name = NULL },
};
