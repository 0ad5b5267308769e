/* SPDX-License-Identifier: BSD-3-Clause */
/* growth.h - does the work of n things grow as n, or as its square? */

/*
 * Compares processor time of this process: for n things at once, and for n things in GROWTH_PARTS
 * parts, one after the other. The ratio does not depend on the speed of the machine, and
 * hardly on its load: of n at once the least of some times counts, because other programs can only
 * add to it.
 * It is 1, but for caches, where work is proportional to n, and GROWTH_PARTS where work is
 * proportional to n * n.
 */
#ifndef GROWTH_H
#define GROWTH_H

#include "tap.h"

#include <sys/mman.h>
#include <time.h>

enum { GROWTH_PARTS = 32, GROWTH_MOST = 8, GROWTH_TRIES = 3 };

static inline double processor_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Processor time of @parts times work(@n). */
static inline double time_of(void (*work)(long n), long n, int parts)
{
	double began = processor_seconds();

	for (int i = 0; i < parts; i++)
		work(n);
	return processor_seconds() - began;
}

/* Processor time to get @bytes from the system, in ns; in some virtual machines it is long. */
static inline double fresh_ns(size_t bytes)
{
	enum { SAMPLE = 8 << 20, PAGE = 4096 };
	char *at = mmap(NULL, SAMPLE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double began = processor_seconds();

	if (at == MAP_FAILED)
		return 0;
	for (size_t i = 0; i < SAMPLE; i += PAGE)
		((volatile char *)at)[i] = 1;
	began = processor_seconds() - began;
	munmap(at, SAMPLE);
	return 1e9 * began * (double)bytes / SAMPLE;
}

/*
 * The first time it is n at once, memory is made. @each_ns: what one thing may take when there are
 * many and their memory comes from the system, and too little to be a growth; fresh_ns() tells how
 * much that is for large ones.
 */
static inline bool growth_is_linear(void (*work)(long n), long n, double each_ns)
{
	double first = time_of(work, n, 1);
	double parts = time_of(work, n / GROWTH_PARTS, GROWTH_PARTS);
	double whole = time_of(work, n, 1);

	for (int i = 1; i < GROWTH_TRIES; i++) {
		double again = time_of(work, n, 1);

		whole = again < whole ? again : whole;
	}
	diag("%ld at once %.1f ms, then %.1f ms, in %d parts %.1f ms", n, 1e3 * first, 1e3 * whole,
	     GROWTH_PARTS, 1e3 * parts);
	return whole < GROWTH_MOST * (parts + 1e-9 * each_ns * (double)n);
}

/* A check on each process that calls it; all call it together where @work communicates. */
#define grows_as_n(work, n, each_ns, ...) \
	ok(growth_is_linear(work, n, each_ns), __VA_ARGS__)

#endif
