// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_source_barrier.c - barriers for the simulator, made up operation by operation. */

/*
 * The same sends and receives as in goal_gen_barrier.c, with the same dependencies. A process's
 * operations are
 *
 *	rounds:	sends that wait for none, receives, the other sends;
 *		the i-th send waits for the (i - lag)-th receive, and for the start of the send
 *		before
 *	trees:	receives from the children, the receive from the parent, the send to the parent,
 *		sends to the children or the multicast; of the root all of those wait for the
 *		first of them
 */
#include "goal/sim/goal_sim.h"

#include "goal/gen/goal_topology.h"

#include <stdlib.h>

struct barrier_source {
	struct goal_source source;
	const struct shape *shape;
	struct goal_tree tree;
	bool multicast;
	int rounds;		/* of dissemination, or of the butterfly's core */
	int core;
	int networks;
};

static const struct barrier_source *source_barrier_own(const struct goal_source *s)
{
	return (const struct barrier_source *)s;
}

static uint8_t source_barrier_network(const struct barrier_source *b, uint32_t n)
{
	return b->networks == 2 ? n % 2 : 0;
}

static struct goal_sim_op message(bool send, int peer, uint32_t tag, uint8_t nic)
{
	return (struct goal_sim_op){
		.type = send ? GOAL_SEND : GOAL_RECV, .peer = peer, .tag = tag, .nic = nic,
	};
}

/* ---- Rounds -------------------------------------------------------------------- */

struct line {
	uint32_t sends, recvs;
	uint32_t lag;		/* 0 or 1 */
};

struct shape {
	const char *algorithm;
	/* The line of a barrier of rounds; NULL: a tree. */
	struct line (*line)(const struct barrier_source *b, int rank);
	/* The @i-th send or receive. */
	struct goal_sim_op (*step)(const struct barrier_source *b, int rank, bool send, uint32_t i);
};

static struct line disseminate(const struct barrier_source *b, int rank)
{
	(void)rank;
	return (struct line){ b->rounds, b->rounds, 1 };
}

static struct goal_sim_op disseminate_step(const struct barrier_source *b, int rank, bool send,
					   uint32_t i)
{
	int nprocs = b->source.nprocs;
	int64_t hop = goal_hop(b->rounds, i);
	int64_t peer = (int64_t)rank + (send ? hop : nprocs - hop);

	return message(send, peer >= nprocs ? peer - nprocs : peer, i,
		       source_barrier_network(b, i));
}

/* In turn: in the core with a process behind it, in the core without one, behind the core. */
static struct line source_barrier_exchange(const struct barrier_source *b, int rank)
{
	if (rank >= b->core)
		return (struct line){ 1, 1, 1 };
	if (rank + b->core < b->source.nprocs)
		return (struct line){ b->rounds + 1, b->rounds + 1, 0 };
	return (struct line){ b->rounds, b->rounds, 1 };
}

static struct goal_sim_op exchange_step(const struct barrier_source *b, int rank, bool send,
					uint32_t i)
{
	bool has_other = rank + b->core < b->source.nprocs;
	int round = i + (send || !has_other);
	uint32_t last_tag = b->rounds + 1;

	if (rank >= b->core)
		return message(send, rank - b->core, send ? 0 : last_tag, 0);
	if (round == 0 || round > b->rounds)
		return message(send, rank + b->core, round, 0);
	return message(send, rank ^ b->core >> round, round, source_barrier_network(b, round));
}

/* Operations are sends up to @early, then receives, then the other sends. */
static uint32_t early(const struct line *l)
{
	return l->lag < l->sends ? l->lag : l->sends;
}

static bool is_send(const struct line *l, uint32_t op, uint32_t *i)
{
	*i = op < early(l) ? op : op - early(l);
	if (op >= early(l) && *i < l->recvs)
		return false;
	*i = op < early(l) ? op : op - l->recvs;
	return true;
}

static uint32_t number_of_send(const struct line *l, uint32_t i)
{
	return i < early(l) ? i : i + l->recvs;
}

static uint32_t line_nops(const struct goal_source *s, int rank)
{
	struct line l = source_barrier_own(s)->shape->line(source_barrier_own(s), rank);

	return l.sends + l.recvs;
}

static void line_op(const struct goal_source *s, int rank, uint32_t i, struct goal_sim_op *op)
{
	struct line l = source_barrier_own(s)->shape->line(source_barrier_own(s), rank);
	bool send = is_send(&l, i, &i);

	*op = source_barrier_own(s)->shape->step(source_barrier_own(s), rank, send, i);
}

static uint32_t line_dependencies(const struct goal_source *s, int rank, uint32_t i)
{
	struct line l = source_barrier_own(s)->shape->line(source_barrier_own(s), rank);

	return is_send(&l, i, &i) ? (i >= l.lag) + (i > 0) : 0;
}

static uint32_t line_dependents(const struct goal_source *s, int rank, uint32_t i, uint32_t *list,
				uint32_t most)
{
	struct line l = source_barrier_own(s)->shape->line(source_barrier_own(s), rank);

	if (is_send(&l, i, &i) || i + l.lag >= l.sends)
		return 0;
	if (most)
		*list = number_of_send(&l, i + l.lag);
	return 1;
}

static uint32_t line_followers(const struct goal_source *s, int rank, uint32_t i, uint32_t *list,
			       uint32_t most)
{
	struct line l = source_barrier_own(s)->shape->line(source_barrier_own(s), rank);

	if (!is_send(&l, i, &i) || i + 1 >= l.sends)
		return 0;
	if (most)
		*list = number_of_send(&l, i + 1);
	return 1;
}

/* ---- Trees -------------------------------------------------------------------- */

enum { UP = 0, DOWN = 1 };

/* Where the parts of the list begin: @up is the receive from the parent, the send to it follows. */
struct places {
	uint32_t children;
	uint32_t up;
	uint32_t down, end;
};

static struct places places(const struct barrier_source *b, int rank)
{
	struct places p = { .children = goal_tree_children(&b->tree, rank) };

	p.up = p.children;
	p.down = rank ? p.up + 2 : p.up;
	p.end = p.down + (b->multicast ? !rank && p.children : p.children);
	return p;
}

static uint32_t tree_nops(const struct goal_source *s, int rank)
{
	return places(source_barrier_own(s), rank).end;
}

static void tree_op(const struct goal_source *s, int rank, uint32_t i, struct goal_sim_op *op)
{
	const struct barrier_source *b = source_barrier_own(s);
	struct places p = places(b, rank);
	uint32_t child = i < p.children ? i : p.end - 1 - i;
	bool down = i >= p.down;

	if (i < p.children || (down && !b->multicast)) {
		*op = message(down, goal_tree_child(&b->tree, rank, child), down ? DOWN : UP,
			      source_barrier_network(b, child));
	} else if (down) {
		*op = (struct goal_sim_op){ .type = GOAL_MULTICAST, .peer = GOAL_ANY, .tag = DOWN };
	} else if (i == p.up && b->multicast) {
		*op = message(false, 0, DOWN, 0);
	} else {
		*op = message(i > p.up, goal_tree_parent(&b->tree, rank), i > p.up ? UP : DOWN,
			      source_barrier_network(b, goal_tree_place(&b->tree, rank)));
	}
}

static uint32_t tree_dependencies(const struct goal_source *s, int rank, uint32_t i)
{
	struct places p = places(source_barrier_own(s), rank);

	if (i < p.children || (rank && i == p.up))
		return 0;
	return i == (rank ? p.up + 1 : p.down) ? p.children : 1;
}

static uint32_t source_barrier_run(uint32_t first, uint32_t end, uint32_t *list, uint32_t most)
{
	for (uint32_t i = 0; i < end - first && i < most; i++)
		list[i] = first + i;
	return end - first;
}

static uint32_t tree_dependents(const struct goal_source *s, int rank, uint32_t i, uint32_t *list,
				uint32_t most)
{
	struct places p = places(source_barrier_own(s), rank);
	uint32_t gate = rank ? p.up + 1 : p.down;

	if (i < p.children)
		return source_barrier_run(gate, gate + 1, list, most);
	return rank && i == p.up ? source_barrier_run(p.down, p.end, list, most) : 0;
}

static uint32_t tree_followers(const struct goal_source *s, int rank, uint32_t i, uint32_t *list,
			       uint32_t most)
{
	struct places p = places(source_barrier_own(s), rank);

	return !rank && i == p.down ? source_barrier_run(p.down + 1, p.end, list, most) : 0;
}

/* ---- Which one ------------------------------------------------------------------ */

static const struct shape barrier_shapes[] = {
	{ "dissemination", disseminate, disseminate_step },
	{ "butterfly", source_barrier_exchange, exchange_step },
	{ "binomial", NULL, NULL },
	{ "knomial", NULL, NULL },
	{ "linear", NULL, NULL },
	{ NULL, NULL, NULL },
};

static const struct shape *shape_of(const struct goal_task *task)
{
	const struct shape *shape = barrier_shapes;

	while (shape->algorithm && strcmp(shape->algorithm, task->algorithm->name) != 0)
		shape++;
	return shape->algorithm ? shape : NULL;
}

static void become_line(struct barrier_source *b, int nprocs)
{
	b->core = goal_butterfly_core(nprocs);
	b->rounds = goal_rounds(b->shape->line == source_barrier_exchange ? b->core : nprocs);
	b->source.nops = line_nops;
	b->source.op = line_op;
	b->source.dependencies = line_dependencies;
	b->source.dependents = line_dependents;
	b->source.followers = line_followers;
}

static void become_tree(struct barrier_source *b, const struct goal_task *task, int nprocs)
{
	int arity = goal_tree_arity(task->algorithm->name, task->arity, nprocs);

	b->tree = goal_tree_make(nprocs, arity, task->node, NULL);
	b->multicast = task->release == GOAL_RELEASE_MULTICAST;
	b->source.nops = tree_nops;
	b->source.op = tree_op;
	b->source.dependencies = tree_dependencies;
	b->source.dependents = tree_dependents;
	b->source.followers = tree_followers;
}

struct goal_source *goal_source_barrier(const struct goal_task *task, int nprocs)
{
	struct barrier_source *b;

	if (task->kind != GOAL_BARRIER || goal_refuses(task, nprocs, 0) || !shape_of(task) ||
	    task->nodes || task->counted || (task->node > 1 && shape_of(task)->line))
		return NULL;
	b = calloc(1, sizeof(*b));
	if (!b)
		return NULL;
	b->shape = shape_of(task);
	b->networks = task->networks;
	b->source.nprocs = nprocs;
	b->source.ncpus = 1;
	b->source.nnics = task->networks == 2 ? 2 : 1;
	if (b->shape->line)
		become_line(b, nprocs);
	else
		become_tree(b, task, nprocs);
	return &b->source;
}
