// SPDX-License-Identifier: BSD-3-Clause
/* offload_row.c - what all measurements need: hosts, the clock, a row of the output. */

#include "offload.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void offload_fail(const char *what)
{
	fprintf(stderr, "offload: %s: %s\n", what, strerror(errno));
	printf("failed %s: %s\n", what, strerror(errno));
	fflush(stdout);
	_exit(EXIT_FAILURE);
}

void offload_enter(int rank)
{
	char path[64];
	int fd;

	snprintf(path, sizeof path, "/run/netns/h%d", rank + 1);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		offload_fail(path);
	close(fd);
}

double offload_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int offload_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double offload_median(double *value, int n)
{
	qsort(value, (size_t)n, sizeof *value, offload_by_value);
	return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

/*
 * Of n sorted values, those of ranks n/2 -+ 0.98 sqrt(n) lie around the median of all with 95 %
 * (the sign test).
 */
static int offload_reach(int n)
{
	int k = n / 2 - (int)(0.98 * sqrt(n));

	return k < 0 ? 0 : k;
}

void offload_row(const char *table, const char *what, const char *way, int nprocs, const char *link,
		 double *value, int n)
{
	double median = offload_median(value, n);

	printf("row %s %s %s %d %s %.6g %.6g %.6g %.6g %.6g %d\n", table, what, way, nprocs, link,
	       median, value[n / 4], value[n - 1 - n / 4], value[offload_reach(n)],
	       value[n - 1 - offload_reach(n)], n);
	fflush(stdout);
}
