// SPDX-License-Identifier: BSD-3-Clause
/* offload_times.c - time stamps in offloaded schedules: when operations began and ended. */

/*
 * With BSP_RECORD_OPERATIONS the transport loads another schedule in place of one: behind each
 * operation stands a time stamp (GOAL_TIMESTAMP), which all that wait for the end of the operation
 * wait for as well; the extension for profiles of Schneider and others, section 2.1. Messages,
 * their order and results are the same. The stamps are the last words of the scratchpad, one for
 * each operation by its number in the schedule without stamps, and come back with the run.
 *
 * An operation begins when the last one that it waits for has ended, or has begun if it follows
 * that one's start: so the time of a receive is also that in which its message was awaited.
 *
 * Memory and cost are bounded: a schedule with more than TIMED_MOST operations, or a larger
 * scratchpad than SCRATCH_MOST, has no stamps, and what is recorded counts against
 * BSP_RECORD_LIMIT. Without the setting no schedule has any.
 */

#include "bsplib/schedule/run.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"

#include "goal/goal.h"

#include <stdlib.h>
#include <string.h>

enum { TIMED_MOST = 4096, SCRATCH_MOST = 1 << 20 };

static const char *const function_names[GOAL_FUNCTIONS] = {
	[GOAL_COPY] = "copy", [GOAL_TIMESTAMP] = "timestamp", [GOAL_ADD] = "add",
	[GOAL_SUB] = "sub", [GOAL_MUL] = "mul", [GOAL_DIV] = "div", [GOAL_MAX] = "max",
	[GOAL_MIN] = "min", [GOAL_AND] = "and", [GOAL_OR] = "or", [GOAL_XOR] = "xor",
};

static const char *times_name(const struct goal_op *op)
{
	switch (op->type) {
	case GOAL_SEND:
		return "send";
	case GOAL_MULTICAST:
		return "multicast";
	case GOAL_RECV:
		return "receive";
	case GOAL_LOCAL:
		return function_names[op->function];
	default:
		return "calc";
	}
}

/* Operations of @g have the numbers that they have in the schedule. NULL: no memory. */
static void *times_compile(const struct goal_schedule *s, struct goal_graph *g, size_t *len)
{
	const struct goal_header *h = s->prog.header;
	uint64_t at = goal_scratch(g, h->nops * sizeof(uint64_t));
	const struct goal_op *op = goal_first_op(&s->prog);

	for (uint32_t i = 0; i < h->nops; i++, op = goal_op_next(op)) {
		const uint32_t *ends = goal_list(op) + op->nfollowers;
		int stamp = goal_local(g, GOAL_TIMESTAMP, GOAL_U64, sizeof(uint64_t),
				       GOAL_AT(GOAL_SCRATCHPAD, at + i * sizeof(uint64_t)),
				       GOAL_NOWHERE);

		goal_requires(g, stamp, (int)i);
		for (uint32_t k = 0; k < op->ndependents; k++)
			goal_requires(g, (int)goal_op_at(&s->prog, ends[k])->index, stamp);
	}
	return goal_compile(g, len);
}

void bspi_times_add(struct goal_schedule *s)
{
	const struct goal_header *h = s->prog.header;
	struct goal_graph *g;
	size_t len;

	if (!bspi.env.record_operations || !bspi.env.record[0] || h->nops > TIMED_MOST ||
	    h->scratch_bytes > SCRATCH_MOST)
		return;
	g = goal_decompile(&s->prog);
	if (!g)
		return;
	s->timed.header = times_compile(s, g, &len);
	goal_graph_destroy(g);
}

void bspi_times_remove(struct goal_schedule *s)
{
	free((void *)(uintptr_t)s->timed.header);
	s->timed.header = NULL;
}

/* The memory of the last run serves again, with what is to be there at the beginning. */
void bspi_times_begin(struct goal_request *r)
{
	const struct goal_header *h = r->s->timed.header;

	if (!h)
		return;
	if (!r->stamped)
		r->stamped = malloc(h->scratch_bytes ? h->scratch_bytes : 1);
	if (!r->stamped)
		bspi_fail_memory("goal_start", bspi_own_site());
	memset(r->stamped, 0, h->scratch_bytes);
	if (r->s->scratch_kept)
		memcpy(r->stamped, r->interp.scratch, r->s->scratch_kept);
}

void bspi_times_end(struct goal_request *r)
{
	if (r->stamped && r->s->scratch_kept)
		memcpy(r->interp.scratch, r->stamped, r->s->scratch_kept);
}

/* An operation is listed behind all that it waits for. */
static void times_set(const struct goal_schedule *s, const struct goal_op *op, uint64_t *began,
		      uint64_t over)
{
	const uint32_t *list = goal_list(op);
	size_t n = goal_list_len(op);

	for (size_t i = 0; i < n; i++) {
		uint64_t at = i < op->nfollowers ? began[op->index] : over;
		uint64_t *other = &began[goal_op_at(&s->prog, list[i])->index];

		*other = *other < at ? at : *other;
	}
}

void bspi_times_tell(const struct goal_request *r)
{
	const struct goal_schedule *s = r->s;
	uint32_t nops = s->prog.header->nops;
	const struct goal_op *op = goal_first_op(&s->prog);
	const unsigned char *stamps;
	uint64_t *began, over;

	if (!r->stamped)
		return;
	stamps = r->stamped + s->timed.header->scratch_bytes - nops * sizeof(over);
	began = malloc((nops + 1) * sizeof(*began));
	if (!began)
		bspi_fail_memory("goal_wait", r->site);
	for (uint32_t i = 0; i < nops; i++)
		began[i] = r->began_ns;
	for (uint32_t i = 0; i < nops; i++, op = goal_op_next(op)) {
		bool has_peer = op->type == GOAL_SEND || op->type == GOAL_RECV;

		memcpy(&over, stamps + i * sizeof(over), sizeof(over));
		times_set(s, op, began, over);
		BSPI_EVENT(operation, (times_name(op), has_peer ? (int)op->peer : -1, op->bytes,
				       began[i], over));
	}
	free(began);
}
