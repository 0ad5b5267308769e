/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_arith.c - local functions of integers, and the element types of each function. */
#include "goal_run.h"

/*
 * Each element is extended to 64 bits, by sign or by zeros, computed in unsigned arithmetic, which
 * wraps, and truncated. The truncated bits do not matter for +, -, * and bitwise functions;
 * quotients, max and min are exact in 64 bits. Function and width are constants in each loop that
 * the compiler makes of goal_int_elements(), so that no loop has a decision.
 */
#define goal_inline static inline __attribute__((__always_inline__))

static const uint8_t goal_int_bytes[GOAL_DATATYPES] = {
	[GOAL_NONE] = 1,
	[GOAL_I8] = 1, [GOAL_I16] = 2, [GOAL_I32] = 4, [GOAL_I64] = 8,
	[GOAL_U8] = 1, [GOAL_U16] = 2, [GOAL_U32] = 4, [GOAL_U64] = 8,
	[GOAL_F32] = 4, [GOAL_F64] = 8,
};

/* The datatypes of a function, first and last. */
static const struct {
	uint8_t first, last;
} goal_function_types[GOAL_FUNCTIONS] = {
	[0] = { 1, 0 },
	[GOAL_COPY] = { GOAL_NONE, GOAL_NONE },
	[GOAL_TIMESTAMP] = { GOAL_U64, GOAL_U64 },
	[GOAL_ADD] = { GOAL_I8, GOAL_F64 },
	[GOAL_SUB] = { GOAL_I8, GOAL_F64 },
	[GOAL_MUL] = { GOAL_I8, GOAL_F64 },
	[GOAL_DIV] = { GOAL_I8, GOAL_F64 },
	[GOAL_MAX] = { GOAL_I8, GOAL_F64 },
	[GOAL_MIN] = { GOAL_I8, GOAL_F64 },
	[GOAL_AND] = { GOAL_I8, GOAL_U64 },
	[GOAL_OR] = { GOAL_I8, GOAL_U64 },
	[GOAL_XOR] = { GOAL_I8, GOAL_U64 },
};

size_t goal_datatype_bytes(uint32_t datatype)
{
	return datatype < GOAL_DATATYPES ? goal_int_bytes[datatype] : 0;
}

bool goal_function_takes(uint32_t function, uint32_t datatype)
{
	return function < GOAL_FUNCTIONS && datatype >= goal_function_types[function].first &&
	       datatype <= goal_function_types[function].last;
}

goal_inline uint64_t goal_int_load(enum goal_datatype datatype, const void *from)
{
	union {
		int8_t i8; int16_t i16; int32_t i32;
		uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64;
	} v;

	memcpy(&v, from, goal_int_bytes[datatype]);
	switch (datatype) {
	case GOAL_I8:
		return (uint64_t)v.i8;
	case GOAL_I16:
		return (uint64_t)v.i16;
	case GOAL_I32:
		return (uint64_t)v.i32;
	case GOAL_U8:
		return v.u8;
	case GOAL_U16:
		return v.u16;
	case GOAL_U32:
		return v.u32;
	default:
		return v.u64;
	}
}

/* The least number / -1 wraps to itself, like the negation of an unsigned number. */
goal_inline uint64_t goal_int_quotient(bool is_signed, uint64_t x, uint64_t y)
{
	if (y == 0)
		return 0;
	if (!is_signed)
		return x / y;
	if (y == (uint64_t)-1)
		return -x;
	return (uint64_t)((int64_t)x / (int64_t)y);
}

goal_inline bool goal_int_less(bool is_signed, uint64_t x, uint64_t y)
{
	return is_signed ? (int64_t)x < (int64_t)y : x < y;
}

goal_inline uint64_t goal_int_result(enum goal_function function, bool is_signed, uint64_t x,
				     uint64_t y)
{
	switch (function) {
	case GOAL_ADD:
		return x + y;
	case GOAL_SUB:
		return x - y;
	case GOAL_MUL:
		return x * y;
	case GOAL_DIV:
		return goal_int_quotient(is_signed, x, y);
	case GOAL_MAX:
		return goal_int_less(is_signed, x, y) ? y : x;
	case GOAL_MIN:
		return goal_int_less(is_signed, y, x) ? y : x;
	case GOAL_AND:
		return x & y;
	case GOAL_OR:
		return x | y;
	default:
		return x ^ y;
	}
}

goal_inline void goal_int_elements(enum goal_function function, enum goal_datatype datatype,
				   bool reversed,
				   unsigned char *dst, const unsigned char *src, size_t n)
{
	size_t bytes = goal_int_bytes[datatype];
	bool is_signed = datatype <= GOAL_I64;
	uint64_t x, y, z;
	size_t i;

	for (i = 0; i < n; i++, dst += bytes, src += bytes) {
		x = goal_int_load(datatype, dst);
		y = goal_int_load(datatype, src);
		z = reversed ? goal_int_result(function, is_signed, y, x) :
			       goal_int_result(function, is_signed, x, y);
		memcpy(dst, &z, bytes);
	}
}

/* For functions that are the same with and without sign. */
goal_inline void goal_int_by_width(enum goal_function function, enum goal_datatype datatype,
				   bool reversed, void *dst, const void *src, size_t n)
{
	switch (goal_int_bytes[datatype]) {
	case 1:
		return goal_int_elements(function, GOAL_U8, reversed, dst, src, n);
	case 2:
		return goal_int_elements(function, GOAL_U16, reversed, dst, src, n);
	case 4:
		return goal_int_elements(function, GOAL_U32, reversed, dst, src, n);
	default:
		return goal_int_elements(function, GOAL_U64, reversed, dst, src, n);
	}
}

goal_inline void goal_int_by_type(enum goal_function function, enum goal_datatype datatype,
				  bool reversed, void *dst, const void *src, size_t n)
{
	switch (datatype) {
	case GOAL_I8:
		return goal_int_elements(function, GOAL_I8, reversed, dst, src, n);
	case GOAL_I16:
		return goal_int_elements(function, GOAL_I16, reversed, dst, src, n);
	case GOAL_I32:
		return goal_int_elements(function, GOAL_I32, reversed, dst, src, n);
	case GOAL_I64:
		return goal_int_elements(function, GOAL_I64, reversed, dst, src, n);
	default:
		return goal_int_by_width(function, datatype, reversed, dst, src, n);
	}
}

goal_inline void goal_int_differences(enum goal_datatype datatype, bool reversed, void *dst,
				      const void *src, size_t n)
{
	if (reversed)
		goal_int_by_width(GOAL_SUB, datatype, true, dst, src, n);
	else
		goal_int_by_width(GOAL_SUB, datatype, false, dst, src, n);
}

goal_inline void goal_int_quotients(enum goal_datatype datatype, bool reversed, void *dst,
				    const void *src, size_t n)
{
	if (reversed)
		goal_int_by_type(GOAL_DIV, datatype, true, dst, src, n);
	else
		goal_int_by_type(GOAL_DIV, datatype, false, dst, src, n);
}

static void goal_int_compute(enum goal_function function, enum goal_datatype datatype,
			     bool reversed, void *dst, const void *src, size_t n)
{
	switch (function) {
	case GOAL_ADD:
		return goal_int_by_width(GOAL_ADD, datatype, false, dst, src, n);
	case GOAL_SUB:
		return goal_int_differences(datatype, reversed, dst, src, n);
	case GOAL_MUL:
		return goal_int_by_width(GOAL_MUL, datatype, false, dst, src, n);
	case GOAL_DIV:
		return goal_int_quotients(datatype, reversed, dst, src, n);
	case GOAL_MAX:
		return goal_int_by_type(GOAL_MAX, datatype, false, dst, src, n);
	case GOAL_MIN:
		return goal_int_by_type(GOAL_MIN, datatype, false, dst, src, n);
	case GOAL_AND:
		return goal_int_by_width(GOAL_AND, datatype, false, dst, src, n);
	case GOAL_OR:
		return goal_int_by_width(GOAL_OR, datatype, false, dst, src, n);
	default:
		return goal_int_by_width(GOAL_XOR, datatype, false, dst, src, n);
	}
}

void goal_compute(enum goal_function function, enum goal_datatype datatype, bool reversed,
		  void *dst, const void *src, size_t n)
{
	if (datatype >= GOAL_F32)
		goal_float(function, datatype, reversed, dst, src, n);
	else
		goal_int_compute(function, datatype, reversed, dst, src, n);
}
