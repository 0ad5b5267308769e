// SPDX-License-Identifier: BSD-3-Clause
/* measure_clock.c - the best clock of the machine: the processor's counter or the system's. */

/*
 * A counter that is said to be invariant has the same pace on all cores of a machine whatever
 * they do, and is read in a tenth of the time of a call. The length of a tick comes from
 * comparing both for a while, twice: if the results differ by more than one in ten thousand
 * something is wrong (a virtual machine that was stopped), and the system's clock it is.
 */

#include "measure.h"

#include "bsp.h"
#include "transport/transport.h"

#include <math.h>
#include <stdio.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>

static bool has_counter(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1 << 8);
}

/* Instructions before the call have been executed when the counter is read. */
static uint64_t read_counter(void)
{
	_mm_lfence();
	return __rdtsc();
}
#else
static bool has_counter(void)
{
	return false;
}

static uint64_t read_counter(void)
{
	return 0;
}
#endif

enum { CALIBRATE_NS = 10000000, READS = 9 };

static struct {
	double ns_per_tick;	/* 0: the system's clock */
	uint64_t ticks, ns;	/* at the same moment */
	char name[64];
} counter;

/*
 * The counter and the system's clock at the same moment, as near as can be: the shortest of
 * some readings.
 */
static void read_both(uint64_t *ticks, uint64_t *ns)
{
	uint64_t shortest = UINT64_MAX;

	for (int i = 0; i < READS; i++) {
		uint64_t before = read_counter(), now = bspt_now_ns(), after = read_counter();

		if (after - before < shortest) {
			shortest = after - before;
			*ticks = before + (after - before) / 2;
			*ns = now;
		}
	}
}

static double clock_calibrate(void)
{
	uint64_t ticks[2] = { 0, 0 }, ns[2] = { 0, 0 };

	read_both(&ticks[0], &ns[0]);
	while (bspt_now_ns() - ns[0] < CALIBRATE_NS)
		;
	read_both(&ticks[1], &ns[1]);
	counter.ticks = ticks[1];
	counter.ns = ns[1];
	return (double)(ns[1] - ns[0]) / (double)(ticks[1] - ticks[0]);
}

void measure_clock_open(void)
{
	double first, second;

	snprintf(counter.name, sizeof(counter.name), "monotonic clock of the system");
	counter.ns_per_tick = 0;
	if (!has_counter())
		return;
	first = clock_calibrate();
	second = clock_calibrate();
	if (!(fabs(first - second) <= 1e-4 * second))
		return;
	counter.ns_per_tick = second;
	snprintf(counter.name, sizeof(counter.name), "invariant counter of the processor, %.1f MHz",
		 1e3 / second);
}

const char *measure_clock_name(void)
{
	return counter.name;
}

double measure_now(const struct measure *m)
{
	if (m->virtual_time)
		return bsp_time() * 1e9;
	if (counter.ns_per_tick == 0)
		return (double)bspt_now_ns();
	return (double)(int64_t)(read_counter() - counter.ticks) * counter.ns_per_tick +
	       (double)counter.ns;
}
