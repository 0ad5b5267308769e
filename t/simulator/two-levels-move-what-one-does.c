/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives in two levels have the results of those in one, for nodes of any sizes, and send as
 * many messages between nodes as the algorithm sends between that many processes. */
#include "../lib/collectives.h"

struct shape {
	const char *name;
	struct goal_node_map nodes;
};

#define SHAPE(name, ...) \
	{ name, { sizeof((int[]){ __VA_ARGS__ }) / sizeof(int) - 1, (const int[]){ __VA_ARGS__ } } }

static const struct shape shapes[] = {
	SHAPE("2", 0, 2),
	SHAPE("1+1", 0, 1, 2),
	SHAPE("2+2", 0, 2, 4),
	SHAPE("1+4", 0, 1, 5),
	SHAPE("3+1+2", 0, 3, 4, 6),
	SHAPE("4+4+3", 0, 4, 8, 11),
	SHAPE("1+1+1+1+1", 0, 1, 2, 3, 4, 5),
	SHAPE("2+5+1+3+2", 0, 2, 7, 8, 11, 13),
	SHAPE("4+4+4+4", 0, 4, 8, 12, 16),
	SHAPE("3+3+3+3+3+3+3+2", 0, 3, 6, 9, 12, 15, 18, 21, 23),
	SHAPE("1+3+5", 0, 1, 4, 9),
	SHAPE("5+3+1", 0, 5, 8, 9),
};

static const enum goal_kind kinds[] = {
	GOAL_BCAST, GOAL_REDUCE, GOAL_ALLREDUCE, GOAL_GATHER, GOAL_SCATTER, GOAL_ALLGATHER,
	GOAL_EXCHANGE, GOAL_SCAN, GOAL_REDUCE_SCATTER,
};

enum { MIXED = 7 };		/* of shapes */
enum { NSHAPES = sizeof(shapes) / sizeof(*shapes), NKINDS = sizeof(kinds) / sizeof(*kinds) };

static int node_of(const struct goal_node_map *nodes, int p)
{
	int k = 0;

	while (nodes->first[k + 1] <= p)
		k++;
	return k;
}

/* Messages to processes of other nodes, or to all processes, if there are no nodes. */
struct sent {
	uint64_t messages, bytes;
};

static void count(struct sent *sent, const struct goal_task *task, int nprocs, int rank)
{
	char why[200];
	size_t len;
	void *block = goal_generate(task, nprocs, rank, &len, why, sizeof(why));
	const struct goal_op *op;
	struct goal_prog prog;

	if (!block)
		bail("%s of %d: %s", task->algorithm->name, nprocs, why);
	prog = good(block, len);
	op = goal_first_op(&prog);
	for (uint32_t i = 0; i < prog.header->nops; i++, op = goal_op_next(op)) {
		if (op->type != GOAL_SEND)
			continue;
		if (task->nodes && node_of(task->nodes, (int)op->peer) ==
				   node_of(task->nodes, rank))
			continue;
		sent->messages++;
		sent->bytes += op->bytes;
	}
	free(block);
}

static struct sent count_all(const struct goal_task *task, int nprocs)
{
	struct sent sent = { 0, 0 };

	for (int rank = 0; rank < nprocs; rank++)
		count(&sent, task, nprocs, rank);
	return sent;
}

/* ---- Results --- */

static void judge_all(struct verdict *v, struct goal_task *t)
{
	for (size_t i = 0; i < NSHAPES; i++) {
		t->nodes = &shapes[i].nodes;
		each_root(v, t, t->nodes->first[t->nodes->n]);
	}
}

static void try_all(const struct goal_algorithm *a, bool in_place)
{
	static const uint64_t sizes[] = { 0, 1, 8, 4096 + 3 };
	struct goal_task t = task_of(a, in_place);
	struct verdict v = { "", 0 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		t.bytes = sizes[i];
		t.segment = a->has_segment ? 1000 : 0;
		judge_all(&v, &t);
	}
	report(&v, "%s:%s%s", goal_kind_name(a->kind), a->name, in_place ? " in place" : "");
}

/* Products of matrices: the order of processes shows. */
static void try_folds(const struct goal_algorithm *a, bool in_place)
{
	struct goal_task t = task_of(a, in_place);
	struct verdict v = { "", 0 };

	t.call = 0;
	t.element = t.bytes = 5 * sizeof(struct matrix);
	judge_all(&v, &t);
	t.call = -1;
	t.element = 0;
	t.function = GOAL_ADD;
	t.datatype = GOAL_F64;
	t.bytes = 17 * sizeof(double);
	t.segment = a->has_segment ? 3 * sizeof(double) : 0;
	judge_all(&v, &t);
	report(&v, "%s:%s%s, in the order of processes", goal_kind_name(a->kind), a->name,
	       in_place ? " in place" : "");
}

/* ---- Lengths as arguments --- */

/*
 * In a schedule whose lengths are arguments each piece is one block, and a fold or copy moves each
 * block to the same one. A buffer of one block has that of its process.
 */
static int block_of_part(const struct goal_task *t, int rank, const struct goal_part *part,
			 const int *scratch)
{
	bool one = t->kind == GOAL_ALLGATHER ? part->buffer == SOURCE : part->buffer == TARGET;

	if (part->bytes != t->bytes || part->offset % t->bytes)
		return -1;
	if (part->buffer == GOAL_SCRATCHPAD)
		return scratch[part->offset / t->bytes];
	return one ? rank : (int)(part->offset / t->bytes);
}

static bool blocks_fit(const struct goal_task *t, int rank, const struct goal_prog *prog,
		       const int *scratch)
{
	const struct goal_op *op = goal_first_op(prog);

	for (uint32_t i = 0; i < prog->header->nops; i++, op = goal_op_next(op)) {
		const struct goal_part *parts = goal_parts(op);

		for (uint32_t k = 0; k < op->nparts; k++) {
			int block = block_of_part(t, rank, &parts[k], scratch);

			if (block < 0 ||
			    (op->type == GOAL_LOCAL && k >= op->ndst &&
			     block != block_of_part(t, rank, &parts[k - op->ndst], scratch)))
				return false;
		}
	}
	return true;
}

static bool lengths_fit(const struct goal_task *t, int nprocs, int rank)
{
	char why[200];
	size_t len, units;
	void *block = goal_generate(t, nprocs, rank, &len, why, sizeof(why));
	struct goal_prog prog;
	int *scratch;
	bool fit;

	if (!block)
		bail("%s of %d: %s", t->algorithm->name, nprocs, why);
	prog = good(block, len);
	units = prog.header->scratch_bytes / t->bytes;
	scratch = some((units + 1) * sizeof(*scratch));
	goal_scratch_blocks(t, nprocs, rank, scratch, units);
	fit = blocks_fit(t, rank, &prog, scratch);
	free(scratch);
	free(block);
	return fit;
}

/* Elements of one byte and of eight: areas of the scratchpad begin on a multiple of 16 bytes. */
static void try_lengths(const struct goal_algorithm *a, enum goal_datatype datatype)
{
	struct goal_task t = task_of(a, false);
	struct verdict v = { "", 0 };
	bool fit = true;

	t.apart = true;
	t.function = GOAL_MAX;
	t.datatype = goal_kind_folds(a->kind) ? datatype : GOAL_NONE;
	t.bytes = goal_datatype_bytes(datatype);
	judge_all(&v, &t);
	for (size_t i = 0; i < NSHAPES; i++) {
		int nprocs = shapes[i].nodes.first[shapes[i].nodes.n];

		t.nodes = &shapes[i].nodes;
		for (int p = 0; !goal_refuses(&t, nprocs, p) && p < nprocs; p++)
			fit = fit && lengths_fit(&t, nprocs, p);
	}
	report(&v, "%s:%s, lengths as arguments", goal_kind_name(a->kind), a->name);
	ok(fit, "%s:%s, %u bytes: each piece is one block, which moves to itself",
	   goal_kind_name(a->kind), a->name, (unsigned int)t.bytes);
}

/* ---- Messages between nodes --- */

static bool is_rooted_by_blocks(enum goal_kind kind)
{
	return kind == GOAL_GATHER || kind == GOAL_SCATTER;
}

/* As many as the same algorithm sends between as many processes as there are nodes. */
static bool counts_fit(struct goal_task *t, const struct shape *s)
{
	int nodes = s->nodes.n, nprocs = s->nodes.first[nodes];
	struct sent two, one;

	t->nodes = &s->nodes;
	if (goal_refuses(t, nprocs, 0))
		return true;
	two = count_all(t, nprocs);
	t->nodes = NULL;
	one = count_all(t, nodes);
	if (two.messages == one.messages)
		return true;
	diag("%s %s, nodes of %s: %llu messages, not %llu", goal_kind_name(t->kind),
	     t->algorithm->name, s->name, (unsigned long long)two.messages,
	     (unsigned long long)one.messages);
	return false;
}

static void check_counts(enum goal_kind kind)
{
	const struct goal_algorithm *a;
	bool fit = true;

	for (unsigned int i = 0; (a = goal_algorithm(kind, i)); i++) {
		struct goal_task t = task_of(a, false);

		t.bytes = 64;
		t.function = GOAL_ADD;
		t.datatype = goal_kind_folds(kind) ? GOAL_I64 : GOAL_NONE;
		for (size_t k = 0; k < NSHAPES; k++)
			fit = counts_fit(&t, &shapes[k]) && fit;
	}
	ok(fit, "%s: as many messages between nodes as between processes", goal_kind_name(kind));
}

static struct sent between(enum goal_kind kind, const char *name, const struct shape *s)
{
	struct goal_task t = task_of(goal_algorithm_named(kind, name), false);

	t.bytes = 24;
	t.function = GOAL_ADD;
	t.datatype = goal_kind_folds(kind) ? GOAL_I64 : GOAL_NONE;
	t.nodes = &s->nodes;
	return count_all(&t, s->nodes.first[s->nodes.n]);
}

/* Nodes of 2, 5, 1, 3 and 2: by formula. */
static void check_formulas(void)
{
	const struct shape s = shapes[MIXED];
	enum { N = 5, P = 13, BYTES = 24 };
	struct sent sent = between(GOAL_BCAST, "binomial", &s);
	uint64_t pairs = P * P - (2 * 2 + 5 * 5 + 1 + 3 * 3 + 2 * 2);

	ok(sent.messages == N - 1 && sent.bytes == (N - 1) * BYTES,
	   "bcast: the block, once to each other node");
	sent = between(GOAL_REDUCE, "binomial", &s);
	ok(sent.messages == N - 1 && sent.bytes == (N - 1) * BYTES,
	   "reduce: one result from each other node");
	sent = between(GOAL_GATHER, "linear", &s);
	ok(sent.messages == N - 1 && sent.bytes == (P - 2) * BYTES,
	   "gather: one message from each other node, with its blocks");
	sent = between(GOAL_ALLGATHER, "ring", &s);
	ok(sent.messages == N * (N - 1) && sent.bytes == (N - 1) * P * BYTES,
	   "allgather: each block once to each other node");
	sent = between(GOAL_ALLGATHER, "bruck", &s);
	ok(sent.messages == N * 3, "by bruck ceil(log2 N) messages from each node");
	sent = between(GOAL_SCAN, "chain", &s);
	ok(sent.messages == N - 1 && sent.bytes == (N - 1) * BYTES,
	   "scan: along a chain one fold to each next node");
	sent = between(GOAL_SCAN, "recursive-doubling", &s);
	ok(sent.messages == N - 1 + N - 2 + N - 4, "by recursive doubling N - 2^k in round k");
	sent = between(GOAL_REDUCE_SCATTER, "direct-rotated", &s);
	ok(sent.messages == N * (N - 1) && sent.bytes == (N - 1) * P * BYTES,
	   "reduce-scatter: one message for each pair of nodes, each block folded before");
	sent = between(GOAL_EXCHANGE, "direct", &s);
	ok(sent.messages == N * (N - 1) && sent.bytes == pairs * BYTES,
	   "exchange: one message for each pair of nodes, with all blocks of their processes");
}

/* ---- What it refuses --- */

static const struct goal_node_map two_nodes = { 2, (const int[]){ 0, 2, 4 } };
static const struct goal_node_map three_nodes = { 3, (const int[]){ 0, 1, 2, 4 } };
static const struct goal_node_map few = { 2, (const int[]){ 0, 2, 3 } };
static const struct goal_node_map empty = { 2, (const int[]){ 0, 4, 4 } };

static bool apart;

static const char *refusal(enum goal_kind kind, const char *name, const struct goal_node_map *m)
{
	struct goal_task t = task_of(goal_algorithm_named(kind, name), false);
	const char *why;

	t.bytes = 8;
	t.function = GOAL_ADD;
	t.datatype = goal_kind_folds(kind) ? GOAL_I64 : GOAL_NONE;
	t.nodes = m;
	t.apart = apart;
	why = goal_refuses(&t, 4, 0);
	return why ? why : "nothing";
}

static void check_refusals(void)
{
	is_str("nothing", refusal(GOAL_BCAST, "chain", &two_nodes), "nodes of two");
	is_str("its nodes have not all processes, in order", refusal(GOAL_BCAST, "chain", &few),
	       "a map of fewer processes");
	is_str("its nodes have not all processes, in order", refusal(GOAL_BCAST, "chain", &empty),
	       "a node without processes");
	is_str("it does not know nodes", refusal(GOAL_BCAST, "multicast", &two_nodes),
	       "a multicast");
	is_str("the number of processes is no power of two",
	       refusal(GOAL_REDUCE_SCATTER, "halving", &three_nodes), "halving of three nodes");
	is_str("it does not know nodes", refusal(GOAL_GATHER, "binomial", &two_nodes),
	       "a gather along a tree");
	apart = true;
	is_str("it does not know nodes", refusal(GOAL_EXCHANGE, "direct", &two_nodes),
	       "lengths that no process has all of");
	is_str("nothing", refusal(GOAL_ALLGATHER, "ring", &two_nodes), "lengths that all have");
	apart = false;
	is_str("it needs lengths that not all processes have",
	       refusal(GOAL_EXCHANGE, "bruck", &two_nodes), "an exchange that joins blocks");
}

int main(void)
{
	const struct goal_algorithm *a;

	for (size_t k = 0; k < NKINDS; k++) {
		for (unsigned int i = 0; (a = goal_algorithm(kinds[k], i)); i++)
			for (int in_place = 0; in_place < 2; in_place++)
				goal_kind_folds(kinds[k]) ? try_folds(a, in_place) :
							    try_all(a, in_place);
		if (!is_rooted_by_blocks(kinds[k]))
			check_counts(kinds[k]);
	}
	for (unsigned int i = 0; (a = goal_algorithm(GOAL_REDUCE_SCATTER, i)); i++) {
		try_lengths(a, GOAL_I8);
		try_lengths(a, GOAL_I64);
	}
	for (unsigned int i = 0; (a = goal_algorithm(GOAL_ALLGATHER, i)); i++)
		if (!strcmp(a->name, "ring") || !strcmp(a->name, "bruck"))
			try_lengths(a, GOAL_I8);
	check_formulas();
	check_refusals();
	return done_testing();
}
