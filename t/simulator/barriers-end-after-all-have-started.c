/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers that hold every process until all are there, and bring each the sum of its numbers; over
 * nodes of any sizes, with as many messages between nodes as between so many processes; also where
 * nodes have counted by themselves, and their first processes alone take part. */

#include "../lib/goal_world.h"

enum { STARTS = 3 };

/* Contents of messages. */
enum content { NOTHING, WORDS, NUMBERS, CONTENTS };

static uint64_t seed = 1;

/* The number of @from for @to in start @run: most are 0. */
static uint32_t number(uint32_t run, uint32_t from, uint32_t to)
{
	uint32_t x = (run * 1000003 + from) * 1000003 + to;

	x = (x ^ x >> 15) * 0x2c1b3c6d;
	return x % 3 ? 0 : x >> 8;
}

static uint32_t word(uint32_t run, uint32_t rank)
{
	return 1u << (rank * 7 + run) % 31;
}

/* ---- One barrier ---------------------------------------------------------------- */

static uint32_t *at(const struct goal_world *w, int rank, uint64_t offset)
{
	return (uint32_t *)(w->process[rank].scratch + offset);
}

static int node_of(const struct goal_node_map *map, uint32_t p)
{
	int k = 0;

	while ((uint32_t)map->first[k + 1] <= p)
		k++;
	return k;
}

/* The processes that @rank stands for: it alone, or the node of which it is the first; or none. */
struct group {
	int first, end;
};

static struct group group_of(const struct goal_task *task, int nprocs, int rank)
{
	struct group g = { rank, rank + 1 };
	int k;

	if (!task->counted)
		return g;
	if (task->nodes) {
		k = node_of(task->nodes, rank);
		g = (struct group){ task->nodes->first[k], task->nodes->first[k + 1] };
	} else if (task->node > 1) {
		g.first = rank / task->node * task->node;
		g.end = g.first + task->node < nprocs ? g.first + task->node : nprocs;
	}
	return g.first == rank ? g : (struct group){ rank, rank };
}

static bool is_in(const struct group *g, int rank)
{
	return rank >= g->first && rank < g->end;
}

static bool takes_part(const struct goal_task *task, int nprocs, int rank)
{
	struct group g = group_of(task, nprocs, rank);

	return g.end > g.first;
}

static void start(struct goal_world *w, int rank, const struct group *g,
		  const struct goal_counts *c)
{
	uint32_t run = w->process[rank].starts + 1, any = 0;

	for (int p = g->first; p < g->end; p++)
		any |= word(run, p);
	for (int d = 1; c && !c->words && d < w->nprocs; d++) {
		int to = (rank + d) % w->nprocs;
		uint32_t n = 0;

		for (int p = g->first; p < g->end && !is_in(g, to); p++)
			n += number(run, p, to);
		if (n)
			at(w, rank, c->out)[d] = n;
	}
	if (c) {
		*at(w, rank, c->any) = any;
		*at(w, rank, c->all) = ~any;
	}
	world_start(w, rank, NULL);
}

/* Numbers of processes outside of the group for its @to. */
static uint32_t sum_for(const struct goal_world *w, const struct group *g, uint32_t run, int to)
{
	uint32_t in = 0;

	for (int q = 0; q < w->nprocs; q++)
		in += is_in(g, q) ? 0 : number(run, q, to);
	return in;
}

/* Is what a process that is over has got what a plain loop says? */
static bool is_right(const struct goal_world *w, int rank, const struct group *g,
		     const struct goal_counts *c)
{
	uint32_t run = w->process[rank].starts, any = 0;

	if (!c)
		return true;
	for (int q = 0; q < w->nprocs; q++)
		any |= word(run, q);
	if (*at(w, rank, c->any) != any || *at(w, rank, c->all) != ~any)
		return false;
	if (c->words)
		return true;
	for (int d = 1; d < w->nprocs; d++)
		if (at(w, rank, c->out)[d])
			return false;
	for (int p = g->first; p < g->end; p++)
		if (at(w, rank, c->in)[p - g->first] != sum_for(w, g, run, p))
			return false;
	return true;
}

/*
 * All start again as soon as they are over, but for the one that is withheld in one of the
 * starts.
 */
struct course {
	struct goal_world w;
	const struct goal_task *task;
	const struct goal_counts *counts;	/* one for each process; NULL: none */
	int withheld;
	uint32_t run;			/* in which it is */
};

static const struct goal_counts *counts_of(const struct course *c, int rank)
{
	return c->counts ? &c->counts[rank] : NULL;
}

static bool may_start(const struct course *c, int rank)
{
	uint32_t run = c->w.process[rank].starts;

	return run < STARTS && (rank != c->withheld || run + 1 != c->run);
}

/* One process, as far as it goes without messages. False: a wrong result. */
static bool start_again(struct course *c, int rank)
{
	const struct goal_counts *counts = counts_of(c, rank);
	struct goal_process *p = &c->w.process[rank];
	struct group g = group_of(c->task, c->w.nprocs, rank);

	while (g.end > g.first && (!p->starts || world_is_over(&c->w, rank))) {
		if (p->starts && !is_right(&c->w, rank, &g, counts))
			return false;
		if (!may_start(c, rank))
			return true;
		start(&c->w, rank, &g, counts);
	}
	return true;
}

static bool go_on(struct course *c)
{
	for (int rank = 0; rank < c->w.nprocs; rank++)
		if (!start_again(c, rank))
			return false;
	return true;
}

/* How many have passed the barrier that one has not entered. */
static int have_passed(const struct course *c)
{
	int n = 0;

	for (int rank = 0; rank < c->w.nprocs; rank++) {
		uint32_t run = c->w.process[rank].starts;

		n += rank != c->withheld && (run > c->run || (run == c->run &&
								   world_is_over(&c->w, rank)));
	}
	return n;
}

static bool all_ended(const struct course *c)
{
	for (int rank = 0; rank < c->w.nprocs; rank++)
		if (takes_part(c->task, c->w.nprocs, rank) &&
		    (c->w.process[rank].starts != STARTS || !world_is_over(&c->w, rank)))
			return false;
	return c->w.nmessages == 0 && c->w.nposted == 0;
}

static bool run_until_stuck(struct course *c)
{
	do {
		if (!go_on(c))
			return false;
	} while (world_turn(&c->w));
	return true;
}

static const char *run_course(struct course *c)
{
	if (!run_until_stuck(c))
		return "a wrong result";
	if (have_passed(c))
		return "some have passed, though one has not started";
	c->withheld = -1;
	if (!run_until_stuck(c))
		return "a wrong result in the end";
	return all_ended(c) ? NULL : "not all have ended";
}

/* ---- All of them ------------------------------------------------------------------ */

/* One that takes part. */
static int choose_withheld(struct course *c)
{
	int rank;

	do
		rank = (int)world_random(&c->w, c->w.nprocs);
	while (!takes_part(c->task, c->w.nprocs, rank));
	return rank;
}

/* The counts of each process are where its own generator says. */
static const char *fault(const struct goal_task *task, int nprocs, enum content content)
{
	struct goal_counts *counts = content ? calloc(nprocs, sizeof(*counts)) : NULL;
	struct goal_task own = *task;
	struct course c = { .task = task, .counts = counts };
	const char *what = NULL;

	world_open(&c.w, nprocs, seed++);
	for (int rank = 0; rank < nprocs; rank++) {
		if (counts) {
			counts[rank].words = content == WORDS;
			own.counts = &counts[rank];
		}
		world_load(&c.w, rank, &own);
		if (!takes_part(task, nprocs, rank) && c.w.process[rank].prog.header->nops)
			what = "a process that is not the first of its node has operations";
	}
	c.withheld = choose_withheld(&c);
	c.run = 1 + world_random(&c.w, STARTS);
	if (!what)
		what = run_course(&c);
	world_close(&c.w);
	free(counts);
	return what;
}

static bool passes(const struct goal_task *task, int nprocs)
{
	static const char *const names[] = {
		[NOTHING] = "nothing", [WORDS] = "words", [NUMBERS] = "words and numbers",
	};

	for (enum content content = NOTHING; content < CONTENTS; content++) {
		const char *what = fault(task, nprocs, content);

		if (!what)
			continue;
		diag("%s of %d processes, arity %d, nodes of %d%s, %s, %d networks, %s: %s",
		     task->algorithm->name, nprocs, task->arity, task->node,
		     task->counted ? " that count" : "",
		     task->release == GOAL_RELEASE_TREE ? "tree" : "multicast", task->networks,
		     names[content], what);
		return false;
	}
	return true;
}

static void check(const struct goal_task *task)
{
	static const int large[] = { 48, 63, 64, 65, 100, 128 };
	bool good = true;

	for (int nprocs = 1; nprocs <= 33; nprocs++)
		good = passes(task, nprocs) && good;
	for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++)
		good = passes(task, large[i]) && good;
	ok(good, "%s, arity %d, nodes of %d%s, release by %s, %d networks", task->algorithm->name,
	   task->arity, task->node, task->counted ? " that count" : "",
	   task->release == GOAL_RELEASE_TREE ? "tree" : "multicast", task->networks);
}

static void check_releases(struct goal_task task)
{
	check(&task);
	if (!task.algorithm->has_release)
		return;
	task.release = GOAL_RELEASE_MULTICAST;
	check(&task);
}

/* Nodes that are full and not, of which there is one, or of one process each. */
static void check_nodes(const struct goal_algorithm *a)
{
	static const int nodes[] = { 1, 2, 3, 4, 16, 60 };

	for (size_t i = 0; i < sizeof(nodes) / sizeof(*nodes); i++) {
		struct goal_task task = {
			.kind = GOAL_BARRIER, .algorithm = a, .arity = 3, .node = nodes[i],
		};

		check_releases(task);
		task.counted = true;
		check(&task);
	}
}

/* ---- Nodes of any sizes --------------------------------------------------------------- */

/* Messages that the process sends to other nodes, or inside its own; a multicast is none. */
static int sent_by(const struct goal_world *w, const struct goal_node_map *map, int rank, bool far)
{
	const struct goal_prog *prog = &w->process[rank].prog;
	const struct goal_op *op = goal_first_op(prog);
	int n = 0;

	for (uint32_t i = 0; i < prog->header->nops; i++, op = goal_op_next(op))
		n += op->type == GOAL_SEND &&
		     far == (node_of(map, op->peer) != node_of(map, (uint32_t)rank));
	return n;
}

static int count_sent(const struct goal_task *task, int nprocs, bool far)
{
	struct goal_counts counts = { 0 };
	struct goal_task own = *task;
	struct goal_world w;
	int n = 0;

	own.counts = &counts;
	world_open(&w, nprocs, seed++);
	for (int rank = 0; rank < nprocs; rank++) {
		world_load(&w, rank, &own);
		n += sent_by(&w, task->nodes, rank, far);
	}
	world_close(&w);
	return n;
}

/* N ceil(log2 N) in rounds; along a tree, N - 1 there and, without a multicast, N - 1 back. */
static int formula(const struct goal_task *task)
{
	int n = task->nodes->n, rounds = 0;

	while (1 << rounds < n)
		rounds++;
	if (strcmp(task->algorithm->name, "dissemination") == 0)
		return n * rounds;
	return (n - 1) * (task->release == GOAL_RELEASE_TREE ? 2 : 1);
}

static void check_map(struct goal_task task, const char *text)
{
	int nprocs = task.nodes->first[task.nodes->n];

	do {
		ok(passes(&task, nprocs), "%s, arity %d, nodes of %s", task.algorithm->name,
		   task.arity, text);
		is_int(formula(&task), count_sent(&task, nprocs, true),
		       "%s, nodes of %s, release by %s: messages between nodes",
		       task.algorithm->name, text,
		       task.release == GOAL_RELEASE_TREE ? "tree" : "multicast");
	} while (task.algorithm->has_release && task.release++ == GOAL_RELEASE_TREE);
}

static void check_counted(struct goal_task task, const char *text)
{
	int nprocs = task.nodes->first[task.nodes->n];

	task.counted = true;
	ok(passes(&task, nprocs), "%s, arity %d, nodes of %s that count", task.algorithm->name,
	   task.arity, text);
	is_int(formula(&task), count_sent(&task, nprocs, true),
	       "%s, nodes of %s that count: messages between nodes", task.algorithm->name, text);
	is_int(0, count_sent(&task, nprocs, false),
	       "%s, nodes of %s that count: messages inside nodes", task.algorithm->name, text);
}

static void check_maps(const struct goal_algorithm *a)
{
	const struct {
		const char *text;
		struct goal_node_map map;
	} maps[] = {
		{ "3,3,1", { 3, (int[]){ 0, 3, 6, 7 } } },
		{ "1,4,2", { 3, (int[]){ 0, 1, 5, 7 } } },
		{ "9,1", { 2, (int[]){ 0, 9, 10 } } },
		{ "1,1,5,2,1,8", { 6, (int[]){ 0, 1, 2, 7, 9, 10, 18 } } },
		{ "4,1,1,1,3", { 5, (int[]){ 0, 4, 5, 6, 7, 10 } } },
		{ "6", { 1, (int[]){ 0, 6 } } },
		{ "1,1,1", { 3, (int[]){ 0, 1, 2, 3 } } },
	};

	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++)
		for (int arity = 1; arity <= (a->has_arity ? 3 : 1); arity++) {
			struct goal_task task = {
				.kind = GOAL_BARRIER, .algorithm = a, .arity = arity,
				.nodes = &maps[i].map,
			};

			check_map(task, maps[i].text);
			check_counted(task, maps[i].text);
		}
}

/* An algorithm without nodes, and bad maps. */
static void check_refusals(void)
{
	struct goal_node_map map = { 2, (int[]){ 0, 1, 3 } };
	struct goal_task task = {
		.kind = GOAL_BARRIER, .nodes = &map, .arity = 2,
		.algorithm = goal_algorithm_named(GOAL_BARRIER, "butterfly"),
	};

	is_str("it does not know nodes", goal_refuses(&task, 3, 0), "a butterfly of nodes");
	task.algorithm = goal_algorithm_named(GOAL_BARRIER, "linear");
	is_str("its nodes have not all processes, in order", goal_refuses(&task, 4, 0),
	       "a process on no node");
	task.node = 2;
	is_str("nodes have one size, or a map", goal_refuses(&task, 3, 0), "a size and a map");
	task.node = 0;
	task.counted = true;
	task.release = GOAL_RELEASE_MULTICAST;
	is_str("a multicast goes to processes that have no part", goal_refuses(&task, 3, 0),
	       "nodes that count, released by a multicast");
}

int main(void)
{
	static const int arities[] = { 1, 2, 3, 4, 5, 8, 200 };
	const struct goal_algorithm *a;

	for (unsigned int i = 0; (a = goal_algorithm(GOAL_BARRIER, i)); i++) {
		for (size_t k = 0; k < (a->has_arity ? sizeof(arities) / sizeof(*arities) : 1); k++)
			for (int networks = 1; networks <= 2; networks++)
				check_releases((struct goal_task){
					.kind = GOAL_BARRIER, .algorithm = a, .arity = arities[k],
					.networks = networks,
				});
		if (a->has_nodes) {
			check_nodes(a);
			check_maps(a);
		}
	}
	check_refusals();
	return done_testing();
}
