// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_source.c - a set of schedules as the simulator reads it. */

#include "goal/sim/goal_sim.h"
#include "goal/text/goal_text.h"

/*
 * Operations are found by their numbers: @at[first[rank] + i] is the offset of the i-th one of a
 * block.
 */
struct set_source {
	struct goal_source source;
	const struct goal_set *set;
	uint64_t *first;
	uint32_t at[];
};

static const struct set_source *source_own(const struct goal_source *s)
{
	return (const struct set_source *)s;
}

static uint32_t nops_of(const struct goal_set *set, int rank)
{
	return goal_set_prog(set, rank).header->nops;
}

static const struct goal_op *source_op_of(const struct goal_source *s, int rank, uint32_t i)
{
	const struct set_source *o = source_own(s);
	struct goal_prog prog = goal_set_prog(o->set, rank);

	return goal_op_at(&prog, o->at[o->first[rank] + i]);
}

static uint32_t nops(const struct goal_source *s, int rank)
{
	return nops_of(source_own(s)->set, rank);
}

static void op(const struct goal_source *s, int rank, uint32_t i, struct goal_sim_op *out)
{
	const struct goal_op *op = source_op_of(s, rank, i);
	bool takes_none = op->type == GOAL_LOCAL || op->type == GOAL_CALL;

	*out = (struct goal_sim_op){
		.type = op->type, .peer = op->peer, .tag = op->tag,
		.bytes = takes_none ? 0 : op->bytes, .cpu = op->cpu, .nic = op->nic,
	};
}

static uint32_t dependencies(const struct goal_source *s, int rank, uint32_t i)
{
	return source_op_of(s, rank, i)->dependencies;
}

static uint32_t source_list(const struct goal_source *s, int rank, const uint32_t *offset,
			    uint32_t n, uint32_t *out, uint32_t most)
{
	struct goal_prog prog = goal_set_prog(source_own(s)->set, rank);

	for (uint32_t i = 0; i < n && i < most; i++)
		out[i] = goal_op_at(&prog, offset[i])->index;
	return n;
}

static uint32_t dependents(const struct goal_source *s, int rank, uint32_t i, uint32_t *out,
			   uint32_t most)
{
	const struct goal_op *op = source_op_of(s, rank, i);

	return source_list(s, rank, goal_list(op) + op->nfollowers, op->ndependents, out, most);
}

static uint32_t followers(const struct goal_source *s, int rank, uint32_t i, uint32_t *out,
			  uint32_t most)
{
	const struct goal_op *op = source_op_of(s, rank, i);

	return source_list(s, rank, goal_list(op), op->nfollowers, out, most);
}

/* All in one piece, so that free() is all it takes. */
static struct set_source *source_make_room(const struct goal_set *set)
{
	struct set_source *o;
	uint64_t all = 0;

	for (int rank = 0; rank < set->nprocs; rank++)
		all += nops_of(set, rank);
	all = (all + 1) & ~1ull;
	o = malloc(sizeof(*o) + all * sizeof(*o->at) + set->nprocs * sizeof(*o->first));
	if (o)
		o->first = (uint64_t *)(o->at + all);
	return o;
}

struct goal_source *goal_source_of(const struct goal_set *set)
{
	struct set_source *o = source_make_room(set);
	uint64_t first = 0;

	if (!o)
		return NULL;
	o->set = set;
	o->source = (struct goal_source){
		.nprocs = set->nprocs, .ncpus = 1, .nnics = 1, .nops = nops, .op = op,
		.dependencies = dependencies, .dependents = dependents, .followers = followers,
	};
	for (int rank = 0; rank < set->nprocs; rank++) {
		struct goal_prog prog = goal_set_prog(set, rank);
		const struct goal_op *op = goal_first_op(&prog);

		o->first[rank] = first;
		for (uint32_t i = 0; i < prog.header->nops; i++, op = goal_op_next(op)) {
			o->at[first++] = (const char *)op - (const char *)prog.header;
			if (op->cpu >= o->source.ncpus)
				o->source.ncpus = op->cpu + 1;
			if (op->nic >= o->source.nnics)
				o->source.nnics = op->nic + 1;
		}
	}
	return &o->source;
}
