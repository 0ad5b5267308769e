/* SPDX-License-Identifier: BSD-3-Clause */
/* schedules.h - for tests of schedules: random graphs, runs, a host of no network. */
#ifndef SCHEDULES_H
#define SCHEDULES_H

#include "goal/goal.h"
#include "random.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static inline void *some(size_t bytes)
{
	void *memory = calloc(1, bytes ? bytes : 1);

	if (!memory)
		bail("no memory for %zu bytes", bytes);
	return memory;
}

/*
 * goal_check() of a copy of exactly @len bytes, so that a sanitizer reports each access beyond
 * them.
 */
static inline int check_block(const void *block, size_t len, uint32_t ncalls, size_t *at)
{
	size_t work_bytes = goal_check_bytes(len);
	void *copy = some(len), *work = some(work_bytes);
	struct goal_prog prog;
	int error;

	memcpy(copy, block, len);
	*at = 0;
	error = goal_check(copy, len, ncalls, work, work_bytes, &prog, at);
	free(copy);
	free(work);
	return error;
}

/* The program of a block that must be good. */
static inline struct goal_prog good(const void *block, size_t len)
{
	size_t work_bytes = goal_check_bytes(len), at = 0;
	void *work = some(work_bytes);
	struct goal_prog prog = { NULL };
	int error = goal_check(block, len, UINT32_MAX, work, work_bytes, &prog, &at);

	free(work);
	if (error)
		bail("refused at %zu: %s", at, goal_strerror(error));
	return prog;
}

/* Compile what must compile. */
static inline void *compiled(struct goal_graph *g, size_t *len)
{
	void *block = goal_compile(g, len);

	if (!block)
		bail("does not compile: %s", goal_graph_error(g));
	return block;
}

/* ---- Random graphs --------------------------------------------------------------- */

/* An edge as the test remembers it. */
struct edge {
	int op, before;
	bool end;
};

/* @n operations that the host sees, of process 0 of 3 and in no order. */
static inline void random_ops(struct goal_graph *g, uint64_t *seed, int n)
{
	int ours = goal_buffer(g), theirs = goal_buffer(g), i;
	struct goal_piece pieces[4] = {
		{ GOAL_AT(ours, 0), 8 }, { GOAL_AT(theirs, 8), 16 },
		{ GOAL_AT(GOAL_SCRATCHPAD, 0), 16 }, { GOAL_AT(GOAL_SCRATCHPAD, 16), 8 },
	};

	goal_scratch(g, 24);
	for (i = 0; i < n; i++) {
		switch (random_below(seed, 8)) {
		case 0:
			goal_send(g, random_below(seed, 9), GOAL_AT(ours, random_below(seed, 99)),
				  1, random_below(seed, 5));
			break;
		case 1:
			goal_recv(g, random_below(seed, 9), GOAL_AT(theirs, random_below(seed, 99)),
				  2, GOAL_ANY);
			break;
		case 2:
			goal_send_list(g, pieces, random_below(seed, 5), 2, 7);
			break;
		case 3:
			goal_recv_list(g, pieces, random_below(seed, 5), -1, 7);
			break;
		case 4:
			goal_multicast(g, 5, GOAL_NOWHERE, 1);
			break;
		default:
			goal_call(g, random_below(seed, 4), pieces, 4, random_below(seed, 5));
		}
	}
}

/* @n edges without a circle, some of them more than once; recorded in @edges. */
static inline void random_edges(struct goal_graph *g, uint64_t *seed, struct edge *edges, size_t n)
{
	uint32_t nops = (uint32_t)goal_nops(g), a, b, i;
	uint32_t *hidden = some(nops * sizeof *hidden);
	size_t k;

	for (i = 0; i < nops; i++) {
		a = random_below(seed, i + 1);
		hidden[i] = hidden[a];
		hidden[a] = i;
	}
	for (k = 0; k < n; k++) {
		a = random_below(seed, nops);
		b = random_below(seed, nops);
		if (a == b)
			b = (b + 1) % nops;
		edges[k] = (struct edge){
			.op = (int)hidden[a > b ? a : b],
			.before = (int)hidden[a > b ? b : a],
			.end = random_below(seed, 4) != 0,
		};
		if (edges[k].end)
			goal_requires(g, edges[k].op, edges[k].before);
		else
			goal_irequires(g, edges[k].op, edges[k].before);
	}
	free(hidden);
}

/* ---- Runs ---------------------------------------------------------------------------- */

/* A run with memory of its own. */
struct own_run {
	struct goal_run run;		/* first */
	void *memory, *scratch;
	unsigned char **buffers;
};

static inline struct own_run *own_run(const struct goal_prog *prog, const struct goal_host *host,
				      void *owner, bool timed)
{
	const struct goal_header *h = prog->header;
	struct own_run *own = some(sizeof *own);
	uint32_t i;

	own->memory = some(goal_run_bytes(prog, timed));
	own->scratch = some(h->scratch_bytes);
	own->buffers = some(h->nbuffers * sizeof *own->buffers);
	for (i = 0; i < h->nbuffers; i++)
		own->buffers[i] = some(goal_buffers(prog)[i].bytes);
	goal_run_init(&own->run, prog, host, owner, timed, own->memory, own->scratch);
	return own;
}

static inline void own_run_free(struct own_run *own)
{
	uint32_t i;

	for (i = 0; i < own->run.prog.header->nbuffers; i++)
		free(own->buffers[i]);
	free(own->buffers);
	free(own->memory);
	free(own->scratch);
	free(own);
}

/*
 * A host that ends transfers at random, in any order, and records the order in which operations
 * begin and end. It writes and reads the memory of all parts. The run belongs to it.
 */
struct late {
	uint64_t seed;
	const struct goal_op **moving;
	uint32_t nmoving;
	uint32_t *begun, *ended;	/* by index: number of the event, from 1; 0: not yet */
	uint32_t nops, events;
	bool twice;			/* something was begun more than once */
};

static inline struct late late_host(uint32_t nops, uint64_t seed)
{
	return (struct late){
		.seed = seed,
		.moving = some(nops * sizeof(struct goal_op *)),
		.begun = some(nops * sizeof(uint32_t)),
		.ended = some(nops * sizeof(uint32_t)),
		.nops = nops,
	};
}

static inline void late_free(struct late *l)
{
	free(l->moving);
	free(l->begun);
	free(l->ended);
}

static inline void late_forget(struct late *l)
{
	memset(l->begun, 0, l->nops * sizeof *l->begun);
	memset(l->ended, 0, l->nops * sizeof *l->ended);
	l->events = 0;
}

static inline void late_begin(struct goal_run *run, struct late *l, const struct goal_op *op)
{
	const struct goal_part *part = goal_parts(op);
	volatile unsigned char sum = 0;
	uint64_t j;
	uint32_t i;

	l->twice |= l->begun[op->index] != 0;
	l->begun[op->index] = ++l->events;
	for (i = 0; i < op->nparts; i++, part++) {
		if (i < op->ndst)
			memset(goal_run_at(run, part), (int)op->index, part->bytes);
		for (j = 0; j < part->bytes; j++)
			sum ^= goal_run_at(run, part)[j];
	}
	(void)sum;
}

static inline bool late_move(struct goal_run *run, const struct goal_op *op)
{
	struct late *l = run->owner;

	late_begin(run, l, op);
	if (random_below(&l->seed, 4)) {
		l->moving[l->nmoving++] = op;
		return false;
	}
	l->ended[op->index] = ++l->events;
	return true;
}

static inline void late_call(struct goal_run *run, const struct goal_op *op)
{
	struct late *l = run->owner;

	late_begin(run, l, op);
	l->ended[op->index] = ++l->events;
}

static inline uint64_t late_now(struct goal_run *run)
{
	return random_next(&((struct late *)run->owner)->seed);
}

static const struct goal_host late_ops = { .move = late_move, .call = late_call, .now = late_now };

/* End one of the transfers under way; false if there is none. */
static inline bool late_end(struct goal_run *run)
{
	struct late *l = run->owner;
	const struct goal_op *op;
	uint32_t i;

	if (!l->nmoving)
		return false;
	i = random_below(&l->seed, l->nmoving);
	op = l->moving[i];
	l->moving[i] = l->moving[--l->nmoving];
	l->ended[op->index] = ++l->events;
	goal_run_done(run, op);
	return true;
}

/* Run it to its end; false: it stopped before. */
static inline bool late_run(struct goal_run *run)
{
	while (!goal_run_is_over(run)) {
		if (!goal_run_step(run, 2) && !late_end(run))
			return false;
	}
	return true;
}

#endif
