/* SPDX-License-Identifier: BSD-3-Clause */
/* mend.c - makes the numbers of a changed block fit again, so that more of it is looked at. */
#include "goal.h"

#include <stdlib.h>

enum { LITTLE = 4 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed);

/*
 * Lengths that make the operation reach beyond the end become small ones. Does it end before @room
 * now?
 */
static bool mend_lengths(struct goal_op *op, size_t room)
{
	op->nparts %= LITTLE;
	op->nfollowers %= LITTLE;
	op->ndependents %= LITTLE;
	if (op->type == GOAL_RECV)
		op->ndst = (uint16_t)op->nparts;
	return (size_t)((const unsigned char *)goal_op_next(op) - (const unsigned char *)op) <=
	       room;
}

/* Where operations lie; what is behind the last whole one is cut off. */
static size_t mend_ops(unsigned char *block, size_t size, uint32_t *offsets)
{
	struct goal_header *h = (void *)block;
	size_t at = h->ops_at, next;
	struct goal_op *op;

	for (h->nops = 0; at + sizeof *op <= size; at = next) {
		op = (void *)(block + at);
		if (!mend_lengths(op, size - at))
			break;
		next = (size_t)((const unsigned char *)goal_op_next(op) - block);
		op->index = h->nops;
		op->dependencies = 0;
		offsets[h->nops++] = (uint32_t)at;
	}
	return at;
}

static void mend_list(uint32_t *list, uint32_t n, uint32_t i, const uint32_t *offsets,
		      uint32_t nops, unsigned char *block)
{
	uint32_t entry;

	for (entry = 0; entry < n; entry++) {
		if (i + 1 + entry >= nops)
			return;
		i += 1 + list[entry] % (nops - i - (n - entry) > 0 ? 2 : 1);
		if (i >= nops)
			return;
		list[entry] = offsets[i];
		((struct goal_op *)(void *)(block + offsets[i]))->dependencies++;
	}
}

static void mend_lists(unsigned char *block, const uint32_t *offsets)
{
	struct goal_header *h = (void *)block;
	struct goal_op *op;
	uint32_t *list;
	uint32_t i;

	for (i = 0; i < h->nops; i++) {
		op = (void *)(block + offsets[i]);
		list = (void *)(block + ((const unsigned char *)goal_list(op) - block));
		mend_list(list, op->nfollowers, i, offsets, h->nops, block);
		mend_list(list + op->nfollowers, op->ndependents, i, offsets, h->nops, block);
	}
	for (h->nindep = 0; h->nindep < h->nops; h->nindep++) {
		op = (void *)(block + offsets[h->nindep]);
		if (op->dependencies)
			break;
	}
}

static size_t mend(unsigned char *block, size_t size)
{
	struct goal_header *h = (void *)block;
	uint32_t *offsets = calloc(size / sizeof(struct goal_op) + 1, sizeof *offsets);

	if (!offsets)
		abort();
	h->magic = GOAL_MAGIC;
	h->version = GOAL_VERSION;
	h->last_compatible = GOAL_LAST_COMPATIBLE;
	h->nbuffers %= (size - sizeof *h) / sizeof(struct goal_buffer) + 1;
	h->ops_at = (uint32_t)(sizeof *h + h->nbuffers * sizeof(struct goal_buffer));
	size = mend_ops(block, size, offsets);
	mend_lists(block, offsets);
	h->bytes = (uint32_t)size;
	free(offsets);
	return size;
}

/* Three times of four. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	unsigned char *block;

	size = LLVMFuzzerMutate(data, size, most);
	if (seed % 4 == 0 || size < sizeof(struct goal_header))
		return size;
	block = malloc(size);
	if (!block)
		abort();
	memcpy(block, data, size);
	size = mend(block, size / GOAL_ALIGN * GOAL_ALIGN);
	memcpy(data, block, size);
	free(block);
	return size;
}
