// SPDX-License-Identifier: BSD-3-Clause
/* prof_tree.c - supersteps that repeat: a program of many is a few rows. */

/*
 * Supersteps are appended one by one to a sequence. Whenever its last LOOP_MOST or fewer members
 * equal those before them they become one member that repeats, or one more time of it; so loops
 * inside of loops are found, inner ones first. Two members are equal if they have the same call
 * sites in the same order, whatever their times.
 */

#include "prof.h"

#include <stdlib.h>
#include <string.h>

enum { LOOP_MOST = 32 };

void prof_tree_free(struct prof_node *node)
{
	for (size_t i = 0; i < node->ninside; i++)
		prof_tree_free(&node->inside[i]);
	free(node->inside);
	*node = (struct prof_node){ .times = 0 };
}

static bool is_equal(const struct prof_node *a, const struct prof_node *b)
{
	if (a->ninside != b->ninside || (a->ninside && a->times != b->times))
		return false;
	if (!a->ninside)
		return a->signature == b->signature && a->times == b->times;
	for (size_t i = 0; i < a->ninside; i++)
		if (!is_equal(&a->inside[i], &b->inside[i]))
			return false;
	return true;
}

static bool are_equal(const struct prof_node *a, const struct prof_node *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_equal(&a[i], &b[i]))
			return false;
	return true;
}

static void add_cost(struct prof_cost *to, const struct prof_cost *from)
{
	to->steps += from->steps;
	to->time += from->time;
	to->waited += from->waited;
	to->model += from->model;
}

/* Costs of @from to those of @to, which is equal; @from is then empty. */
static void tree_merge(struct prof_node *to, struct prof_node *from)
{
	add_cost(&to->cost, &from->cost);
	for (size_t i = 0; i < to->ninside && i < from->ninside; i++)
		tree_merge(&to->inside[i], &from->inside[i]);
	free(from->inside);
	from->inside = NULL;
	from->ninside = 0;
}

static void loop_once_more(struct prof_node *root, size_t n)
{
	struct prof_node *loop = &root->inside[root->ninside - n - 1];

	for (size_t i = 0; i < n; i++) {
		add_cost(&loop->cost, &loop[i + 1].cost);
		tree_merge(&loop->inside[i], &loop[i + 1]);
	}
	loop->times++;
	root->ninside -= n;
}

/* The last @n members are the same as the @n before them: one that repeats twice. */
static bool make_loop(struct prof_node *root, size_t n)
{
	struct prof_node *first = &root->inside[root->ninside - 2 * n];
	struct prof_node loop = { .times = 2, .inside = malloc(n * sizeof(*first)), .ninside = n };

	if (!loop.inside)
		return false;
	for (size_t i = 0; i < n; i++) {
		tree_merge(&first[i], &first[n + i]);
		add_cost(&loop.cost, &first[i].cost);
		loop.inside[i] = first[i];
	}
	first[0] = loop;
	root->ninside -= 2 * n - 1;
	return true;
}

static bool fold(struct prof_node *root)
{
	for (size_t n = 1; n <= LOOP_MOST && n < root->ninside; n++) {
		const struct prof_node *before = &root->inside[root->ninside - n - 1];

		/* a loop over the same: once more */
		if (before->ninside == n && are_equal(before->inside, before + 1, n)) {
			loop_once_more(root, n);
			return fold(root);
		}
		if (2 * n <= root->ninside &&
		    are_equal(&root->inside[root->ninside - 2 * n],
			      &root->inside[root->ninside - n], n))
			return make_loop(root, n) && fold(root);
	}
	return true;
}

bool prof_grow_tree(struct prof *p)
{
	struct prof_node *root = &p->tree;
	size_t room = 0;

	root->times = 1;
	for (uint64_t i = 0; i < p->nsteps; i++) {
		const struct prof_step *s = &p->steps[i];
		struct prof_cost cost = {
			.steps = 1, .time = s->finish > s->begin ? s->finish - s->begin : 0,
			.waited = s->waited_sum / (uint64_t)p->recording.present,
			.model = prof_model(p, s),
		};

		if (root->ninside == room) {
			struct prof_node *more = realloc(root->inside,
							 (2 * room + 64) * sizeof(*more));

			if (!more)
				return false;
			root->inside = more;
			room = 2 * room + 64;
		}
		root->inside[root->ninside++] = (struct prof_node){
			.signature = s->signature, .times = 1, .cost = cost,
		};
		add_cost(&root->cost, &cost);
		if (!fold(root))
			return false;
	}
	return true;
}

/* ---- Rows --------------------------------------------------------------------------------- */

static void write_rows_of(const struct prof *p, const struct prof_node *n, int depth,
			  prof_tree_row *row, uint64_t *rows, void *arg)
{
	for (size_t i = 0; i < n->ninside; i++) {
		if ((*rows)++ < PROF_TREE_ROWS)
			row(p, &n->inside[i], depth, arg);
		write_rows_of(p, &n->inside[i], depth + 1, row, rows, arg);
	}
}

uint64_t prof_write_tree(const struct prof *p, prof_tree_row *row, void *arg)
{
	uint64_t rows = 0;

	write_rows_of(p, &p->tree, 0, row, &rows, arg);
	return rows > PROF_TREE_ROWS ? rows - PROF_TREE_ROWS : 0;
}
