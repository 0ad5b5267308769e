/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_float.c - local functions of floating point, the only code with those registers. */
#include "goal_run.h"

/* A NaN is unequal to itself: then max and min are the other element. */
#define goal_inline static inline __attribute__((__always_inline__))

goal_inline float goal_float_result(enum goal_function function, float x, float y)
{
	switch (function) {
	case GOAL_ADD:
		return x + y;
	case GOAL_SUB:
		return x - y;
	case GOAL_MUL:
		return x * y;
	case GOAL_DIV:
		return x / y;
	case GOAL_MAX:
		return x < y || x != x ? y : x;
	default:
		return y < x || x != x ? y : x;
	}
}

goal_inline double goal_double_result(enum goal_function function, double x, double y)
{
	switch (function) {
	case GOAL_ADD:
		return x + y;
	case GOAL_SUB:
		return x - y;
	case GOAL_MUL:
		return x * y;
	case GOAL_DIV:
		return x / y;
	case GOAL_MAX:
		return x < y || x != x ? y : x;
	default:
		return y < x || x != x ? y : x;
	}
}

goal_inline void goal_float_elements(enum goal_function function, bool reversed, unsigned char *dst,
				     const unsigned char *src, size_t n)
{
	float x, y;
	size_t i;

	for (i = 0; i < n; i++, dst += sizeof x, src += sizeof y) {
		memcpy(&x, dst, sizeof x);
		memcpy(&y, src, sizeof y);
		x = reversed ? goal_float_result(function, y, x) :
			goal_float_result(function, x, y);
		memcpy(dst, &x, sizeof x);
	}
}

goal_inline void goal_double_elements(enum goal_function function, bool reversed,
				      unsigned char *dst, const unsigned char *src, size_t n)
{
	double x, y;
	size_t i;

	for (i = 0; i < n; i++, dst += sizeof x, src += sizeof y) {
		memcpy(&x, dst, sizeof x);
		memcpy(&y, src, sizeof y);
		x = reversed ? goal_double_result(function, y, x) :
			goal_double_result(function, x, y);
		memcpy(dst, &x, sizeof x);
	}
}

goal_inline void goal_float_by_type(enum goal_function function, enum goal_datatype datatype,
				    bool reversed, void *dst, const void *src, size_t n)
{
	if (datatype == GOAL_F32)
		goal_float_elements(function, reversed, dst, src, n);
	else
		goal_double_elements(function, reversed, dst, src, n);
}

goal_inline void goal_float_both_ways(enum goal_function function, enum goal_datatype datatype,
				      bool reversed, void *dst, const void *src, size_t n)
{
	if (reversed)
		goal_float_by_type(function, datatype, true, dst, src, n);
	else
		goal_float_by_type(function, datatype, false, dst, src, n);
}

void goal_float(enum goal_function function, enum goal_datatype datatype, bool reversed, void *dst,
		const void *src, size_t n)
{
	switch (function) {
	case GOAL_ADD:
		return goal_float_by_type(GOAL_ADD, datatype, false, dst, src, n);
	case GOAL_SUB:
		return goal_float_both_ways(GOAL_SUB, datatype, reversed, dst, src, n);
	case GOAL_MUL:
		return goal_float_by_type(GOAL_MUL, datatype, false, dst, src, n);
	case GOAL_DIV:
		return goal_float_both_ways(GOAL_DIV, datatype, reversed, dst, src, n);
	case GOAL_MAX:
		return goal_float_by_type(GOAL_MAX, datatype, false, dst, src, n);
	default:
		return goal_float_by_type(GOAL_MIN, datatype, false, dst, src, n);
	}
}
