// SPDX-License-Identifier: BSD-3-Clause
/* offload_copy.c - buffers of offloaded schedules that the transport cannot pin: copied. */

/*
 * A transport may pin only so many bytes of a process (bspi.net->pinnable), and other processes
 * may have other limits and other buffers. So a process decides alone, and no other one notices:
 * the block that the transport loads has empty buffers, and a larger scratchpad, which begins with
 * the bytes of the buffers. Those go there with a start, and come back when the run is over.
 */

#include "bsplib/schedule/run.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	/* of a run: half of what the kernel gives a process for all that it does */
	COPIED_MOST = 128 << 20,
	COPY_ALIGN = 16,		/* as goal_scratch() */
};

static uint64_t copy_rounded(uint64_t bytes)
{
	return (bytes + COPY_ALIGN - 1) / COPY_ALIGN * COPY_ALIGN;
}

/* Of all buffers. */
static uint64_t copy_bytes(const struct goal_prog *prog)
{
	const struct goal_buffer *b = goal_buffers(prog);
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < prog->header->nbuffers; i++)
		bytes += copy_rounded(b[i].bytes);
	return bytes;
}

/* The pages that the buffers touch, wherever they are. */
static uint64_t pinned_bytes_most(const struct goal_prog *prog)
{
	const struct goal_buffer *b = goal_buffers(prog);
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), pages = 0;

	for (uint32_t i = 0; i < prog->header->nbuffers; i++)
		if (b[i].bytes)
			pages += (b[i].bytes - 2 + page) / page + 1;
	return pages * page;
}

/* ---- The block ------------------------------------------------------------------------- */

static void copy_move_part(struct goal_part *part, const uint64_t *at, uint64_t bytes)
{
	part->offset += part->buffer == GOAL_SCRATCHPAD ? bytes : at[part->buffer];
	part->buffer = GOAL_SCRATCHPAD;
}

/* Empties the buffers of a block; @at: room for their places in the scratchpad. */
static void copy_move_buffers(struct goal_header *h, uint64_t *at, uint64_t bytes)
{
	struct goal_buffer *b = (struct goal_buffer *)(h + 1);
	struct goal_op *op = (struct goal_op *)((unsigned char *)h + h->ops_at);
	uint64_t end = 0;

	for (uint32_t i = 0; i < h->nbuffers; i++) {
		at[i] = end;
		end += copy_rounded(b[i].bytes);
		b[i] = (struct goal_buffer){ .align = 1 };
	}
	for (uint32_t i = 0; i < h->nops; i++) {
		for (uint32_t k = 0; k < op->nparts; k++)
			copy_move_part((struct goal_part *)(op + 1) + k, at, bytes);
		op = (struct goal_op *)(uintptr_t)goal_op_next(op);
	}
	h->scratch_bytes += bytes;
}

struct goal_header *bspi_copy_block(struct goal_schedule *s)
{
	const struct goal_header *h = s->prog.header;
	uint64_t bytes = copy_bytes(&s->prog), *at;
	struct goal_header *block;

	if (pinned_bytes_most(&s->prog) <= bspi.net->pinnable || bytes > COPIED_MOST ||
	    h->scratch_bytes > GOAL_SCRATCH_MOST - bytes)
		return NULL;
	block = malloc(h->bytes);
	at = malloc(h->nbuffers * sizeof(*at));
	if (!block || !at)
		bspi_fail_memory("goal_load", bspi_own_site());
	memcpy(block, h, h->bytes);
	copy_move_buffers(block, at, bytes);
	free(at);
	s->copied = bytes;
	return block;
}

/* ---- A run ----------------------------------------------------------------------------- */

static bool overlap(const unsigned char *a, uint64_t na, const unsigned char *b, uint64_t nb)
{
	return na && nb && (uintptr_t)a < (uintptr_t)b + nb && (uintptr_t)b < (uintptr_t)a + na;
}

/* What is written to one of the copies would not be in the other. */
static void copy_check_overlap(const struct goal_flight *f, uint32_t i, uint32_t k)
{
	const struct goal_buffer *b = goal_buffers(&f->s->prog);

	if (((b[i].access | b[k].access) & GOAL_WRITE) &&
	    overlap(f->buffers[i], b[i].bytes, f->buffers[k], b[k].bytes))
		bspi_fail("goal_start", f->site ? f->site : bspi_own_site(),
			  "buffers %u and %u overlap, and the kernel works with copies of them, "
			  "since they are more than the %zu bytes that it may keep in place; raise "
			  "the limit (ulimit -l), or set BSP_OFFLOAD=barrier",
			  k, i, bspi.net->pinnable);
}

void bspi_copy_in(struct goal_flight *f)
{
	const struct goal_buffer *b = goal_buffers(&f->s->prog);
	unsigned char *at = f->copy = calloc(1, f->s->copied);

	if (!at)
		bspi_fail_memory("goal_start", f->site ? f->site : bspi_own_site());
	for (uint32_t i = 0; i < f->s->prog.header->nbuffers; i++) {
		for (uint32_t k = 0; k < i; k++)
			copy_check_overlap(f, i, k);
		if (b[i].bytes)
			memcpy(at, f->buffers[i], b[i].bytes);
		at += copy_rounded(b[i].bytes);
	}
}

void bspi_copy_out(struct goal_flight *f)
{
	const struct goal_buffer *b = goal_buffers(&f->s->prog);
	const unsigned char *at = f->copy;

	for (uint32_t i = 0; i < f->s->prog.header->nbuffers; i++) {
		if (b[i].access & GOAL_WRITE)
			memcpy(f->buffers[i], at, b[i].bytes);
		at += copy_rounded(b[i].bytes);
	}
	free(f->copy);
	f->copy = NULL;
}
