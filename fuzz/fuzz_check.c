/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_check.c - any bytes as a block: refused, or a schedule that runs to its end. */
#include "goal.h"
#include "t/lib/random.h"

#include <stdlib.h>

enum {
	NCALLS = 4,
	MEMORY_MOST = 1 << 16,		/* bytes of a buffer or a scratchpad, in a run */
	WORK_MOST = 1 << 20,		/* bytes of all operations of a run together */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Something that must hold does not: libFuzzer keeps the input. */
static void insist(bool holds)
{
	if (!holds)
		abort();
}

static void *some(size_t bytes)
{
	void *memory = calloc(1, bytes ? bytes : 1);

	insist(memory);
	return memory;
}

/*
 * ---- A host that writes all that may be written, reads all that may be read, and ends moves late
 * ----
 */

struct host {
	const struct goal_op **moving;
	size_t nmoving;
	uint32_t begun;			/* moves and calls */
	uint64_t chance;
};

static void touch(struct goal_run *run, const struct goal_op *op)
{
	const struct goal_part *part = goal_parts(op);
	volatile unsigned char sum = 0;
	uint32_t i;
	uint64_t j;

	for (i = 0; i < op->nparts; i++, part++) {
		if (i < op->ndst)
			memset(goal_run_at(run, part), (int)op->index, part->bytes);
		for (j = 0; j < part->bytes; j++)
			sum ^= goal_run_at(run, part)[j];
	}
}

static bool move(struct goal_run *run, const struct goal_op *op)
{
	struct host *h = run->owner;

	h->begun++;
	touch(run, op);
	if (random_below(&h->chance, 2))
		return true;
	h->moving[h->nmoving++] = op;
	return false;
}

static void call(struct goal_run *run, const struct goal_op *op)
{
	struct host *h = run->owner;

	insist(op->tag < NCALLS);
	h->begun++;
	touch(run, op);
}

static uint64_t now(struct goal_run *run)
{
	struct host *h = run->owner;

	return h->chance;
}

static const struct goal_host host_ops = { .move = move, .call = call, .now = now };

/* End one of those that move, any. */
static void end_one(struct goal_run *run, struct host *h)
{
	size_t i = random_below(&h->chance, h->nmoving);
	const struct goal_op *op = h->moving[i];

	h->moving[i] = h->moving[--h->nmoving];
	if (run->times)
		goal_run_end_at(run, op, goal_run_time(run, op) + 1);
	goal_run_done(run, op);
}

/* Returns how many moves and calls there were. */
static uint32_t run_once(struct goal_run *run, struct host *h, unsigned char **buffers)
{
	uint32_t nops = run->prog.header->nops, started = 0, n;

	h->begun = 0;
	goal_run_start(run, buffers, 7);
	while (!goal_run_is_over(run)) {
		n = goal_run_step(run, 3);
		started += n;
		insist(started <= nops && (n || h->nmoving));
		if (h->nmoving)
			end_one(run, h);
	}
	insist(started == nops && h->nmoving == 0 && goal_run_step(run, 1) == 0);
	return h->begun;
}

static void run_all(const struct goal_prog *prog, bool timed)
{
	const struct goal_header *h = prog->header;
	void *memory = some(goal_run_bytes(prog, timed)), *scratch = some(h->scratch_bytes);
	unsigned char **buffers = some(h->nbuffers * sizeof *buffers);
	struct host host = { .moving = some(h->nops * sizeof *host.moving), .chance = h->bytes };
	struct goal_run run;
	uint32_t i, begun;

	for (i = 0; i < h->nbuffers; i++)
		buffers[i] = some(goal_buffers(prog)[i].bytes);
	goal_run_init(&run, prog, &host_ops, &host, timed, memory, scratch);
	begun = run_once(&run, &host, buffers);
	insist(run_once(&run, &host, buffers) == begun);
	for (i = 0; i < h->nbuffers; i++)
		free(buffers[i]);
	free(buffers);
	free(host.moving);
	free(memory);
	free(scratch);
}

/* Little enough to be run here? */
static bool is_small(const struct goal_prog *prog)
{
	const struct goal_header *h = prog->header;
	const struct goal_op *op = goal_op_at(prog, h->ops_at);
	uint64_t work = 0;
	uint32_t i;

	if (h->scratch_bytes > MEMORY_MOST)
		return false;
	for (i = 0; i < h->nbuffers; i++) {
		if (goal_buffers(prog)[i].bytes > MEMORY_MOST)
			return false;
	}
	for (i = 0; i < h->nops; i++, op = goal_op_next(op))
		work += op->nparts ? op->bytes : 0;
	return work <= WORK_MOST;
}

/* ---- Taken apart and compiled again ------------------------------------------------ */

/* A block that the compiler made must be valid. */
static bool check(const void *block, size_t len, struct goal_prog *prog)
{
	size_t work_bytes = goal_check_bytes(len), at = SIZE_MAX;
	void *work = some(work_bytes);
	int error = goal_check(block, len, NCALLS, work, work_bytes, prog, &at);

	free(work);
	insist(error <= 0 && -error < GOAL_ERRORS);
	insist(error ? at <= len : at == SIZE_MAX);
	insist(goal_check(block, len, NCALLS, NULL, 0, prog, &at) < 0);
	return error == 0;
}

static void *again(const struct goal_prog *prog, size_t *len)
{
	struct goal_graph *g = goal_decompile(prog);
	void *block;

	insist(g);
	block = goal_compile(g, len);
	insist(block);
	goal_graph_destroy(g);
	return block;
}

/*
 * Another compiler may place operations differently: so from the second time on it
 * is the same.
 */
static void compile_again(const struct goal_prog *prog)
{
	struct goal_prog first = { NULL };
	size_t len, len2;
	void *block = again(prog, &len), *block2;

	insist(check(block, len, &first));
	block2 = again(&first, &len2);
	insist(len == prog->header->bytes && len2 == len && memcmp(block, block2, len) == 0);
	free(block);
	free(block2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct goal_prog prog = { NULL };
	void *block = some(size);

	memcpy(block, data, size);
	if (check(block, size, &prog)) {
		compile_again(&prog);
		if (is_small(&prog)) {
			run_all(&prog, false);
			run_all(&prog, true);
		}
	}
	free(block);
	return 0;
}
