/* SPDX-License-Identifier: BSD-3-Clause */
/* schedules.h - what the 2xx tests of schedules share: numbers by chance, checked programs, a host of no network. */
#ifndef SCHEDULES_H
#define SCHEDULES_H

#include "kernel/goal/goal.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

/* xorshift64*: the same numbers everywhere. Never 0 as a seed. */
static inline uint64_t by_chance(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1dull >> 16;
}

/* Less than @n, which is not 0. */
static inline uint32_t below(uint64_t *seed, uint32_t n)
{
	return (uint32_t)(by_chance(seed) % n);
}

static inline void *some(size_t bytes)
{
	void *memory = calloc(1, bytes ? bytes : 1);

	if (!memory)
		bail("no memory for %zu bytes", bytes);
	return memory;
}

/* What goal_check() says of a copy of exactly @len bytes, so that a sanitizer sees every byte too far. */
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

#endif
