// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_dump.c - blocks become text, which goal_parse() and LogGOPSim read. */

/*
 * It keeps the rules of LogGOPSim's reader: ranks in order, one statement a line without blanks
 * before it or anything behind it, both labels of a dependency above it, no size of 0, an operation
 * for every rank. Only operations that depend on others, or others on them, have labels: o and
 * their number.
 */

#include "goal/text/goal_text.h"

enum { PIECES_A_LINE = 4 };

/* The operations that those of a block wait for: of number i, entries first[i] to first[i + 1]. */
struct waits {
	uint32_t *first;
	uint32_t *entry;		/* offset of the other, plus 1 if for its start */
};

/* ---- Dependencies ------------------------------------------------------------------- */

static void dump_fill(struct waits *w, const struct goal_prog *prog, const struct goal_op *op)
{
	uint32_t offset = (const char *)op - (const char *)prog->header;
	const uint32_t *list = goal_list(op);

	for (uint32_t i = 0; i < op->nfollowers + op->ndependents; i++) {
		const struct goal_op *waiting = goal_op_at(prog, list[i]);

		w->entry[w->first[waiting->index]++] = offset + (i < op->nfollowers);
	}
}

static bool waits_create(struct waits *w, const struct goal_prog *prog)
{
	const struct goal_op *op = goal_first_op(prog);
	uint32_t sum = 0;

	w->first = calloc((size_t)prog->header->nops + 2, sizeof(*w->first));
	if (!w->first)
		return false;
	/* Moved by one: filling moves them to where they belong. */
	for (uint32_t i = 0; i < prog->header->nops; i++, op = goal_op_next(op)) {
		w->first[i + 1] = sum;
		sum += op->dependencies;
	}
	w->entry = calloc((size_t)sum + 1, sizeof(*w->entry));
	if (!w->entry) {
		free(w->first);
		return false;
	}
	w->first++;
	op = goal_first_op(prog);
	for (uint32_t i = 0; i < prog->header->nops; i++, op = goal_op_next(op))
		dump_fill(w, prog, op);
	w->first--;
	return true;
}

/* ---- Annotations ------------------------------------------------------------------------ */

static void write_memory(const struct goal_prog *prog, FILE *out)
{
	const struct goal_buffer *buffer = goal_buffers(prog);

	for (uint32_t i = 0; i < prog->header->nbuffers; i++, buffer++)
		fprintf(out, "//! buffer %u %llub%s%s\n", i, (unsigned long long)buffer->bytes,
			buffer->access & GOAL_READ ? " read" : "",
			buffer->access & GOAL_WRITE ? " write" : "");
	if (prog->header->scratch_bytes)
		fprintf(out, "//! scratchpad %llub\n",
			(unsigned long long)prog->header->scratch_bytes);
}

static bool has_function(const struct goal_op *op)
{
	return op->type == GOAL_LOCAL || op->type == GOAL_CALL;
}

/* The length of a single piece is that of the message, and is left out. */
static void write_pieces(const char *word, const struct goal_op *op, uint32_t first, uint32_t end,
			 FILE *out)
{
	const struct goal_part *part = goal_parts(op);
	bool whole = end - first == 1 && goal_is_message(op);

	for (uint32_t i = first; i < end; i++) {
		if (i > first && (i - first) % PIECES_A_LINE == 0)
			fputs("\n//!", out);
		if ((i - first) % PIECES_A_LINE == 0)
			fprintf(out, " %s ", word);
		else
			fputs(", ", out);
		if (!whole)
			fprintf(out, "%llub at ", (unsigned long long)part[i].bytes);
		goal_write_place(&part[i], out);
	}
}

/*
 * The annotations of an operation stand on one line, but for long lists. @alone: there is no other
 * process.
 */
static void write_notes(const struct goal_op *op, bool alone, FILE *out)
{
	bool function = has_function(op) || op->type == GOAL_MULTICAST;
	bool empty = op->bytes == 0 && goal_is_message(op) && !alone;
	bool tag = op->tag && op->type == GOAL_MULTICAST && alone;
	bool nic = op->nic && (!goal_is_message(op) || alone);

	if (!function && !empty && !tag && !nic && op->nparts == 0)
		return;
	fputs("//!", out);
	if (function)
		goal_write_function(op, out);
	if (empty)
		fputs(" empty", out);
	if (tag)
		fprintf(out, " tag %u", op->tag);
	if (nic)
		fprintf(out, " nic %u", op->nic);
	write_pieces("to", op, 0, op->ndst, out);
	write_pieces("from", op, op->ndst, op->nparts, out);
	fputc('\n', out);
}

/* ---- Operations ---------------------------------------------------------------------------- */

static void write_number_or_any(const char *word, uint32_t number, FILE *out)
{
	if (number == GOAL_ANY)
		fprintf(out, " %s -1", word);
	else
		fprintf(out, " %s %u", word, number);
}

/*
 * A multicast is its sends, one after the other: o7, o7_1, o7_2, ... The first waits
 * for all that it waits for; its followers wait for the last.
 */
static uint32_t sends_of(const struct goal_prog *prog, const struct goal_op *op)
{
	return op->type == GOAL_MULTICAST ? prog->header->nprocs - 1 : 1;
}

static void write_name(const struct goal_op *op, uint32_t send, FILE *out)
{
	fprintf(out, "o%u", op->index);
	if (send)
		fprintf(out, "_%u", send);
}

static void write_statement(const struct goal_prog *prog, const struct goal_op *op, uint32_t send,
			    FILE *out)
{
	bool message = goal_is_message(op) && sends_of(prog, op) > 0;
	bool receives = op->type == GOAL_RECV;
	uint32_t peer = op->peer;

	if (op->type == GOAL_MULTICAST)
		peer = send + (send >= prog->header->rank);
	if (op->dependencies || op->nfollowers || op->ndependents || sends_of(prog, op) > 1) {
		write_name(op, send, out);
		fputs(": ", out);
	}
	if (message) {
		fprintf(out, "%s %llub", receives ? "recv" : "send",
			(unsigned long long)(op->bytes ? op->bytes : 1));
		write_number_or_any(receives ? "from" : "to", peer, out);
	} else {
		fprintf(out, "calc %llu", (unsigned long long)(has_function(op) ? 0 : op->bytes));
	}
	if (message && op->tag)
		write_number_or_any("tag", op->tag, out);
	if (op->cpu)
		fprintf(out, " cpu %u", op->cpu);
	if (message && op->nic)
		fprintf(out, " nic %u", op->nic);
	fputc('\n', out);
}

static void write_dependencies(const struct goal_prog *prog, const struct waits *w,
			       const struct goal_op *op, FILE *out)
{
	for (uint32_t i = w->first[op->index]; i < w->first[op->index + 1]; i++) {
		const struct goal_op *before = goal_op_at(prog, w->entry[i] & ~1u);
		bool start = w->entry[i] & 1;
		uint32_t sends = sends_of(prog, before);

		write_name(op, 0, out);
		fputs(start ? " irequires " : " requires ", out);
		write_name(before, start || !sends ? 0 : sends - 1, out);
		fputc('\n', out);
	}
}

/*
 * ---- Ranks ------------------------------------------------------------------------------------
 */

int goal_dump_block(const struct goal_prog *prog, FILE *out)
{
	const struct goal_op *op = goal_first_op(prog);
	struct waits w;

	if (!waits_create(&w, prog))
		return -1;
	fprintf(out, "\nrank %u {\n", prog->header->rank);
	write_memory(prog, out);
	for (uint32_t i = 0; i < prog->header->nops; i++, op = goal_op_next(op)) {
		write_notes(op, prog->header->nprocs == 1, out);
		write_statement(prog, op, 0, out);
		write_dependencies(prog, &w, op, out);
		for (uint32_t send = 1; send < sends_of(prog, op); send++) {
			write_statement(prog, op, send, out);
			write_name(op, send, out);
			fputs(" requires ", out);
			write_name(op, send - 1, out);
			fputc('\n', out);
		}
	}
	if (prog->header->nops == 0)
		fputs("//! nothing\ncalc 0\n", out);
	fputs("}\n", out);
	free(w.first);
	free(w.entry);
	return ferror(out) ? -1 : 0;
}

int goal_dump_front(int nprocs, FILE *out)
{
	return fprintf(out, "num_ranks %d\n", nprocs) < 0 ? -1 : 0;
}

int goal_dump(const struct goal_set *set, FILE *out)
{
	int error = goal_dump_front(set->nprocs, out);

	for (int i = 0; i < set->nprocs && !error; i++) {
		struct goal_prog prog = goal_set_prog(set, i);

		error = goal_dump_block(&prog, out);
	}
	return error;
}
