/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.c - what the machine allows: flags and copies between two cores. */

#include "bench.h"

#include "tools/measure/clock.h"
#include "tools/measure/sample.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	FLAG_ROUNDS = 1000,
	TURN_ROUNDS = 200,
	MOST_COPIES = 41,
	SPINS_BEFORE_YIELD = 1 << 16,
};

const size_t bench_sizes[BENCH_SIZES] = {
	64, 1 << 10, 8 * BENCH_ITEMS, 64 << 10, 1 << 20, 8 << 20
};

/* Private source and destination of copies. */
static unsigned char here[BENCH_MOST_BYTES];
static unsigned char there[BENCH_MOST_BYTES];

/* The partner may share the processor, or be gone. */
static void tire(uint64_t spins)
{
	if (spins % SPINS_BEFORE_YIELD != 0)
		return;
	sched_yield();
	if (spins < UINT64_C(1) << 34)
		return;
	fprintf(stderr, "bench: the other process of the pair does not answer\n");
	exit(1);
}

/*
 * The other's flag may be one ahead: it has seen ours and come round again. Pairs with the release
 * in set_own().
 */
static bool arrived(const struct bench_flag *flag, uint32_t count)
{
	return (int32_t)(atomic_load_explicit(&flag->count, memory_order_acquire) - count) >= 0;
}

static uint32_t set_own(struct bench_flag lane[2], int me)
{
	struct bench_flag *own = &lane[me];
	uint32_t count = atomic_load_explicit(&own->count, memory_order_relaxed) + 1;

	/* Pairs with the acquire in arrived(). */
	atomic_store_explicit(&own->count, count, memory_order_release);
	return count;
}

static void limits_meet(struct bench_flag lane[2], int me)
{
	uint32_t count = set_own(lane, me);
	uint64_t spins = 0;

	while (!arrived(&lane[1 - me], count))
		tire(++spins);
}

static void meet_yielding(struct bench_flag lane[2], int me)
{
	uint32_t count = set_own(lane, me);

	while (!arrived(&lane[1 - me], count))
		sched_yield();
}

/* Median over the lanes, so that it is that of the machine and not that of an address. */
static double barrier_time(struct bench_area *area, int me, int rounds,
			   void (*barrier)(struct bench_flag *, int))
{
	double time[BENCH_LANES];

	for (int i = 0; i < BENCH_LANES; i++) {
		barrier(area->flag[i], me);
		uint64_t start = clock_now_ns();

		for (int k = 0; k < rounds; k++)
			barrier(area->flag[i], me);
		time[i] = (double)(clock_now_ns() - start) / rounds;
	}
	return sample_median(time, BENCH_LANES);
}

double bench_pair_flag(struct bench_area *area, int me)
{
	return barrier_time(area, me, FLAG_ROUNDS, limits_meet);
}

static double clock_cost(void)
{
	double time[MOST_COPIES];

	for (int i = 0; i < MOST_COPIES; i++) {
		uint64_t start = clock_now_ns();

		time[i] = (double)(clock_now_ns() - start);
	}
	return sample_median(time, MOST_COPIES);
}

static int copies_of(size_t nbytes)
{
	return nbytes > 1 << 20 ? 9 : nbytes > 1 << 16 ? 21 : MOST_COPIES;
}

static double copy_once(void *dst, const void *src, size_t nbytes)
{
	uint64_t start = clock_now_ns();

	memcpy(dst, src, nbytes);
	/* Or else the compiler may move or drop the copy. */
	__asm__ volatile("" : : "r"(dst) : "memory");
	return (double)(clock_now_ns() - start);
}

/* Process 1 writes, process 0 copies what is then in the cache of process 1. */
double bench_pair_copy(struct bench_area *area, int me, size_t nbytes)
{
	int copies = copies_of(nbytes);
	double time[MOST_COPIES];

	for (int i = 0; i < copies; i++) {
		if (me == 1)
			memset(area->data, i, nbytes);
		limits_meet(area->flag[0], me);
		if (me == 0)
			time[i] = copy_once(here, area->data, nbytes);
		limits_meet(area->flag[0], me);
	}
	if (me == 1)
		return 0;
	double net = sample_median(time, copies) - clock_cost();

	return net > 1 ? net : 1;
}

/* Several copies to one look at the clock: they are of the same data. */
static double memcpy_time(size_t nbytes)
{
	int copies = copies_of(nbytes);
	int repeat = nbytes < 1 << 16 ? 100 : 1;
	double time[MOST_COPIES];

	for (int i = 0; i < copies; i++) {
		time[i] = 0;
		for (int k = 0; k < repeat; k++)
			time[i] += copy_once(here, there, nbytes) / repeat;
	}
	double net = sample_median(time, copies) - clock_cost();

	return net > 1 ? net : 1;
}

static void bind_to(int cpu)
{
	cpu_set_t set;

	if (cpu < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static void measure_as(struct bench_area *area, const int cpu[2], int me)
{
	struct bench_limits found = { 0 };

	bind_to(cpu[me]);
	memset(there, 1, sizeof there);
	found.flag = bench_pair_flag(area, me);
	for (int i = 0; i < BENCH_SIZES; i++)
		found.copy[i] = bench_pair_copy(area, me, bench_sizes[i]);
	bind_to(cpu[0]);
	found.turn = barrier_time(area, me, TURN_ROUNDS, meet_yielding) / 2;
	if (me == 1)
		return;
	for (int i = 0; i < BENCH_SIZES; i++)
		found.memcpy[i] = memcpy_time(bench_sizes[i]);
	area->limits = found;
}

static pid_t limits_start(struct bench_area *area, const int cpu[2], int me)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	measure_as(area, cpu, me);
	_exit(0);
}

int bench_limits_measure(struct bench_area *area, const int cpu[2], struct bench_limits *out)
{
	int failed = 0;
	pid_t pid[2];

	for (int me = 0; me < 2; me++) {
		pid[me] = limits_start(area, cpu, me);
		if (pid[me] < 0)
			failed = 1;
	}
	for (int me = 0; me < 2; me++) {
		int status = 0;

		if (pid[me] > 0 && (waitpid(pid[me], &status, 0) < 0 || status != 0))
			failed = 1;
	}
	if (failed)
		return -1;
	*out = area->limits;
	return 0;
}
