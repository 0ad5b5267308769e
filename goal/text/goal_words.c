// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_words.c - names of functions, datatypes and places, as text has them. */

#include "goal/text/goal_text.h"

static const char *const functions[GOAL_FUNCTIONS] = {
	[GOAL_COPY] = "copy", [GOAL_TIMESTAMP] = "timestamp",
	[GOAL_ADD] = "add",   [GOAL_SUB] = "sub",
	[GOAL_MUL] = "mul",   [GOAL_DIV] = "div",
	[GOAL_MAX] = "max",   [GOAL_MIN] = "min",
	[GOAL_AND] = "and",   [GOAL_OR] = "or",
	[GOAL_XOR] = "xor",
};

static const char *const datatypes[GOAL_DATATYPES] = {
	[GOAL_I8] = "i8", [GOAL_I16] = "i16", [GOAL_I32] = "i32", [GOAL_I64] = "i64",
	[GOAL_U8] = "u8", [GOAL_U16] = "u16", [GOAL_U32] = "u32", [GOAL_U64] = "u64",
	[GOAL_F32] = "f32", [GOAL_F64] = "f64",
};

const char *goal_function_name(unsigned int function)
{
	return function < GOAL_FUNCTIONS ? functions[function] : NULL;
}

const char *goal_datatype_name(unsigned int datatype)
{
	return datatype < GOAL_DATATYPES ? datatypes[datatype] : NULL;
}

void goal_write_place(const struct goal_part *part, FILE *out)
{
	if (part->buffer == GOAL_SCRATCHPAD)
		fputs("scratch", out);
	else
		fprintf(out, "b%u", part->buffer);
	if (part->offset)
		fprintf(out, "+%llu", (unsigned long long)part->offset);
}

void goal_write_function(const struct goal_op *op, FILE *out)
{
	if (op->type == GOAL_MULTICAST)
		fputs(" multicast", out);
	if (op->type == GOAL_CALL)
		fprintf(out, " call %u", op->tag);
	if (op->type != GOAL_LOCAL)
		return;
	fprintf(out, " local %s", functions[op->function]);
	if (op->flags & GOAL_REVERSED)
		fputs(" reversed", out);
	if (op->datatype != GOAL_NONE)
		fprintf(out, " %s", datatypes[op->datatype]);
}
