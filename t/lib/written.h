/* SPDX-License-Identifier: BSD-3-Clause */
/* written.h - for tests of tables: memory that a process writes, by how many others there are. */
#ifndef WRITTEN_H
#define WRITTEN_H

#include "tap.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	MANY = 16384, NODE = 1024, FEW = 2 * NODE,
	ME = 1,				/* not the first of its node */
	PARTNERS = 14,			/* as a barrier of log2 P rounds has */
};

/* KiB of this process that it has written, and has not in common with another. */
static inline long written_kib(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "re");
	char line[200];
	long kib = -1;

	while (file && kib < 0 && fgets(line, sizeof line, file))
		sscanf(line, "Private_Dirty: %ld", &kib);
	if (file)
		fclose(file);
	return kib;
}

/* In a process of its own, as memory that was freed would be used again. */
static inline long measured(long (*kib)(int nprocs), int nprocs)
{
	long *result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	long seen;
	int status;
	pid_t child;

	if (result == MAP_FAILED)
		bail("no shared memory");
	*result = -1;
	child = fork();
	if (child == 0) {
		prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);	/* a word would write a huge page */
		*result = kib(nprocs);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		bail("a process ended with %#x", (unsigned int)status);
	seen = *result;
	munmap(result, sizeof *result);
	return seen;
}

/* A page for each partner and table; and a few bytes of each other process. */
static inline void is_small(const char *what, long (*kib)(int nprocs), int tables,
			    long bytes_of_each)
{
	long few = measured(kib, FEW), many = measured(kib, MANY);
	long page_kib = sysconf(_SC_PAGESIZE) / 1024;
	long most = PARTNERS * page_kib * tables + (MANY - FEW) * bytes_of_each / 1024;

	diag("%s: %ld KiB of %d processes, %ld of %d", what, few, FEW, many, MANY);
	ok(many - few <= most, "%s: at most %ld KiB more with %d processes than with %d", what,
	   most, MANY, FEW);
}

#endif
