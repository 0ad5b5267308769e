// SPDX-License-Identifier: BSD-3-Clause
/* limits.c - the limits of this process, and what it has used of them. */

#include "transport/limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct {
	int resource;
	char option;			/* of ulimit */
	unsigned int unit;		/* of what the message says */
	const char *of_what;
} known[] = {
	{ RLIMIT_AS, 'v', 1024, "KiB of address space" },
	{ RLIMIT_DATA, 'd', 1024, "KiB of data" },
	{ RLIMIT_STACK, 's', 1024, "KiB of stack" },
	{ RLIMIT_NOFILE, 'n', 1, "open files" },
};

/* Only memory counts as used: what else a process has it may close. */
static uint64_t used_of(int resource)
{
	unsigned long size = 0, data = 0;
	FILE *file;

	if (resource != RLIMIT_AS && resource != RLIMIT_DATA)
		return 0;
	file = fopen("/proc/self/statm", "re");
	if (file && fscanf(file, "%lu %*u %*u %*u %*u %lu", &size, &data) != 2)
		size = data = 0;
	if (file)
		fclose(file);
	return (uint64_t)(resource == RLIMIT_AS ? size : data) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t limits_left_of(int resource)
{
	struct rlimit limit;
	uint64_t used;

	if (getrlimit(resource, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	used = used_of(resource);
	return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

bool bspt_limits_suffice(const struct bspt_need *needs, size_t n, char *why, size_t len)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t left = limits_left_of(needs[i].resource);
		size_t k = 0;

		if (left >= needs[i].amount)
			continue;
		while (known[k].resource != needs[i].resource)
			k++;
		snprintf(why, len,
			 "it needs %" PRIu64 " %s, and there are %" PRIu64
			 "; raise the limit (ulimit -%c)",
			 needs[i].amount / known[k].unit, known[k].of_what, left / known[k].unit,
			 known[k].option);
		return false;
	}
	return true;
}
