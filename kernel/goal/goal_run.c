/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_run.c - the interpreter: starts each operation when it waits for nothing any more. */
#include "goal_run.h"

/*
 * A state machine of counters. Each operation has one, of what it still waits for; when an
 * operation starts, the counters of its followers go down by one, when it ends those of its
 * dependents, and whatever gets to 0 joins the ring of those that are ready. No more than all
 * operations are ever ready, so the ring cannot overflow. When an operation starts its own counter
 * is set back to its dependencies; so when all have ended all counters are as at first, and to
 * start again costs no more than the independent operations.
 *
 * Nothing here is checked: goal_check() has found that every offset in a list is one of an
 * operation and every counter the number of entries that name it.
 */

size_t goal_run_bytes(const struct goal_prog *prog, bool timed)
{
	size_t each = 2 * sizeof(uint32_t) + (timed ? sizeof(uint64_t) : 0);

	return prog->header->nops * each;
}

void goal_run_init(struct goal_run *run, const struct goal_prog *prog, const struct goal_host *host,
		   void *owner, bool timed, void *memory, void *scratch)
{
	uint32_t nops = prog->header->nops;
	const struct goal_op *op = goal_first_op(prog);
	uint32_t i;

	run->prog = *prog;
	run->host = host;
	run->owner = owner;
	run->scratch = scratch;
	run->buffers = NULL;
	run->times = timed ? memory : NULL;
	run->left = timed ? (uint32_t *)((uint64_t *)memory + nops) : memory;
	run->ready = run->left + nops;
	run->first_ready = 0;
	run->nready = 0;
	run->unfinished = 0;
	run->last = 0;
	for (i = 0; i < nops; i++, op = goal_op_next(op))
		run->left[i] = op->dependencies;
}

static uint32_t offset_of(const struct goal_run *run, const struct goal_op *op)
{
	return (uint32_t)((const unsigned char *)op - (const unsigned char *)run->prog.header);
}

static void push(struct goal_run *run, uint32_t offset)
{
	uint32_t nops = run->prog.header->nops;
	uint32_t at = run->first_ready + run->nready++;

	run->ready[at < nops ? at : at - nops] = offset;
}

static uint32_t pop(struct goal_run *run)
{
	uint32_t offset = run->ready[run->first_ready];

	run->nready--;
	if (++run->first_ready == run->prog.header->nops)
		run->first_ready = 0;
	return offset;
}

void goal_run_start(struct goal_run *run, unsigned char *const *buffers, uint64_t now)
{
	const struct goal_header *header = run->prog.header;
	const struct goal_op *op = goal_first_op(&run->prog);
	uint32_t i;

	run->buffers = buffers;
	run->unfinished = header->nops;
	run->last = now;
	for (i = 0; i < header->nindep; i++, op = goal_op_next(op)) {
		push(run, offset_of(run, op));
		if (run->times)
			run->times[i] = now;
	}
}

/* It is ready no earlier than the latest of what it waits for: the first one sets its time anew. */
static void later(struct goal_run *run, const struct goal_op *op, uint64_t time)
{
	uint64_t *t = &run->times[op->index];

	if (run->left[op->index] == op->dependencies || *t < time)
		*t = time;
}

/* One less to wait for, for each operation of a list; @by is what they waited for. */
static void release(struct goal_run *run, const struct goal_op *by, const uint32_t *list,
		    uint32_t n)
{
	const struct goal_op *op;
	uint32_t i;

	for (i = 0; i < n; i++) {
		op = goal_op_at(&run->prog, list[i]);
		if (run->times)
			later(run, op, run->times[by->index]);
		if (--run->left[op->index] == 0)
			push(run, list[i]);
	}
}

static inline void end(struct goal_run *run, const struct goal_op *op)
{
	run->unfinished--;
	if (run->times && run->last < run->times[op->index])
		run->last = run->times[op->index];
	release(run, op, goal_list(op) + op->nfollowers, op->ndependents);
}

void goal_run_done(struct goal_run *run, const struct goal_op *op)
{
	end(run, op);
}

/*
 * A piece of a local function: memory without gaps on both sides. Sizes of elements are powers of
 * two, so that nothing needs to be divided.
 */
static void piece(const struct goal_op *op, unsigned char *dst, const unsigned char *src,
		  size_t bytes)
{
	if (op->function == GOAL_COPY)
		memmove(dst, src, bytes);
	else
		goal_compute((enum goal_function)op->function, (enum goal_datatype)op->datatype,
			     op->flags & GOAL_REVERSED, dst, src,
			     bytes >> __builtin_ctzl(goal_datatype_bytes(op->datatype)));
}

static void local(struct goal_run *run, const struct goal_op *op)
{
	const struct goal_part *dst = goal_parts(op), *src = dst + op->ndst;
	uint64_t left = op->bytes, dst_done = 0, src_done = 0, n;

	while (left) {
		n = dst->bytes - dst_done;
		if (n > src->bytes - src_done)
			n = src->bytes - src_done;
		piece(op, goal_run_at(run, dst) + dst_done, goal_run_at(run, src) + src_done, n);
		left -= n;
		dst_done += n;
		src_done += n;
		if (dst_done == dst->bytes)
			dst++, dst_done = 0;
		if (src_done == src->bytes)
			src++, src_done = 0;
	}
}

static void timestamp(struct goal_run *run, const struct goal_op *op)
{
	uint64_t now = run->host->now(run);

	memcpy(goal_run_at(run, goal_parts(op)), &now, sizeof now);
}

/* Has it ended already? */
static bool perform(struct goal_run *run, const struct goal_op *op)
{
	switch (op->type) {
	/* The bytes of its parts go to the peer, to all others, or come from the peer. */
	case GOAL_SEND:
	case GOAL_MULTICAST:
	case GOAL_RECV:
		return run->host->move(run, op);
	/* A function of elements in this process's memory. */
	case GOAL_LOCAL:
		if (op->function == GOAL_TIMESTAMP)
			timestamp(run, op);
		else
			local(run, op);
		return true;
	/* A function of the host. */
	case GOAL_CALL:
		run->host->call(run, op);
		return true;
	/* GOAL_CALC: time, which passes in the simulator only. */
	default:
		return true;
	}
}

uint32_t goal_run_step(struct goal_run *run, uint32_t most)
{
	const struct goal_op *op;
	uint32_t n;

	for (n = 0; n < most && run->nready; n++) {
		op = goal_op_at(&run->prog, pop(run));
		run->left[op->index] = op->dependencies;
		release(run, op, goal_list(op), op->nfollowers);
		if (perform(run, op))
			end(run, op);
	}
	return n;
}

void goal_run_end_at(struct goal_run *run, const struct goal_op *op, uint64_t end)
{
	run->times[op->index] = end;
}

uint64_t goal_run_time(const struct goal_run *run, const struct goal_op *op)
{
	return run->times[op->index];
}

uint64_t goal_run_last(const struct goal_run *run)
{
	return run->last;
}
