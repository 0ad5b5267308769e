/* SPDX-License-Identifier: BSD-3-Clause */
/* A round of a node that counts is full once, when all have entered it, with what they have counted
 * for other nodes; it ends when its first process releases it, with what others have counted. */

/*
 * Processes count random numbers for each other and enter with words of all kinds. The first
 * process of each node compares what count_full() gives with a plain loop over the processes of its
 * node, waits in memory of the test until all nodes are full, and releases the round with the sums
 * of a plain loop over those of other nodes. Where there is one node alone, a process that is in no
 * node counts for its processes too, and has a word.
 *
 * Before it enters, a process notes the round; before it releases one, a first process does. By
 * that a round is found that is full or over too early.
 */

#include "../lib/transports.h"

enum { MARK = 0x5eed0000 };

/* Notes of processes and of first processes: rounds that they have entered and released. */
static struct notes {
	_Atomic uint32_t entered[MOST_PROCS], released[MOST_PROCS], full;
} *notes;

static unsigned int first_idle;		/* 0: the first wait of a round does not sleep */

/* ---- What must be ---- */

static const int *nodes(void)
{
	return job.plan.wire->node;
}

static bool share_node(int p, int q)
{
	return nodes()[p] == nodes()[q];
}

static int first_of(int p)
{
	int first = 0;

	while (!share_node(first, p))
		first++;
	return first;
}

/* Processes of the job, and process nprocs, which is in no node of a job that has one alone. */
static int counting_processes(const struct bspt *t)
{
	return t->nprocs + (job.plan.wire->nnodes == 1);
}

static uint32_t number(uint32_t round, int from, int to)
{
	uint32_t x = mixed(round, (uint32_t)from * MOST_PROCS + (uint32_t)to, 5);

	return from == to || x % 3 ? 0 : x / 3 % 1000;
}

/* Rounds of words all 0, all equal, all different, 0 but for one, full but for one. */
static uint32_t word_of(const struct bspt *t, uint32_t round, int p)
{
	int chosen = (int)(mixed(round, 9, 9) % (uint32_t)counting_processes(t));
	uint32_t word = mixed(round, 8, 8);

	switch (round % 5) {
	case 0: return 0;
	case 1: return word;
	case 2: return mixed(round, (uint32_t)p, 77);
	case 3: return p == chosen ? word : 0;
	default: return p == chosen ? word : ~0u;
	}
}

/* The or and the and of words of processes of @node, or with -1 of all. */
static struct bspt_counts words_of(const struct bspt *t, uint32_t round, int node)
{
	struct bspt_counts c = { .all = ~0u };

	for (int p = 0; p < counting_processes(t); p++) {
		if (node >= 0 && (p == t->nprocs || nodes()[p] != node))
			continue;
		c.any |= word_of(t, round, p);
		c.all &= word_of(t, round, p);
	}
	return c;
}

/* Numbers for @to of processes that are on its node, or not. */
static uint32_t sum_for(const struct bspt *t, uint32_t round, int to, bool near)
{
	uint32_t sum = 0;

	for (int p = 0; p < counting_processes(t); p++)
		if ((p < t->nprocs && share_node(p, to)) == near)
			sum += number(round, p, to);
	return sum;
}

/* The sum of numbers of the node of @me for @to, on another node. */
static uint32_t out_for(const struct bspt *t, uint32_t round, int me, int to)
{
	uint32_t sum = 0;

	for (int p = 0; p < t->nprocs && !share_node(me, to); p++)
		sum += share_node(p, me) ? number(round, p, to) : 0;
	return sum;
}

/* ---- A round ---- */

static void expect(bool good, uint32_t round, const char *what)
{
	if (!good)
		bail("%s, %d processes: round %u: %s", job.ops->name, job.plan.nprocs, round, what);
}

/* Do nothing for a while that is different every time, so that any of them may be the last. */
static void pause_sometimes(const struct bspt *t, uint32_t round)
{
	for (volatile uint32_t k = mixed(round, (uint32_t)t->me, 3) % 8000; k > 0; k--)
		continue;
	for (uint32_t n = mixed(round, (uint32_t)t->me, 6) % 8; n > 5; n--)
		sched_yield();
}

static void count_some(struct bspt *t, uint32_t round)
{
	for (int q = 0; q < t->nprocs; q++) {
		uint32_t n = number(round, t->me, q);

		if (n % 2)
			t->ops->count_add(t, q, 1);
		if (n)
			t->ops->count_add(t, q, n - n % 2);
	}
}

/* Have all of the node, or of the job, entered the round? */
static bool all_entered(const struct bspt *t, uint32_t round, bool job_too)
{
	for (int p = 0; p < t->nprocs; p++)
		if ((job_too || share_node(p, t->me)) &&
		    atomic_load_explicit(&notes->entered[p], memory_order_relaxed) <= round)
			return false;
	return true;
}

static void await_full(struct bspt *t, uint32_t round)
{
	uint32_t out[MOST_PROCS], all_full = (round + 1) * (uint32_t)job.plan.wire->nnodes;
	struct bspt_counts seen, e = words_of(t, round, nodes()[t->me]);
	unsigned int idle = first_idle;

	for (int d = 0; d < t->nprocs; d++)
		out[d] = MARK + (uint32_t)d;
	while (!t->ops->count_full(t, out, &seen))
		t->ops->wait(t, idle++);
	expect(all_entered(t, round, false), round, "it is full before all have entered");
	expect(seen.any == e.any && seen.all == e.all, round, "words of the node");
	for (int d = 0; d < t->nprocs; d++) {
		uint32_t n = out_for(t, round, t->me, (t->me + d) % t->nprocs);

		expect(out[d] == (n ? n : MARK + (uint32_t)d), round, "numbers for other nodes");
	}
	atomic_fetch_add(&notes->full, 1);
	while (atomic_load(&notes->full) < all_full)
		sched_yield();
	expect(!t->ops->count_full(t, out, &seen), round, "it is full twice");
}

static void release_round(struct bspt *t, uint32_t round)
{
	struct bspt_counts seen, all = words_of(t, round, -1);
	uint32_t in[MOST_PROCS];
	int n = 0;

	for (int q = 0; q < t->nprocs; q++)
		if (share_node(q, t->me))
			in[n++] = sum_for(t, round, q, false);
	pause_sometimes(t, round + 1);
	expect(!t->ops->count_test(t, &seen), round, "it ends before it is released");
	atomic_store_explicit(&notes->released[t->me], round + 1, memory_order_relaxed);
	t->ops->count_release(t, in, &all);
}

static void run_round(struct bspt *t, uint32_t round)
{
	struct bspt_counts seen, e = words_of(t, round, -1);
	int first = first_of(t->me);
	unsigned int idle = first_idle;

	pause_sometimes(t, round);
	count_some(t, round);
	expect(!t->ops->count_test(t, &seen), round, "it ends before it is entered");
	atomic_store_explicit(&notes->entered[t->me], round + 1, memory_order_relaxed);
	t->ops->count_enter(t, word_of(t, round, t->me));
	if (first == t->me) {
		await_full(t, round);
		release_round(t, round);
	}
	while (!t->ops->count_test(t, &seen))
		t->ops->wait(t, idle++);
	expect(atomic_load_explicit(&notes->released[first], memory_order_relaxed) > round, round,
	       "it ends before it is released");
	expect(all_entered(t, round, true), round, "it ends before all have entered");
	expect(seen.chunks == sum_for(t, round, t->me, true) + sum_for(t, round, t->me, false),
	       round, "numbers for this process");
	expect(seen.any == e.any && seen.all == e.all, round, "words of all");
}

static void rounds(struct bspt *t, uint32_t n)
{
	for (uint32_t round = 0; round < n; round++)
		run_round(t, round);
	ok(true, "%u rounds", n);
	meet(t);
}

static void many_rounds(struct bspt *t)
{
	rounds(t, tap_is_long() ? 5000 : is_memory(t) ? 400 : 200);
}

/* A node that waits for its network sleeps for a while, whatever is entered meanwhile. */
static void sleeping_rounds(struct bspt *t)
{
	first_idle = 1;
	rounds(t, is_memory(t) ? 1000 : 40);
	ok(t->nprocs == 1 || !is_memory(t) || t->stats.sleeps > 0,
	   "processes that waited in memory have slept");
}

/* ---- Nodes ---- */

static void over_nodes_of(const struct bspt_ops *ops, void (*body)(struct bspt *t),
			  struct bspt_plan plan, const int *node, const char *claim)
{
	notes = mmap(NULL, sizeof *notes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (notes == MAP_FAILED)
		bail("no shared memory");
	over_map(ops, body, plan, node, claim);
	munmap(notes, sizeof *notes);
}

/* Nodes have consecutive processes; after the last size comes 0. */
static void over_sizes(const struct bspt_ops *ops, void (*body)(struct bspt *t),
		       struct bspt_plan plan, const int *sizes, const char *claim)
{
	int node[MOST_PROCS], n = 0;

	for (int k = 0; sizes[k]; k++)
		for (int i = 0; i < sizes[k]; i++)
			node[n++] = k;
	plan.nprocs = n;
	over_nodes_of(ops, body, plan, node, claim);
}

static void one_node(const struct bspt_ops *ops, void (*body)(struct bspt *t),
		     struct bspt_plan plan, int nprocs, const char *claim)
{
	over_sizes(ops, body, plan, (int[]){ nprocs, 0 }, claim);
}

static void over_several(const struct bspt_ops *ops, struct bspt_plan plan)
{
	over_sizes(ops, many_rounds, plan, (int[]){ 1, 1, 0 }, "nodes of 1, 1");
	over_sizes(ops, many_rounds, plan, (int[]){ 1, 2, 0 }, "nodes of 1, 2");
	over_sizes(ops, many_rounds, plan, (int[]){ 2, 2, 1, 0 }, "nodes of 2, 2, 1");
	over_sizes(ops, many_rounds, plan, (int[]){ 4, 1, 3, 0 }, "nodes of 4, 1, 3");
	over_sizes(ops, many_rounds, plan, (int[]){ 1, 9, 1, 6, 0 }, "nodes of 1, 9, 1, 6");
	plan.nprocs = 5;
	over_nodes_of(ops, many_rounds, plan, (int[]){ 0, 1, 0, 1, 1 }, "nodes in turns");
	plan.wait_policy.yield_ns = 0;
	over_sizes(ops, sleeping_rounds, plan, (int[]){ 3, 1, 4, 0 }, "nodes of 3, 1, 4, asleep");
}

int main(void)
{
	struct bspt_plan plan = { .reserve_bytes = (size_t)16 << 20, .holds_rounds = true,
				  .wait_policy = { .yield_ns = 2000000 } };
	const struct bspt_ops *ops;

	for (unsigned int i = 0; (ops = bspt_at(i)); i++) {
		if (!is_wanted(ops))
			continue;
		if (!(ops->caps & BSPT_CAP_COUNTING_NODES)) {
			not_applicable("%s has no nodes that count", ops->name);
			continue;
		}
		plan.wait_policy.yield_ns = 2000000;
		one_node(ops, many_rounds, plan, 1, "one node");
		one_node(ops, many_rounds, plan, 3, "one node");
		one_node(ops, many_rounds, plan, 9, "one node");
		one_node(ops, many_rounds, plan, 17, "one node");
		if (is_mixture(ops))
			over_several(ops, plan);
		plan.wait_policy.yield_ns = 0;
		one_node(ops, sleeping_rounds, plan, 2, "one node, asleep");
		one_node(ops, sleeping_rounds, plan, 11, "one node, asleep");
	}
	return done_testing();
}
