/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_run.c - the interpreter: starts each operation when it waits for no other. */
#include "goal_run.h"

/*
 * A state machine of counters. Each operation has a counter of the operations that it waits for.
 * When an operation starts, the counters of its followers are decremented; when it ends, those of
 * its dependents; an operation whose counter is 0 is added to the ring of ready ones. At most all
 * operations are ready, so the ring cannot overflow. The counter of an operation is reset when it
 * starts; so when all have ended all counters have their first values, and a new start costs no
 * more than the independent operations.
 *
 * Nothing is checked here: goal_check() has proved that each offset in a list is that of an
 * operation, and each counter the number of entries that name it.
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
	for (i = 0; i < nops; i++, op = goal_op_next(op)) {
		run->left[i] = op->dependencies;
		goal_pause(i);
	}
}

static uint32_t goal_run_offset(const struct goal_run *run, const struct goal_op *op)
{
	return (uint32_t)((const unsigned char *)op - (const unsigned char *)run->prog.header);
}

static void goal_run_push(struct goal_run *run, uint32_t offset)
{
	uint32_t nops = run->prog.header->nops;
	uint32_t at = run->first_ready + run->nready++;

	run->ready[at < nops ? at : at - nops] = offset;
}

static uint32_t goal_run_pop(struct goal_run *run)
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
		goal_run_push(run, goal_run_offset(run, op));
		if (run->times)
			run->times[i] = now;
		goal_pause(i);
	}
}

/*
 * It is ready when the last one that it waits for has ended: the first one sets its time, later
 * ones advance it.
 */
static void goal_run_ready_at(struct goal_run *run, const struct goal_op *op, uint64_t time)
{
	uint64_t *t = &run->times[op->index];

	if (run->left[op->index] == op->dependencies || *t < time)
		*t = time;
}

/* Each operation of a list waits for one less, @by. */
static void goal_run_release(struct goal_run *run, const struct goal_op *by, const uint32_t *list,
			     uint32_t n)
{
	const struct goal_op *op;
	uint32_t i;

	for (i = 0; i < n; i++) {
		op = goal_op_at(&run->prog, list[i]);
		if (run->times)
			goal_run_ready_at(run, op, run->times[by->index]);
		if (--run->left[op->index] == 0)
			goal_run_push(run, list[i]);
		goal_pause(i);
	}
}

static inline void goal_run_end_op(struct goal_run *run, const struct goal_op *op)
{
	run->unfinished--;
	if (run->times && run->last < run->times[op->index])
		run->last = run->times[op->index];
	goal_run_release(run, op, goal_list(op) + op->nfollowers, op->ndependents);
}

void goal_run_done(struct goal_run *run, const struct goal_op *op)
{
	goal_run_end_op(run, op);
}

/*
 * A piece of a local function: contiguous memory on both sides. Sizes of elements are powers of
 * two, so a shift divides.
 */
static void goal_run_piece(const struct goal_op *op, unsigned char *dst, const unsigned char *src,
			   size_t bytes)
{
	if (op->function == GOAL_COPY)
		memmove(dst, src, bytes);
	else
		goal_compute((enum goal_function)op->function, (enum goal_datatype)op->datatype,
			     op->flags & GOAL_REVERSED, dst, src,
			     bytes >> __builtin_ctzl(goal_datatype_bytes(op->datatype)));
}

static void goal_run_local(struct goal_run *run, const struct goal_op *op)
{
	const struct goal_part *dst = goal_parts(op), *src = dst + op->ndst;
	uint64_t left = op->bytes, dst_done = 0, src_done = 0, n;

	while (left) {
		n = dst->bytes - dst_done;
		if (n > src->bytes - src_done)
			n = src->bytes - src_done;
		goal_run_piece(op, goal_run_at(run, dst) + dst_done,
			       goal_run_at(run, src) + src_done, n);
		left -= n;
		dst_done += n;
		src_done += n;
		if (dst_done == dst->bytes)
			dst++, dst_done = 0;
		if (src_done == src->bytes)
			src++, src_done = 0;
	}
}

static void goal_run_timestamp(struct goal_run *run, const struct goal_op *op)
{
	uint64_t now = run->host->now(run);

	memcpy(goal_run_at(run, goal_parts(op)), &now, sizeof now);
}

/* Start it. True: it has ended already. */
static bool goal_run_perform(struct goal_run *run, const struct goal_op *op)
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
			goal_run_timestamp(run, op);
		else
			goal_run_local(run, op);
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
		op = goal_op_at(&run->prog, goal_run_pop(run));
		run->left[op->index] = op->dependencies;
		goal_run_release(run, op, goal_list(op), op->nfollowers);
		if (goal_run_perform(run, op))
			goal_run_end_op(run, op);
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
