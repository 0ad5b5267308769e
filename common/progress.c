// SPDX-License-Identifier: BSD-3-Clause
/* progress.c - how far a long computation is, on standard error, for a user at a terminal. */

#include "progress.h"

#include <stdio.h>

void progress_begin(struct progress *p)
{
	p->reported = 0;
	clock_gettime(CLOCK_MONOTONIC, &p->begin);
}

void progress_show(void *progress, uint64_t done, uint64_t all)
{
	struct progress *p = progress;
	struct timespec now;
	double seconds;

	clock_gettime(CLOCK_MONOTONIC, &now);
	seconds = (double)(now.tv_sec - p->begin.tv_sec) +
		  (double)(now.tv_nsec - p->begin.tv_nsec) / 1e9;
	if (done == all && p->reported > 0)
		fprintf(stderr, "\r\033[K");
	if (done == all || seconds < p->reported + 1)
		return;
	p->reported = seconds;
	fprintf(stderr, "\r%3.0f %% of %llu operations, %.0f s left \033[K", 100.0 * done / all,
		(unsigned long long)all, seconds * (all - done) / done);
}
