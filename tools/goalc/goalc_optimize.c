// SPDX-License-Identifier: BSD-3-Clause
/* goalc_optimize.c - goalc compile -O: rewrite a schedule, and print what that has changed. */

#include "goalc.h"

#include "goal/sim/goal_match.h"

#include <stdlib.h>

/* Numbers of a schedule, and its time on the network that goalc sim has by default. */
struct extent {
	uint64_t ops, edges, messages, bytes, block_bytes, time;
	bool ends;			/* it can be simulated, and has a time */
};

/* False: not enough memory. */
static bool extent_of(struct extent *x, const struct goal_set *set)
{
	struct goal_match match;
	bool good = goal_match_create(&match, set);
	struct goal_source *source;
	uint64_t *times;
	char why[300];

	*x = (struct extent){ .ops = match.nops, .messages = match.sends.n, .bytes = match.bytes };
	goal_match_free(&match);
	for (int rank = 0; rank < set->nprocs; rank++) {
		struct goal_prog prog = { .header = set->block[rank] };
		const struct goal_op *op = goal_first_op(&prog);

		/* operations name what waits for them */
		for (uint32_t i = 0; i < prog.header->nops; i++, op = goal_op_next(op))
			x->edges += goal_list_len(op);
		x->block_bytes += prog.header->bytes;
	}
	source = goal_source_of(set);
	times = calloc(set->nprocs, sizeof(*times));
	good = good && source && times;
	x->ends = good && !goal_sim(source, &goalc_net_default, NULL, times, why, sizeof(why));
	for (int rank = 0; x->ends && rank < set->nprocs; rank++)
		x->time = times[rank] > x->time ? times[rank] : x->time;
	free(source);
	free(times);
	return good;
}

static void print_pair(const char *name, uint64_t before, uint64_t after)
{
	fprintf(stderr, "%-14s %14llu %14llu\n", name, (unsigned long long)before,
		(unsigned long long)after);
}

static void print_change(const struct extent *was, const struct extent *is)
{
	fprintf(stderr, "%-14s %14s %14s\n", "", "before", "after");
	print_pair("operations", was->ops, is->ops);
	print_pair("dependencies", was->edges, is->edges);
	print_pair("messages", was->messages, is->messages);
	print_pair("bytes sent", was->bytes, is->bytes);
	print_pair("block bytes", was->block_bytes, is->block_bytes);
	if (was->ends && is->ends)
		print_pair("simulated time", was->time, is->time);
	else
		fprintf(stderr, "%-14s %14s %14s\n", "simulated time", "-", "-");
}

/* A schedule that was optimised. */
struct candidate {
	struct goal_set set;
	struct goal_gain gain;
	struct extent extent;
	uint64_t slower;		/* 0, or the time with messages merged, which is longer */
};

static void print_limits(const struct candidate *c)
{
	if (c->gain.skipped)
		fprintf(stderr, "messages are not merged: %s\n", c->gain.skipped);
	if (c->slower)
		fprintf(stderr, "messages are not merged: the simulated time would grow to %llu\n",
			(unsigned long long)c->slower);
	if (c->gain.cut)
		fprintf(stderr,
			"%llu operations have so many followers that dependencies may be left "
			"that others imply\n",
			(unsigned long long)c->gain.cut);
}

static bool candidate_make(struct candidate *c, const struct goal_set *set, bool messages)
{
	return goal_set_optimize(set, messages, &c->set, &c->gain) &&
	       extent_of(&c->extent, &c->set);
}

/* With messages merged, unless that takes longer. */
static bool candidate_best(struct candidate *best, const struct goal_set *set)
{
	struct candidate alone = { 0 };
	bool good = candidate_make(&alone, set, false) && candidate_make(best, set, true);

	if (good && best->extent.ends && best->extent.time > alone.extent.time) {
		struct candidate slower = *best;

		*best = alone;
		best->slower = slower.extent.time;
		alone = slower;
	}
	goal_set_free(&alone.set);
	return good;
}

int goalc_optimize(const char *file, struct goal_set *set)
{
	struct candidate best = { 0 };
	struct extent was;

	if (!extent_of(&was, set) || !candidate_best(&best, set)) {
		goal_set_free(&best.set);
		return goalc_fail("%s: not enough memory to optimise it", file);
	}
	print_change(&was, &best.extent);
	print_limits(&best);
	goal_set_free(set);
	*set = best.set;
	return GOALC_GOOD;
}
