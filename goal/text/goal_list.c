// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_list.c - what lies where in a block, for people. */

#include "goal/text/goal_text.h"

static void list_memory(const struct goal_prog *prog, FILE *out)
{
	const struct goal_buffer *buffer = goal_buffers(prog);

	for (uint32_t i = 0; i < prog->header->nbuffers; i++, buffer++)
		fprintf(out, "  b%u: %llu bytes%s%s, aligned to %u\n", i,
			(unsigned long long)buffer->bytes,
			buffer->access & GOAL_READ ? ", read" : "",
			buffer->access & GOAL_WRITE ? ", written" : "", buffer->align);
	if (prog->header->scratch_bytes)
		fprintf(out, "  scratch: %llu bytes\n",
			(unsigned long long)prog->header->scratch_bytes);
}

static void list_peer(const char *word, uint32_t number, FILE *out)
{
	if (number == GOAL_ANY)
		fprintf(out, " %s any", word);
	else
		fprintf(out, " %s %u", word, number);
}

/* The operation, without its memory. */
static void list_write_kind(const struct goal_op *op, FILE *out)
{
	unsigned long long bytes = op->bytes;

	switch (op->type) {
	case GOAL_SEND:
		fprintf(out, " send %llub", bytes);
		list_peer("to", op->peer, out);
		list_peer("tag", op->tag, out);
		break;
	case GOAL_RECV:
		fprintf(out, " recv %llub", bytes);
		list_peer("from", op->peer, out);
		list_peer("tag", op->tag, out);
		break;
	case GOAL_CALC:
		fprintf(out, " calc %llu", bytes);
		break;
	case GOAL_MULTICAST:
		fprintf(out, " multicast %llub", bytes);
		list_peer("tag", op->tag, out);
		break;
	default:
		goal_write_function(op, out);
	}
	if (op->cpu)
		fprintf(out, " cpu %u", op->cpu);
	if (op->nic)
		fprintf(out, " nic %u", op->nic);
}

static void list_parts(const struct goal_op *op, FILE *out)
{
	const struct goal_part *part = goal_parts(op);

	for (uint32_t i = 0; i < op->nparts; i++, part++) {
		fputs(i == op->ndst ? " from " : i == 0 ? " to " : ", ", out);
		fprintf(out, "%llub at ", (unsigned long long)part->bytes);
		goal_write_place(part, out);
	}
}

static void list_entries(const struct goal_prog *prog, const char *word, const uint32_t *list,
			 uint32_t n, FILE *out)
{
	if (n)
		fprintf(out, "; %s", word);
	for (uint32_t i = 0; i < n; i++)
		fprintf(out, " %u", goal_op_at(prog, list[i])->index);
}

int goal_list_block(const struct goal_prog *prog, FILE *out)
{
	const struct goal_header *header = prog->header;
	const struct goal_op *op = goal_first_op(prog);

	fprintf(out, "rank %u of %u: %u bytes, operations: %u, waiting for none: %u\n",
		header->rank, header->nprocs, header->bytes, header->nops, header->nindep);
	list_memory(prog, out);
	for (uint32_t i = 0; i < header->nops; i++, op = goal_op_next(op)) {
		const uint32_t *list = goal_list(op);

		fprintf(out, "%8zu %5u:", (size_t)((const char *)op - (const char *)header),
			op->index);
		list_write_kind(op, out);
		list_parts(op, out);
		if (op->dependencies)
			fprintf(out, "; waits for %u", op->dependencies);
		list_entries(prog, "its start lets go", list, op->nfollowers, out);
		list_entries(prog, "its end lets go", list + op->nfollowers, op->ndependents, out);
		fputc('\n', out);
	}
	return ferror(out) ? -1 : 0;
}
