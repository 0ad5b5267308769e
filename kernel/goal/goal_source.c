// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_source.c - a set of schedules as the simulator reads it. */

#include "goal_sim.h"

#include <stdlib.h>

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

static const struct set_source *own(const struct goal_source *s)
{
	return (const struct set_source *)s;
}

static const struct goal_header *header(const struct goal_set *set, int rank)
{
	return set->block[rank];
}

static const struct goal_op *op_at(const struct goal_set *set, int rank, uint32_t offset)
{
	return (const void *)((const char *)set->block[rank] + offset);
}

static const struct goal_op *op_of(const struct goal_source *s, int rank, uint32_t i)
{
	const struct set_source *o = own(s);

	return op_at(o->set, rank, o->at[o->first[rank] + i]);
}

static uint32_t nops(const struct goal_source *s, int rank)
{
	return header(own(s)->set, rank)->nops;
}

static void op(const struct goal_source *s, int rank, uint32_t i, struct goal_sim_op *out)
{
	const struct goal_op *op = op_of(s, rank, i);
	bool takes_none = op->type == GOAL_LOCAL || op->type == GOAL_CALL;

	*out = (struct goal_sim_op){
		.type = op->type, .peer = op->peer, .tag = op->tag,
		.bytes = takes_none ? 0 : op->bytes, .cpu = op->cpu, .nic = op->nic,
	};
}

static uint32_t dependencies(const struct goal_source *s, int rank, uint32_t i)
{
	return op_of(s, rank, i)->dependencies;
}

static uint32_t list(const struct goal_source *s, int rank, const uint32_t *offset, uint32_t n,
		     uint32_t *out, uint32_t most)
{
	for (uint32_t i = 0; i < n && i < most; i++)
		out[i] = op_at(own(s)->set, rank, offset[i])->index;
	return n;
}

static uint32_t dependents(const struct goal_source *s, int rank, uint32_t i, uint32_t *out,
			   uint32_t most)
{
	const struct goal_op *op = op_of(s, rank, i);

	return list(s, rank, goal_list(op) + op->nfollowers, op->ndependents, out, most);
}

static uint32_t followers(const struct goal_source *s, int rank, uint32_t i, uint32_t *out,
			  uint32_t most)
{
	const struct goal_op *op = op_of(s, rank, i);

	return list(s, rank, goal_list(op), op->nfollowers, out, most);
}

/* Lists are padded to a multiple of 8. */
static uint32_t behind(const struct goal_op *op, uint32_t offset)
{
	const char *end = (const char *)(goal_list(op) + op->nfollowers + op->ndependents);

	return offset + ((end - (const char *)op + 7) & ~7ll);
}

static void find_ops(struct set_source *o, int rank)
{
	uint32_t *at = o->at + o->first[rank];
	uint32_t offset = header(o->set, rank)->ops_at;

	for (uint32_t i = 0; i < header(o->set, rank)->nops; i++) {
		const struct goal_op *op = op_at(o->set, rank, offset);

		at[i] = offset;
		if (op->cpu >= o->source.ncpus)
			o->source.ncpus = op->cpu + 1;
		if (op->nic >= o->source.nnics)
			o->source.nnics = op->nic + 1;
		offset = behind(op, offset);
	}
}

/* All in one piece, so that free() is all it takes. */
static struct set_source *make_room(const struct goal_set *set)
{
	struct set_source *o;
	uint64_t all = 0;

	for (int rank = 0; rank < set->nprocs; rank++)
		all += header(set, rank)->nops;
	all = (all + 1) & ~1ull;
	o = malloc(sizeof(*o) + all * sizeof(*o->at) + set->nprocs * sizeof(*o->first));
	if (o)
		o->first = (uint64_t *)(o->at + all);
	return o;
}

struct goal_source *goal_source_of(const struct goal_set *set)
{
	struct set_source *o = make_room(set);
	uint64_t first = 0;

	if (!o)
		return NULL;
	o->set = set;
	o->source = (struct goal_source){
		.nprocs = set->nprocs, .ncpus = 1, .nnics = 1, .owner = o, .nops = nops, .op = op,
		.dependencies = dependencies, .dependents = dependents, .followers = followers,
	};
	for (int rank = 0; rank < set->nprocs; rank++) {
		o->first[rank] = first;
		find_ops(o, rank);
		first += header(set, rank)->nops;
	}
	return &o->source;
}
