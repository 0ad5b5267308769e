/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.h - for tests of collective operations: blocks of bytes, numbers, and expected
 * folds. */
#ifndef COLLECTIVE_H
#define COLLECTIVE_H

#include "spmd.h"

#include <bsp_coll.h>

#include <stdio.h>

static inline int me(void)
{
	return (int)bsp_pid();
}

static inline int procs(void)
{
	return (int)bsp_nprocs();
}

static inline void *memory(size_t bytes)
{
	void *p = malloc(bytes ? bytes : 1);

	if (!p)
		bail("no memory for %zu bytes", bytes);
	memset(p, 0xa5, bytes);
	return p;
}

/* A check that prints a line only when it fails, for checks made by the thousand. */
static inline void none_wrong(long n, const char *what, size_t bytes, int root)
{
	if (n)
		is_int(0, n, "%s of %zu bytes, root %d: elements that are wrong", what, bytes,
		       root);
}

/* ---- Blocks: that of process p for process q is the pattern of number(p, q) ------------ */

static inline uint32_t number(int turn, int p, int q)
{
	return (uint32_t)(turn * 65536 + p * 256 + q);
}

static inline void fill_blocks(void *at, size_t bytes, int turn, int p, int n)
{
	for (int q = 0; q < n; q++)
		fill((char *)at + (size_t)q * bytes, bytes, number(turn, p, q));
}

/* ---- Numbers --------------------------------------------------------------------------- */

struct element {
	int type;
	size_t bytes;
	bool is_float, is_signed;
};

static const struct element elements[] = {
	{ BSP_INT8, 1, false, true }, { BSP_INT16, 2, false, true },
	{ BSP_INT32, 4, false, true }, { BSP_INT64, 8, false, true },
	{ BSP_UINT8, 1, false, false }, { BSP_UINT16, 2, false, false },
	{ BSP_UINT32, 4, false, false }, { BSP_UINT64, 8, false, false },
	{ BSP_FLOAT, 4, true, true }, { BSP_DOUBLE, 8, true, true },
};

enum { NTYPES = sizeof elements / sizeof *elements };

static const int operators[] = {
	BSP_SUM, BSP_PROD, BSP_MAX, BSP_MIN, BSP_AND, BSP_OR, BSP_XOR,
};

enum { NOPERATORS = sizeof operators / sizeof *operators };

static inline bool is_for(int op, const struct element *e)
{
	return !e->is_float || (op != BSP_AND && op != BSP_OR && op != BSP_XOR);
}

/*
 * All bits of integers are used; floating-point numbers are such that sums and products of nine are
 * exact.
 */
static inline void put_number(void *at, const struct element *e, int p, size_t i)
{
	uint64_t x = 0;
	float f;
	double d;

	for (unsigned int k = 0; k < 8; k++)
		x = x << 8 | pattern((uint32_t)p, 8 * i + k);
	d = (double)(x % 7) - 3;
	f = (float)d;
	if (!e->is_float)
		memcpy(at, &x, e->bytes);
	else if (e->bytes == sizeof f)
		memcpy(at, &f, sizeof f);
	else
		memcpy(at, &d, sizeof d);
}

static inline void put_numbers(void *at, const struct element *e, int p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_number((char *)at + i * e->bytes, e, p, i);
}

static inline double fold_floats(int op, double a, double b)
{
	return op == BSP_SUM ? a + b : op == BSP_PROD ? a * b : (op == BSP_MAX) == (a > b) ? a : b;
}

/* As a number of 64 bits that compares as the element does. */
static inline uint64_t widened(const struct element *e, uint64_t x)
{
	unsigned int shift = 64 - 8 * (unsigned int)e->bytes;

	return e->is_signed ? (x << shift) ^ (uint64_t)1 << 63 : x << shift;
}

static inline uint64_t fold_integers(int op, const struct element *e, uint64_t a, uint64_t b)
{
	bool above = widened(e, a) > widened(e, b);

	switch (op) {
	case BSP_SUM: return a + b;
	case BSP_PROD: return a * b;
	case BSP_MAX: return above ? a : b;
	case BSP_MIN: return above ? b : a;
	case BSP_AND: return a & b;
	case BSP_OR: return a | b;
	default: return a ^ b;
	}
}

static inline void fold_number(int op, const struct element *e, void *left, const void *right)
{
	uint64_t a = 0, b = 0;
	double x, y;
	float f, g;

	if (e->is_float && e->bytes == sizeof f) {
		memcpy(&f, left, sizeof f);
		memcpy(&g, right, sizeof g);
		f = (float)fold_floats(op, f, g);
		memcpy(left, &f, sizeof f);
	} else if (e->is_float) {
		memcpy(&x, left, sizeof x);
		memcpy(&y, right, sizeof y);
		x = fold_floats(op, x, y);
		memcpy(left, &x, sizeof x);
	} else {
		memcpy(&a, left, e->bytes);
		memcpy(&b, right, e->bytes);
		a = fold_integers(op, e, a, b);
		memcpy(left, &a, e->bytes);
	}
}

/* The fold of processes 0 to @last, one after the other; free() it. */
static inline void *folded(int op, const struct element *e, int last, size_t n)
{
	char *all = memory(n * e->bytes), *next = memory(n * e->bytes);

	put_numbers(all, e, 0, n);
	for (int p = 1; p <= last; p++) {
		put_numbers(next, e, p, n);
		for (size_t i = 0; i < n; i++)
			fold_number(op, e, all + i * e->bytes, next + i * e->bytes);
	}
	free(next);
	return all;
}

/* -0.0 is 0.0. */
static inline long different(const struct element *e, const void *a, const void *b, size_t n)
{
	const char *x = a, *y = b;
	long wrong = 0;

	for (size_t i = 0; i < n; i++, x += e->bytes, y += e->bytes)
		if (e->is_float && e->bytes == sizeof(float))
			wrong += *(const float *)(const void *)x != *(const float *)(const void *)y;
		else if (e->is_float)
			wrong += *(const double *)(const void *)x !=
				 *(const double *)(const void *)y;
		else
			wrong += memcmp(x, y, e->bytes) != 0;
	return wrong;
}

/* ---- Algorithms ----------------------------------------------------------------------------- */

/*
 * The algorithms that BSP_COLL accepts, by kind; a shorter list repeats. Without nodes of several
 * processes, +nodes makes no difference.
 */
static const char *const algorithms[][16] = {
	{ "bcast", "linear", "linear-rendezvous", "segmented-linear:1000", "chain",
	  "chain-rendezvous", "segmented-chain:4k", "binary", "d-ary:3", "binomial",
	  "binomial-rendezvous",
	  "segmented-binomial:999", "scatter-allgather", "multicast:1000" },
	{ "scatter", "linear", "chain", "pipelined-chain", "binomial" },
	{ "gather", "linear", "chain", "pipelined-chain", "binomial" },
	{ "allgather", "ring", "bruck", "recursive-doubling", "gather-bcast", "multicast" },
	{ "exchange", "direct", "direct-rotated", "bruck", "pairwise" },
	{ "reduce", "linear", "chain", "segmented-chain:4k", "binomial" },
	{ "allreduce", "recursive-doubling", "dissemination", "reduce-bcast",
	  "reduce-scatter-allgather", "reduce-multicast:3" },
	{ "scan", "recursive-doubling", "chain", "recursive-doubling+nodes",
	  "segmented-chain+nodes:1k" },
	{ "reduce-scatter", "direct-rotated", "halving" },
};

enum { KINDS = sizeof algorithms / sizeof *algorithms, TURNS = 13 };

/* The i-th algorithm of every kind. */
static inline void force_algorithms(int i)
{
	char text[400] = "";

	for (int k = 0; k < KINDS; k++) {
		int n = 0;

		while (n < 15 && algorithms[k][1 + n])
			n++;
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s:%s", k ? "," : "",
			 algorithms[k][0], algorithms[k][1 + i % n]);
	}
	setenv("BSP_COLL", text, 1);
}

#endif
