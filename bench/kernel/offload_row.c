// SPDX-License-Identifier: BSD-3-Clause
/* offload_row.c - what all measurements need: hosts, the clock, a row of the output. */

#include "offload.h"

#include "tools/measure/sample.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

void offload_row(const char *table, const char *what, const char *way, int nprocs, const char *link,
		 double *value, int n)
{
	double median = sample_median(value, n);
	int low, high;

	sample_interval(n, &low, &high);
	printf("row %s %s %s %d %s %.6g %.6g %.6g %.6g %.6g %d\n", table, what, way, nprocs, link,
	       median, value[n / 4], value[n - 1 - n / 4], value[low], value[high], n);
	fflush(stdout);
}
