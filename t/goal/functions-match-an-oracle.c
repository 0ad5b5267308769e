/* SPDX-License-Identifier: BSD-3-Clause */
/* Every local function on every type gives what an oracle says, at the extremes too. */
#include "../lib/schedules.h"

#include <float.h>
#include <math.h>

static const char *const function_name[GOAL_FUNCTIONS] = {
	"", "copy", "timestamp", "add", "sub", "mul", "div", "max", "min", "and", "or", "xor",
};

static const char *const type_name[GOAL_DATATYPES] = {
	"none", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64",
};

static bool is_signed(int type)
{
	return type >= GOAL_I8 && type <= GOAL_I64;
}

/* ---- The oracle: integers in 128 bits, floating point by the processor ------------------- */

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static wide widened(int type, const unsigned char *at)
{
	size_t bytes = goal_datatype_bytes((uint32_t)type);
	wide value = 0;
	size_t i;

	for (i = bytes; i > 0; i--)
		value = value * 256 + at[i - 1];
	if (is_signed(type) && at[bytes - 1] & 0x80)
		value -= (wide)1 << (8 * bytes);
	return value;
}

static void cut(int type, unsigned char *to, wide value)
{
	size_t i;

	for (i = 0; i < goal_datatype_bytes((uint32_t)type); i++, value >>= 8)
		to[i] = (unsigned char)(value & 0xff);
}

static wide integer(int function, wide x, wide y)
{
	switch (function) {
	case GOAL_ADD: return x + y;
	case GOAL_SUB: return x - y;
	case GOAL_MUL: return (wide)((unsigned_wide)x * (unsigned_wide)y);
	case GOAL_DIV: return y ? x / y : 0;
	case GOAL_MAX: return x > y ? x : y;
	case GOAL_MIN: return x < y ? x : y;
	case GOAL_AND: return x & y;
	case GOAL_OR: return x | y;
	default: return x ^ y;
	}
}

/* Not fmax(), for which one kind of no number is not like another. */
static double real(int function, double x, double y)
{
	switch (function) {
	case GOAL_ADD: return x + y;
	case GOAL_SUB: return x - y;
	case GOAL_MUL: return x * y;
	case GOAL_DIV: return x / y;
	default: break;
	}
	if (isnan(x) || isnan(y))
		return isnan(x) ? y : x;
	return function == GOAL_MAX ? (y > x ? y : x) : (y < x ? y : x);
}

static float real32(int function, float x, float y)
{
	/* one operation on two floats, rounded from double to float, is rounded as if at once */
	return (float)real(function, x, y);
}

static void expected(int function, int type, bool reversed, const unsigned char *dst,
		     const unsigned char *src, unsigned char *result)
{
	const unsigned char *a = reversed ? src : dst, *b = reversed ? dst : src;
	float x, y;
	double u, v;

	if (type == GOAL_F32) {
		memcpy(&x, a, 4);
		memcpy(&y, b, 4);
		x = real32(function, x, y);
		memcpy(result, &x, 4);
	} else if (type == GOAL_F64) {
		memcpy(&u, a, 8);
		memcpy(&v, b, 8);
		u = real(function, u, v);
		memcpy(result, &u, 8);
	} else {
		cut(type, result, integer(function, widened(type, a), widened(type, b)));
	}
}

/* No number is as good as any other. */
static bool equal(int type, const unsigned char *a, const unsigned char *b)
{
	float x, y;
	double u, v;

	if (memcmp(a, b, goal_datatype_bytes((uint32_t)type)) == 0)
		return true;
	memcpy(&x, a, 4);
	memcpy(&y, b, 4);
	if (type == GOAL_F32)
		return isnan(x) && isnan(y);
	if (type != GOAL_F64)
		return false;
	memcpy(&u, a, 8);
	memcpy(&v, b, 8);
	return isnan(u) && isnan(v);
}

/* ---- Elements ------------------------------------------------------------------------------ */

enum { EXTREMES = 9, ELEMENTS = EXTREMES * EXTREMES + 200 };

static void extreme(int type, int i, unsigned char *to)
{
	static const float f32[EXTREMES] = {
		0, -0.0f, 1, -1, FLT_MAX, -FLT_MAX, FLT_MIN, INFINITY, NAN,
	};
	static const double f64[EXTREMES] = {
		0, -0.0, 1, -1, DBL_MAX, -DBL_MAX, DBL_MIN, INFINITY, NAN,
	};
	uint64_t half = 1ull << (8 * goal_datatype_bytes((uint32_t)type) - 1);
	uint64_t integers[EXTREMES] = { 0,	  1, UINT64_MAX, half,		half - 1,
					half + 1, 2, 7,		 UINT64_MAX - 6 };

	if (type == GOAL_F32)
		memcpy(to, &f32[i], 4);
	else if (type == GOAL_F64)
		memcpy(to, &f64[i], 8);
	else
		memcpy(to, &integers[i], goal_datatype_bytes((uint32_t)type));
}

/* All pairs of extremes, and then anything. */
static void fill(int type, unsigned char *dst, unsigned char *src, uint64_t *seed)
{
	size_t bytes = goal_datatype_bytes((uint32_t)type), j;
	int i;

	for (i = 0; i < ELEMENTS; i++, dst += bytes, src += bytes) {
		for (j = 0; j < bytes; j++) {
			dst[j] = (unsigned char)random_next(seed);
			src[j] = (unsigned char)random_next(seed);
		}
		if (i < EXTREMES * EXTREMES) {
			extreme(type, i / EXTREMES, dst);
			extreme(type, i % EXTREMES, src);
		}
	}
}

static void one(int function, int type, bool reversed, uint64_t *seed)
{
	size_t bytes = goal_datatype_bytes((uint32_t)type);
	unsigned char *dst = some(ELEMENTS * bytes), *src = some(ELEMENTS * bytes);
	unsigned char *was = some(ELEMENTS * bytes), wanted[8];
	int i, wrong = 0;

	fill(type, dst, src, seed);
	memcpy(was, dst, ELEMENTS * bytes);
	goal_compute((enum goal_function)function, (enum goal_datatype)type, reversed, dst, src,
		     ELEMENTS);
	for (i = 0; i < ELEMENTS; i++) {
		expected(function, type, reversed, was + i * bytes, src + i * bytes, wanted);
		wrong += !equal(type, wanted, dst + i * bytes);
	}
	is_int(0, wrong, "%s of %s%s", function_name[function], type_name[type],
	       reversed ? ", reversed" : "");
	free(dst);
	free(src);
	free(was);
}

static void all(uint64_t *seed)
{
	int f, t, pairs = 0;

	for (f = 0; f <= GOAL_FUNCTIONS; f++) {
		for (t = 0; t <= GOAL_DATATYPES; t++) {
			if (!goal_function_takes((uint32_t)f, (uint32_t)t))
				continue;
			pairs++;
			if (f < GOAL_ADD)
				continue;
			one(f, t, false, seed);
			if (f == GOAL_SUB || f == GOAL_DIV)
				one(f, t, true, seed);
		}
	}
	is_int(1 + 1 + 6 * 10 + 3 * 8, pairs,
	       "copy, timestamp, six on ten types and three on integers");
}

/* ---- In schedules: pieces, and what overlaps ----------------------------------------------- */

static uint64_t now(struct goal_run *run)
{
	(void)run;
	return 0x0123456789abcdef;
}

static const struct goal_host host = { .now = now };

/* Run a graph of one buffer on these bytes, whose offset is a multiple of 8. */
static void run_on(struct goal_graph *g, unsigned char *bytes)
{
	size_t len;
	void *block = compiled(g, &len);
	struct goal_prog prog = good(block, len);
	struct own_run *own = own_run(&prog, &host, NULL, false);

	goal_run_start(&own->run, &bytes, 0);
	goal_run_step(&own->run, UINT32_MAX);
	if (!goal_run_is_over(&own->run))
		bail("it does not end");
	own_run_free(own);
	free(block);
	goal_graph_destroy(g);
}

static struct goal_piece piece(uint64_t offset, uint64_t bytes)
{
	return (struct goal_piece){ GOAL_AT(0, offset), bytes };
}

static void in_pieces(void)
{
	uint32_t x[12] = { 1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60 };
	static const uint32_t wanted[12] = { 9, 18, 3, 16, 25, 36, 10, 20, 30, 40, 50, 60 };
	static const uint32_t gap[12] = { 9, 18, 3, 10, 20, 30, 10, 20, 30, 40, 50, 60 };
	struct goal_graph *g = goal_graph_create(1, 0);
	struct goal_piece dst[3] = { piece(0, 8), piece(20, 4), piece(12, 8) };
	struct goal_piece src[3] = { piece(24, 4), piece(28, 4), piece(44, 4) };
	struct goal_piece rest = piece(36, 8);

	goal_buffer(g);
	/* 10 - 1, 20 - 2; 60 is left for 6 */
	goal_local_list(g, GOAL_SUB, GOAL_U32, GOAL_REVERSED, dst, 2, src, 3);
	x[5] = 24;
	goal_local_list(g, GOAL_SUB, GOAL_U32, GOAL_REVERSED, dst + 2, 1, &rest, 1);
	x[3] = 24;
	x[4] = 25;
	run_on(g, (unsigned char *)x);
	is_blob(wanted, x, sizeof x, "pieces of both sides end where they like");
	g = goal_graph_create(1, 0);
	goal_buffer(g);
	dst[0] = piece(12, 5);
	dst[1] = piece(17, 7);
	src[0] = piece(24, 12);
	goal_local_list(g, GOAL_COPY, GOAL_NONE, 0, dst, 2, src, 1);
	run_on(g, (unsigned char *)x);
	is_blob(gap, x, sizeof x, "a copy too, at any byte");
}

static void overlapping(void)
{
	uint64_t x[5] = { 1, 1, 1, 1, 1 };
	static const uint64_t sums[5] = { 1, 2, 3, 4, 5 }, moved[5] = { 1, 1, 2, 3, 4 };
	struct goal_graph *g = goal_graph_create(1, 0);

	goal_buffer(g);
	goal_local(g, GOAL_ADD, GOAL_U64, 32, GOAL_AT(0, 8), GOAL_AT(0, 0));
	run_on(g, (unsigned char *)x);
	is_blob(sums, x, sizeof x, "elements are done in order");
	g = goal_graph_create(1, 0);
	goal_buffer(g);
	goal_local(g, GOAL_COPY, GOAL_NONE, 32, GOAL_AT(0, 8), GOAL_AT(0, 0));
	run_on(g, (unsigned char *)x);
	is_blob(moved, x, sizeof x, "a copy reads before it writes");
}

static void without_elements(void)
{
	uint64_t x = 5;
	static const uint64_t time = 0x0123456789abcdef;
	struct goal_graph *g = goal_graph_create(1, 0);

	goal_buffer(g);
	goal_buffer_at_least(g, 0, 8);
	goal_local(g, GOAL_ADD, GOAL_F64, 0, GOAL_AT(0, 0), GOAL_AT(0, 0));
	run_on(g, (unsigned char *)&x);
	is_int(5, x, "a function of nothing does nothing");
	g = goal_graph_create(1, 0);
	goal_buffer(g);
	goal_local(g, GOAL_TIMESTAMP, GOAL_U64, 8, GOAL_AT(0, 0), GOAL_NOWHERE);
	run_on(g, (unsigned char *)&x);
	is_blob(&time, &x, sizeof x, "a timestamp is the host's");
}

int main(void)
{
	uint64_t seed = 99;

	all(&seed);
	in_pieces();
	overlapping();
	without_elements();
	return done_testing();
}
