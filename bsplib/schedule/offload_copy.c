// SPDX-License-Identifier: BSD-3-Clause
/* offload_copy.c - buffers of offloaded runs that the transport cannot pin: copied. */

/*
 * A transport may pin only so many bytes of a process (bspi.net->pinnable), and not memory of every
 * kind. Other processes may have other limits and other buffers, so each decides alone for each
 * run, and no other one notices.
 *
 * The image of a run has the bytes of its buffers. Where buffers overlap it has their bytes once,
 * so that a write to one is seen in the other. The transport works with a copy of the image, for
 * which its memory is bounded; a larger one is pinned in place of the buffers, which helps if these
 * are memory of a device or of a file.
 *
 * When the run is over the bytes go back that its operations write, and no others: the program or
 * another run may have written those meanwhile.
 */

#include "bsplib/schedule/run.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COPY_ALIGN = 16 };		/* as goal_scratch() */

/* A buffer that has bytes. */
struct copy_span {
	uintptr_t at;
	uint64_t bytes;
	uint32_t buffer;
};

static uint64_t copy_rounded(uint64_t bytes)
{
	return (bytes + COPY_ALIGN - 1) / COPY_ALIGN * COPY_ALIGN;
}

/* ---- Sizes ----------------------------------------------------------------------------- */

uint64_t bspi_copy_bytes_most(const struct goal_schedule *s)
{
	const struct goal_buffer *b = goal_buffers(&s->prog);
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < s->prog.header->nbuffers; i++)
		bytes += b[i].bytes ? copy_rounded(b[i].bytes + COPY_ALIGN - 1) : 0;
	return bytes;
}

uint64_t bspi_pinned_bytes_most(const struct goal_schedule *s)
{
	const struct goal_buffer *b = goal_buffers(&s->prog);
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), pages = 0;

	for (uint32_t i = 0; i < s->prog.header->nbuffers; i++)
		if (b[i].bytes)
			pages += (b[i].bytes - 2 + page) / page + 1;
	return pages * page;
}

/* ---- Places in the image --------------------------------------------------------------- */

static int copy_compare_spans(const void *a, const void *b)
{
	const struct copy_span *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* By address. */
static uint32_t copy_list_spans(const struct goal_request *r, struct copy_span *spans)
{
	const struct goal_buffer *b = goal_buffers(&r->s->prog);
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->s->prog.header->nbuffers; i++)
		if (b[i].bytes)
			spans[n++] = (struct copy_span){ (uintptr_t)r->buffers[i], b[i].bytes, i };
	qsort(spans, n, sizeof(*spans), copy_compare_spans);
	return n;
}

/*
 * Offsets of the buffers in the image, by buffer. They have the remainders of the addresses, so
 * elements stay aligned. Returns the bytes of the image.
 */
static uint64_t copy_place(const struct copy_span *spans, uint32_t n, uint64_t *places)
{
	uintptr_t base = 0, end = 0;	/* of the piece of memory that the last buffer is in */
	uint64_t at = 0;		/* of @base in the image */

	for (uint32_t i = 0; i < n; i++) {
		const struct copy_span *s = &spans[i];

		if (i == 0 || s->at >= end) {
			at = copy_rounded(at + (end - base)) + s->at % COPY_ALIGN;
			base = s->at;
			end = base;
		}
		places[s->buffer] = at + (s->at - base);
		if (s->at + s->bytes > end)
			end = s->at + s->bytes;
	}
	return at + (end - base);
}

static void *copy_new(const struct goal_request *r, size_t bytes)
{
	void *memory = calloc(1, bytes ? bytes : 1);

	if (!memory)
		bspi_fail_memory("goal_start", r->site ? r->site : bspi_own_site());
	return memory;
}

void bspi_copy_in(struct goal_request *r)
{
	uint32_t nbuffers = r->s->prog.header->nbuffers, n;
	struct copy_span *spans = copy_new(r, nbuffers * sizeof(*spans));
	uint64_t *places = copy_new(r, nbuffers * sizeof(*places));

	n = copy_list_spans(r, spans);
	r->image_bytes = copy_place(spans, n, places);
	r->image = copy_new(r, r->image_bytes);
	r->in_image = copy_new(r, nbuffers * sizeof(*r->in_image));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = spans[i].buffer;

		r->in_image[k] = r->image + places[k];
		memcpy(r->in_image[k], r->buffers[k], spans[i].bytes);
	}
	free(places);
	free(spans);
}

/* ---- What is written ------------------------------------------------------------------- */

static int copy_compare_parts(const void *a, const void *b)
{
	const struct goal_part *x = a, *y = b;

	if (x->buffer != y->buffer)
		return x->buffer < y->buffer ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Parts of buffers that operations write, to @parts if it is not NULL; how many. */
static size_t copy_list_written(const struct goal_prog *prog, struct goal_part *parts)
{
	const struct goal_op *op = goal_op_at(prog, prog->header->ops_at);
	size_t n = 0;

	for (uint32_t i = 0; i < prog->header->nops; i++, op = goal_op_next(op)) {
		for (uint32_t k = 0; k < op->ndst; k++) {
			if (goal_parts(op)[k].buffer == GOAL_SCRATCHPAD)
				continue;
			if (parts)
				parts[n] = goal_parts(op)[k];
			n++;
		}
	}
	return n;
}

/* Parts of a buffer that touch each other become one; returns how many are left. */
static size_t copy_join_parts(struct goal_part *parts, size_t n)
{
	size_t last = 0;

	for (size_t i = 1; i < n; i++) {
		struct goal_part *p = &parts[last];
		uint64_t end = parts[i].offset + parts[i].bytes;

		if (parts[i].buffer != p->buffer || parts[i].offset > p->offset + p->bytes)
			parts[++last] = parts[i];
		else if (end > p->offset + p->bytes)
			p->bytes = end - p->offset;
	}
	return n ? last + 1 : 0;
}

static void copy_find_written(const struct goal_request *r)
{
	struct goal_schedule *s = r->s;
	size_t n = copy_list_written(&s->prog, NULL);

	s->written = copy_new(r, n * sizeof(*s->written));
	copy_list_written(&s->prog, s->written);
	qsort(s->written, n, sizeof(*s->written), copy_compare_parts);
	s->nwritten = copy_join_parts(s->written, n);
}

void bspi_copy_out(struct goal_request *r)
{
	const struct goal_schedule *s = r->s;

	if (!s->written)
		copy_find_written(r);
	for (size_t i = 0; i < s->nwritten; i++) {
		const struct goal_part *p = &s->written[i];

		memcpy(r->buffers[p->buffer] + p->offset, r->in_image[p->buffer] + p->offset,
		       p->bytes);
	}
	free(r->image);
	free(r->in_image);
	r->image = NULL;
	r->in_image = NULL;
}
