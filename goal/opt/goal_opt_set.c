// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_opt_set.c - rewrite the schedules of all processes together: messages become one. */

#include "goal/opt/goal_opt.h"
#include "goal/sim/goal_match.h"
#include "goal/sim/goal_sim.h"
#include "goal/text/goal_text.h"

/* The schedules of all processes, between two rounds. */
struct opt_job {
	struct goal_set *set;		/* compiled from the graphs */
	struct goal_graph **graph;
	uint32_t **twin;		/* of each process, by operation */
	struct goal_opt_merge *merge;	/* of each process */
	struct goal_match match;
	struct opt_pair *pair;
	size_t npairs;
};

/* A message that may become part of another one. */
struct opt_pair {
	const struct goal_match_message *send, *recv;
	uint32_t send_twin, recv_twin;
	bool certain;			/* the same receive gets it, whatever happens */
};

/* ---- Graphs and blocks ---------------------------------------------------------------- */

static void opt_job_free(struct opt_job *job)
{
	for (int rank = 0; rank < job->set->nprocs; rank++) {
		if (job->graph)
			goal_graph_destroy(job->graph[rank]);
		if (job->twin)
			free(job->twin[rank]);
		if (job->merge)
			goal_opt_merge_free(&job->merge[rank]);
	}
	free(job->graph);
	free(job->twin);
	free(job->merge);
	free(job->pair);
	goal_match_free(&job->match);
}

/* All that one process may do alone; the graph then has the numbers of its block. */
static bool opt_one_block(struct goal_set *set, int rank, struct goal_gain *gain)
{
	struct goal_prog prog = goal_set_prog(set, rank);
	struct goal_graph *g = goal_decompile(&prog);
	size_t len;
	void *block = g && goal_opt_alone(g, gain) ? goal_compile(g, &len) : NULL;

	goal_graph_destroy(g);
	if (!block)
		return false;
	free(set->block[rank]);
	set->block[rank] = block;
	set->len[rank] = len;
	return true;
}

static bool opt_open_one(struct opt_job *job, int rank)
{
	struct goal_prog prog = goal_set_prog(job->set, rank);
	struct goal_graph *g = job->graph[rank] = goal_decompile(&prog);
	struct goal_opt_edges e;
	bool good;

	if (!g)
		return false;
	job->twin[rank] = calloc(g->nnodes + 1, sizeof(**job->twin));
	good = goal_opt_merge_create(&job->merge[rank], g) && job->twin[rank];
	good = goal_opt_edges_create(&e, g) && good && goal_opt_twins(g, &e, job->twin[rank]);
	goal_opt_edges_free(&e);
	return good;
}

static bool opt_job_create(struct opt_job *job, struct goal_set *set)
{
	bool good;

	*job = (struct opt_job){ .set = set };
	good = goal_match_create(&job->match, set);
	job->graph = calloc(set->nprocs, sizeof(*job->graph));
	job->twin = calloc(set->nprocs, sizeof(*job->twin));
	job->merge = calloc(set->nprocs, sizeof(*job->merge));
	job->pair = calloc(job->match.sends.n + 1, sizeof(*job->pair));
	good = good && job->graph && job->twin && job->merge && job->pair;
	for (int rank = 0; good && rank < set->nprocs; rank++)
		good = opt_open_one(job, rank);
	return good;
}

/* ---- Which messages -------------------------------------------------------------------- */

static int opt_number_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int opt_name_of_pair(const struct opt_pair *a, const struct opt_pair *b)
{
	int order = opt_number_order(a->send->from, b->send->from);

	if (!order)
		order = opt_number_order(a->send->to, b->send->to);
	return order ? order : opt_number_order(a->send->tag, b->send->tag);
}

static int opt_twins_of_pair(const struct opt_pair *a, const struct opt_pair *b)
{
	int order = opt_number_order(a->send->from, b->send->from);

	if (!order)
		order = opt_number_order(a->send->to, b->send->to);
	if (!order)
		order = opt_number_order(a->send_twin, b->send_twin);
	return order ? order : opt_number_order(a->recv_twin, b->recv_twin);
}

static int opt_by_name(const void *a, const void *b)
{
	const struct opt_pair *left = a, *right = b;
	int order = opt_name_of_pair(left, right);

	return order ? order : opt_number_order(left->send->op->index, right->send->op->index);
}

static int opt_by_twins(const void *a, const void *b)
{
	const struct opt_pair *left = a, *right = b;
	int order = opt_twins_of_pair(left, right);

	return order ? order : opt_number_order(left->send->op->index, right->send->op->index);
}

/*
 * Messages of one name are certain if there is one, or if they are twins, which start in the order
 * of the blocks on both sides.
 */
static void opt_find_certain(struct opt_pair *pair, size_t n)
{
	size_t first, end, i;

	for (first = 0; first < n; first = end) {
		bool certain = true;

		for (end = first; end < n && !opt_name_of_pair(&pair[first], &pair[end]); end++)
			certain = certain && !opt_twins_of_pair(&pair[first], &pair[end]) &&
				  pair[end].send->op->type == GOAL_SEND;
		for (i = first; i < end; i++)
			pair[i].certain = certain;
	}
}

/* Bytes that mean nothing, and so no parts. */
static bool opt_is_hollow(const struct goal_op *op)
{
	return op->bytes && op->nparts == 0;
}

/* Does all end if every send waits for its receive? False also if there is no memory. */
static bool opt_ends_if_sends_wait(const struct goal_set *set)
{
	const struct goal_net all_wait = { .L = 1 };
	struct goal_source *source = goal_source_of(set);
	uint64_t *times = calloc(set->nprocs, sizeof(*times));
	char why[300];
	bool ends = source && times &&
		    goal_sim(source, &all_wait, NULL, times, why, sizeof(why)) == 0;

	free(source);
	free(times);
	return ends;
}

/* Why messages are not merged at all, or NULL. */
static const char *opt_refuses(const struct goal_match *match)
{
	if (match->open)
		return "a receive is open to any process or any tag";
	for (size_t i = 0; i < match->sends.n; i++)
		if (match->sends.message[i].partner == GOAL_MATCH_NONE)
			return "a message has no receive";
	for (size_t i = 0; i < match->recvs.n; i++)
		if (match->recvs.message[i].partner == GOAL_MATCH_NONE)
			return "a receive has no message";
	if (match->stuck)
		return "operations wait for each other";
	return opt_ends_if_sends_wait(match->set) ? NULL :
						    "a send has to end before its receive begins";
}

static void opt_collect_pairs(struct opt_job *job)
{
	const struct goal_match *match = &job->match;

	for (size_t i = 0; i < match->sends.n; i++) {
		const struct goal_match_message *send = &match->sends.message[i];
		const struct goal_match_message *recv = &match->recvs.message[send->partner];

		job->pair[job->npairs++] = (struct opt_pair){
			.send = send,
			.recv = recv,
			.send_twin = job->twin[send->rank][send->op->index],
			.recv_twin = job->twin[recv->rank][recv->op->index],
		};
	}
	if (job->npairs)
		qsort(job->pair, job->npairs, sizeof(*job->pair), opt_by_name);
	opt_find_certain(job->pair, job->npairs);
	if (job->npairs)
		qsort(job->pair, job->npairs, sizeof(*job->pair), opt_by_twins);
}

static bool opt_alike(const struct opt_pair *a, const struct opt_pair *b)
{
	return a->certain && b->certain && !opt_twins_of_pair(a, b) &&
	       a->send->op->bytes == a->recv->op->bytes &&
	       b->send->op->bytes == b->recv->op->bytes &&
	       opt_is_hollow(a->send->op) == opt_is_hollow(b->send->op) &&
	       opt_is_hollow(a->recv->op) == opt_is_hollow(b->recv->op);
}

/*
 * Both sides or none. The send is merged last, as it has no other limit than the receive: pieces
 * that the receive has room for may be too many for it.
 */
static bool opt_merge_pair(struct opt_job *job, const struct opt_pair *first,
			   const struct opt_pair *more)
{
	struct goal_opt_merge *sends = &job->merge[first->send->rank];
	struct goal_opt_merge *recvs = &job->merge[first->recv->rank];
	uint32_t send = first->send->op->index, recv = first->recv->op->index;
	uint32_t parts = sends->parts[send] + more->send->op->nparts;

	return parts <= GOAL_OPT_PARTS_MOST &&
	       goal_opt_merge_one(recvs, more->recv->op->index, recv, false) &&
	       goal_opt_merge_one(sends, more->send->op->index, send, false);
}

static bool opt_write_back(struct opt_job *job)
{
	for (int rank = 0; rank < job->set->nprocs; rank++) {
		size_t len;
		void *block;

		if (!goal_opt_merge_apply(job->graph[rank], &job->merge[rank]))
			return false;
		block = goal_compile(job->graph[rank], &len);
		if (!block)
			return false;
		free(job->set->block[rank]);
		job->set->block[rank] = block;
		job->set->len[rank] = len;
	}
	return true;
}

/* ---- All of it ---------------------------------------------------------------------------- */

static bool opt_round_of_messages(struct goal_set *set, struct goal_gain *gain, bool *again)
{
	struct opt_job job;
	size_t first = 0;
	uint64_t merged = 0;
	bool good = opt_job_create(&job, set);

	if (good)
		gain->skipped = opt_refuses(&job.match);
	if (good && !gain->skipped)
		opt_collect_pairs(&job);
	for (size_t i = 1; i < job.npairs; i++) {
		if (!opt_alike(&job.pair[first], &job.pair[i]))
			first = i;
		else
			merged += opt_merge_pair(&job, &job.pair[first], &job.pair[i]);
	}
	if (merged)
		good = opt_write_back(&job);
	gain->messages += merged;
	*again = merged != 0;
	opt_job_free(&job);
	return good;
}

static bool opt_set_copy(struct goal_set *copy, const struct goal_set *set)
{
	*copy = (struct goal_set){
		.nprocs = set->nprocs,
		.block = calloc(set->nprocs, sizeof(*copy->block)),
		.len = calloc(set->nprocs, sizeof(*copy->len)),
	};
	if (!copy->block || !copy->len) {
		copy->nprocs = 0;
		return false;
	}
	for (int rank = 0; rank < set->nprocs; rank++) {
		copy->block[rank] = malloc(set->len[rank]);
		if (!copy->block[rank])
			return false;
		memcpy(copy->block[rank], set->block[rank], set->len[rank]);
		copy->len[rank] = set->len[rank];
	}
	return true;
}

bool goal_set_optimize(const struct goal_set *set, bool messages, struct goal_set *result,
		       struct goal_gain *gain)
{
	struct goal_gain own = { 0 };
	struct goal_set copy;
	bool good = opt_set_copy(&copy, set), again = good;

	for (int round = 0; again && round < GOAL_OPT_ROUNDS; round++) {
		again = false;
		for (int rank = 0; good && rank < copy.nprocs; rank++)
			good = opt_one_block(&copy, rank, &own);
		if (good && messages)
			good = opt_round_of_messages(&copy, &own, &again);
	}
	if (!good) {
		goal_set_free(&copy);
		return false;
	}
	*result = copy;
	if (gain)
		*gain = own;
	return true;
}
