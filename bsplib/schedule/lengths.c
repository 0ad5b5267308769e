// SPDX-License-Identifier: BSD-3-Clause
/* lengths.c - runs whose blocks have lengths and places of their own. */

/*
 * The schedule was verified with blocks of one unit. A run has a copy of it, made once, in which
 * each start replaces the places and lengths of the parts, and of operations their sums; all else,
 * the dependences above all, is as it was verified. So the interpreter, the matching of messages
 * and their transfer need not know of it. A part without bytes, which no verified schedule has,
 * stays a part: the length of its message is compared, as that of any other.
 */

#include "bsplib/schedule/run.h"

#include "bsplib/core/state.h"

static uint64_t nothing[2];	/* the place of an area without bytes */

/* Block by block: the copy has the same operations at the same offsets. */
static uint64_t lengths_set_parts(struct goal_op *op, const struct goal_op *like,
				  const struct bspi_blocks *blocks, uint32_t nbuffers,
				  uint32_t unit)
{
	struct goal_part *part = (struct goal_part *)(op + 1);
	const struct goal_part *from = goal_parts(like);
	uint32_t n = op->type == GOAL_LOCAL ? op->ndst : op->nparts;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < op->nparts; i++) {
		bool scratch = from[i].buffer == GOAL_SCRATCHPAD;
		const struct bspi_blocks *b = &blocks[scratch ? nbuffers : from[i].buffer];
		uint64_t block = from[i].offset / unit;

		part[i].bytes = b->bytes[block];
		part[i].offset = part[i].bytes ? b->at[block] : 0;
		bytes += i < n ? part[i].bytes : 0;
	}
	return bytes;
}

/* A copy of a block to where it is already, as the caller has it in place. */
static bool lengths_copies_in_place(const struct goal_run *run, const struct goal_op *op)
{
	const struct goal_part *parts = goal_parts(op);

	return op->type == GOAL_LOCAL && op->function == GOAL_COPY && op->nparts == 2 &&
	       op->bytes && goal_run_at(run, &parts[0]) == goal_run_at(run, &parts[1]);
}

void bspi_lengths_set(struct goal_request *r, const struct bspi_blocks *blocks, void *scratch)
{
	const struct goal_header *h = r->interp.prog.header;
	const struct goal_op *like = goal_first_op(&r->s->prog);
	struct goal_op *op = (struct goal_op *)(uintptr_t)goal_first_op(&r->interp.prog);

	for (uint32_t i = 0; i < h->nbuffers; i++)
		if (!r->buffers[i])
			r->buffers[i] = (unsigned char *)nothing;
	r->interp.scratch = scratch ? scratch : (void *)nothing;
	r->interp.buffers = r->buffers;
	for (uint32_t i = 0; i < h->nops; i++) {
		op->bytes = lengths_set_parts(op, like, blocks, h->nbuffers, r->s->unit);
		if (lengths_copies_in_place(&r->interp, op))
			op->bytes = 0;
		bspi.stat.bytes_out += op->type == GOAL_SEND ? op->bytes : 0;
		bspi.stat.bytes_out +=
			op->type == GOAL_MULTICAST ? op->bytes * (bspi.nprocs - 1) : 0;
		bspi.stat.bytes_in += op->type == GOAL_RECV ? op->bytes : 0;
		op = (struct goal_op *)(uintptr_t)goal_op_next(op);
		like = goal_op_next(like);
	}
}
