// SPDX-License-Identifier: BSD-3-Clause
/* offload_reductions.c - vectors folded by a local operation in the kernel and by the process. */

/*
 * Fig. 4(b) of Schneider and others, "Kernel-Based Offload of Collective Operations". As there,
 * the start of a schedule is left out: in the kernel the operation stands between two time stamps
 * of the schedule, and the process calls the same function, compiled for it, between two readings
 * of the clock.
 */
#include "offload.h"

#include "goal.h"
#include "kernel/goal/goal_run.h"

#include "tools/measure/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, MOST_ROUNDS = 1000 };

static const struct {
	const char *name;
	enum goal_function function;
	enum goal_datatype datatype;
} folds[] = {
	{ "max-f32", GOAL_MAX, GOAL_F32 }, { "max-f64", GOAL_MAX, GOAL_F64 },
	{ "max-i32", GOAL_MAX, GOAL_I32 }, { "sum-f32", GOAL_ADD, GOAL_F32 },
	{ "sum-f64", GOAL_ADD, GOAL_F64 }, { "sum-i32", GOAL_ADD, GOAL_I32 },
};

enum { FOLDS = sizeof folds / sizeof folds[0] };

/* Two vectors; the kernel's result and the process's, which are the same to the last bit. */
static _Alignas(64) unsigned char source[MOST_BYTES], in_kernel[MOST_BYTES], here[MOST_BYTES];

static void reductions_fill(enum goal_datatype datatype, unsigned char *vector, size_t bytes)
{
	for (size_t i = 0; i < bytes / goal_datatype_bytes(datatype); i++) {
		int value = (int)(i * 2654435761u >> 8) % 1000 - 500;
		float f32 = (float)value / 8;
		double f64 = value / 8.0;

		if (datatype == GOAL_F32)
			memcpy(vector + i * sizeof f32, &f32, sizeof f32);
		else if (datatype == GOAL_F64)
			memcpy(vector + i * sizeof f64, &f64, sizeof f64);
		else
			memcpy(vector + i * sizeof value, &value, sizeof value);
	}
}

/* Schedule number 0 of the job: the fold between two time stamps, first in the scratchpad. */
static void reductions_load(int f, size_t bytes)
{
	struct goal_graph *g = goal_graph_create(1, 0);
	int from = goal_buffer(g), to = goal_buffer(g), before, fold, after;
	uint64_t times = goal_scratch(g, 2 * sizeof(uint64_t));
	size_t len;
	void *block;

	before = goal_local(g, GOAL_TIMESTAMP, GOAL_U64, 8, GOAL_AT(GOAL_SCRATCHPAD, times),
			    GOAL_NOWHERE);
	fold = goal_local(g, folds[f].function, folds[f].datatype, bytes, GOAL_AT(to, 0),
			  GOAL_AT(from, 0));
	after = goal_local(g, GOAL_TIMESTAMP, GOAL_U64, 8, GOAL_AT(GOAL_SCRATCHPAD, times + 8),
			   GOAL_NOWHERE);
	goal_requires(g, fold, before);
	goal_requires(g, after, fold);
	block = goal_compile(g, &len);
	if (!block)
		offload_fail(goal_graph_error(g));
	offload_softirq.load(0, block, len);
	free(block);
	goal_graph_destroy(g);
}

static double reductions_in_kernel(void)
{
	uint64_t times[2];

	offload_run_timed(0, source, in_kernel, times, sizeof times);
	return 1e-3 * (double)(times[1] - times[0]);
}

static double reductions_here(int f, size_t bytes)
{
	size_t n = bytes / goal_datatype_bytes(folds[f].datatype);
	double began = clock_now_s();

	goal_compute(folds[f].function, folds[f].datatype, false, here, source, n);
	return 1e6 * (clock_now_s() - began);
}

static void reductions_measure(int f, size_t bytes, int rounds)
{
	static double kernel[MOST_ROUNDS], process[MOST_ROUNDS];
	char size[24];

	reductions_fill(folds[f].datatype, source, bytes);
	reductions_load(f, bytes);
	for (int r = -1; r < rounds; r++) {
		/* The vectors differ, and half of the maxima is new. */
		reductions_fill(folds[f].datatype, in_kernel, bytes);
		memmove(in_kernel, in_kernel + bytes / 2, bytes / 2);
		memcpy(here, in_kernel, bytes);
		kernel[r < 0 ? 0 : r] = reductions_in_kernel();
		process[r < 0 ? 0 : r] = reductions_here(f, bytes);
		if (memcmp(here, in_kernel, bytes))
			offload_fail("the kernel's result is another");
	}
	snprintf(size, sizeof size, "%zu", bytes);
	offload_row("reduction", folds[f].name, "kernel", 1, size, kernel, rounds);
	offload_row("reduction", folds[f].name, "process", 1, size, process, rounds);
}

/* There is one process. */
static void reductions_meet(void)
{
}

void offload_reductions(int rounds)
{
	struct offload_job job = { .nprocs = 1, .key = 1 };

	offload_enter(0);
	offload_softirq.open(&job, reductions_meet);
	for (int f = 0; f < FOLDS; f++)
		for (size_t bytes = 16; bytes <= MOST_BYTES; bytes *= 4)
			reductions_measure(f, bytes, rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS);
}
