// SPDX-License-Identifier: BSD-3-Clause
/* goalc_task.c - options that name a collective operation, and its schedules. */

#include "goalc_task.h"

#include "goal/gen/goal_topology.h"
#include "goal/text/goal_text.h"

#include <stdlib.h>
#include <string.h>

void goalc_task_init(struct goalc_task *t)
{
	*t = (struct goalc_task){
		.task = {
			.bytes = 1024, .arity = 2, .networks = 1, .call = -1,
			.function = GOAL_ADD, .datatype = GOAL_I64, .target = 1,
		},
	};
}

/* ---- Options ------------------------------------------------------------------- */

static int release(struct goalc_task *t, const char *value)
{
	bool multicast = strcmp(value, "multicast") == 0;

	if (!multicast && strcmp(value, "tree") != 0)
		return goalc_misuse("--release %s: expected 'tree' or 'multicast'", value);
	t->task.release = multicast ? GOAL_RELEASE_MULTICAST : GOAL_RELEASE_TREE;
	return GOALC_GOOD;
}

/* The number of the name that it is; 0: none of them. */
static unsigned int named(const char *(*name)(unsigned int), unsigned int n, const char *value)
{
	for (unsigned int i = 1; i < n; i++)
		if (name(i) && strcmp(name(i), value) == 0)
			return i;
	return 0;
}

static int function(struct goalc_task *t, const char *value)
{
	enum goal_function f = named(goal_function_name, GOAL_FUNCTIONS, value);

	t->task.function = f;
	if (f >= GOAL_ADD && f != GOAL_SUB && f != GOAL_DIV)
		return GOALC_GOOD;
	return goalc_misuse(
		"--function %s: expected 'add', 'mul', 'max', 'min', 'and', 'or' or 'xor'", value);
}

static int datatype(struct goalc_task *t, const char *value)
{
	t->task.datatype = named(goal_datatype_name, GOAL_DATATYPES, value);
	if (t->task.datatype)
		return GOALC_GOOD;
	return goalc_misuse("--type %s: expected 'i8' to 'i64', 'u8' to 'u64', 'f32' or 'f64'",
			    value);
}

int goalc_task_option(struct goalc_task *t, int letter, const char *value)
{
	struct goal_task *task = &t->task;

	if (letter >= GOALC_ALGORITHM)
		t->given |= 1u << (letter - GOALC_ALGORITHM);
	switch (letter) {
	case 'P':
		return goalc_small("processes", value, 1, GOAL_PROCESSES_MOST, &t->nprocs);
	case GOALC_ALGORITHM:
		t->algorithm = value;
		return GOALC_GOOD;
	case GOALC_BYTES:
		return goalc_whole("bytes", value, 0, GOAL_BYTES_MOST, &task->bytes);
	case GOALC_SEGMENT:
		return goalc_whole("segment", value, 0, GOAL_BYTES_MOST, &task->segment);
	case GOALC_ROOT:
		return goalc_small("root", value, 0, GOAL_PROCESSES_MOST - 1, &task->root);
	case GOALC_ARITY:
		return goalc_small("arity", value, 1, GOAL_PROCESSES_MOST, &task->arity);
	case GOALC_RELEASE:
		return release(t, value);
	case GOALC_NETWORKS:
		return goalc_small("networks", value, 1, 2, &task->networks);
	case GOALC_NODE:
		return goalc_small("node", value, 1, GOAL_PROCESSES_MOST, &t->node);
	case GOALC_NODES:
		return goalc_small("nodes", value, 1, GOAL_PROCESSES_MOST, &t->nodes);
	case GOALC_FUNCTION:
		return function(t, value);
	case GOALC_TYPE:
		return datatype(t, value);
	default:
		task->counts = &t->counts;
		return GOALC_GOOD;
	}
}

static bool is_given(const struct goalc_task *t, int letter)
{
	return t->given >> (letter - GOALC_ALGORITHM) & 1;
}

static bool has_root(enum goal_kind kind)
{
	return kind == GOAL_BCAST || kind == GOAL_SCATTER || kind == GOAL_GATHER ||
	       kind == GOAL_REDUCE;
}

/* The option that the algorithm does not have, which is an error; or NULL. */
static const char *unknown(const struct goalc_task *t)
{
	const struct goal_algorithm *a = t->task.algorithm;
	enum goal_kind kind = t->task.kind;
	const struct {
		int letter;
		const char *name;
		bool known;
	} options[] = {
		{ GOALC_BYTES, "--bytes", kind != GOAL_BARRIER },
		{ GOALC_SEGMENT, "--segment", a->has_segment },
		{ GOALC_ROOT, "--root", has_root(kind) },
		{ GOALC_ARITY, "--arity", a->has_arity },
		{ GOALC_RELEASE, "--release", a->has_release },
		{ GOALC_NETWORKS, "--networks", kind == GOAL_BARRIER },
		{ GOALC_NODE, "--node", kind != GOAL_BARRIER || a->has_nodes },
		{ GOALC_NODES, "--nodes", kind != GOAL_BARRIER || a->has_nodes },
		{ GOALC_COUNTS, "--counts", kind == GOAL_BARRIER },
		{ GOALC_FUNCTION, "--function", goal_kind_folds(kind) },
		{ GOALC_TYPE, "--type", goal_kind_folds(kind) },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (is_given(t, options[i].letter) && !options[i].known)
			return options[i].name;
	return NULL;
}

static int refuse(const struct goalc_task *t, const char *reason)
{
	return goalc_misuse("%s %s: %s", goal_kind_name(t->task.kind), t->task.algorithm->name,
			    reason);
}

/* Nodes of as many processes each, but for the last: of a collective as a map. */
static int make_nodes(struct goalc_task *t)
{
	int *first, n;

	if (t->nodes > t->nprocs)
		return goalc_misuse("--nodes %d: there are %d processes", t->nodes, t->nprocs);
	if (t->nodes)
		t->node = goal_nodes(t->nprocs, t->nodes);
	if (!t->node)
		return GOALC_GOOD;
	if (t->task.kind == GOAL_BARRIER) {
		t->task.node = t->node;
		return GOALC_GOOD;
	}
	n = goal_nodes(t->nprocs, t->node);
	first = malloc((size_t)(n + 1) * sizeof(*first));	/* until the end */
	if (!first)
		return goalc_fail("not enough memory for %d nodes", n);
	for (int k = 0; k < n; k++)
		first[k] = k * t->node;
	first[n] = t->nprocs;
	t->map = (struct goal_node_map){ n, first };
	t->task.nodes = &t->map;
	return GOALC_GOOD;
}

int goalc_task_of(struct goalc_task *t, const char *kind)
{
	int number = goal_kind_of(kind);
	const char *reason, *option;
	int status;

	if (number < 0)
		return goalc_misuse("%s: no such operation; goalc gen --list lists them", kind);
	t->task.kind = number;
	if (t->algorithm)
		t->task.algorithm = goal_algorithm_named(number, t->algorithm);
	else
		t->task.algorithm = goal_algorithm(number, 0);
	if (!t->task.algorithm)
		return goalc_misuse("%s: no algorithm %s; goalc gen --list lists them", kind,
				    t->algorithm ? t->algorithm : "at all");
	if (t->algorithm && strcmp(t->task.algorithm->name, t->algorithm) != 0)
		fprintf(stderr, "goalc: --algorithm %s is now called %s\n", t->algorithm,
			t->task.algorithm->name);
	if (!t->nprocs)
		return goalc_misuse("%s: expected -P and the number of processes", kind);
	option = unknown(t);
	if (option)
		return goalc_misuse("%s %s: takes no %s", kind, t->task.algorithm->name, option);
	status = make_nodes(t);
	if (status)
		return status;
	reason = goal_refuses(&t->task, t->nprocs, 0);
	return reason ? refuse(t, reason) : GOALC_GOOD;
}

/* ---- Schedules ------------------------------------------------------------------- */

void *goalc_task_generate_one(const struct goalc_task *t, int rank, size_t *bytes)
{
	char why[200];
	void *block = goal_generate(&t->task, t->nprocs, rank, bytes, why, sizeof(why));

	if (!block)
		goalc_fail("%s %s, rank %d: %s", goal_kind_name(t->task.kind),
			   t->task.algorithm->name, rank, why);
	return block;
}

int goalc_task_generate(const struct goalc_task *t, struct goal_set *set)
{
	*set = (struct goal_set){
		.nprocs = t->nprocs,
		.block = calloc(t->nprocs, sizeof(*set->block)),
		.len = calloc(t->nprocs, sizeof(*set->len)),
	};
	if (!set->block || !set->len) {
		set->nprocs = 0;
		goal_set_free(set);
		return goalc_fail("not enough memory for %d processes", t->nprocs);
	}
	for (int rank = 0; rank < t->nprocs; rank++) {
		set->block[rank] = goalc_task_generate_one(t, rank, &set->len[rank]);
		if (!set->block[rank]) {
			goal_set_free(set);
			return GOALC_WRONG;
		}
	}
	return GOALC_GOOD;
}
