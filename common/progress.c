// SPDX-License-Identifier: BSD-3-Clause
/* progress.c - how far a long computation is, on standard error, for a user at a terminal. */

#include "progress.h"

#include <stdio.h>

void progress_begin(struct progress *p)
{
	p->reported = 0;
	clock_gettime(CLOCK_MONOTONIC, &p->begin);
}

static double seconds_since(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) / 1e9;
}

void progress_show(void *progress, uint64_t done, uint64_t all)
{
	struct progress *p = progress;
	double seconds = seconds_since(&p->begin);

	if (done == all && p->reported > 0)
		fprintf(stderr, "\r\033[K");
	if (done == all || seconds < p->reported + 1)
		return;
	p->reported = seconds;
	fprintf(stderr, "\r%3.0f %% of %llu operations, %.0f s left \033[K", 100.0 * done / all,
		(unsigned long long)all, seconds * (all - done) / done);
}
