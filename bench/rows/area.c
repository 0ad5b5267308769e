/* SPDX-License-Identifier: BSD-3-Clause */
/* area.c - memory shared by the driver and its jobs; where a process runs and what it takes. */

#include "bench.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct bench_area *map(int fd, int flags)
{
	void *area = mmap(NULL, sizeof(struct bench_area), PROT_READ | PROT_WRITE,
			  MAP_SHARED | flags, fd, 0);

	return area == MAP_FAILED ? NULL : area;
}

struct bench_area *bench_area_open(const char *name)
{
	if (strcmp(name, "-") == 0)
		return map(-1, MAP_ANONYMOUS);
	int fd = open(name, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	struct bench_area *area = map(fd, 0);

	close(fd);
	return area;
}

/*
 * Jobs may be started by another launcher, which does not pass on open
 * files; so they open ours by the name it has in /proc. It goes when we go.
 */
struct bench_area *bench_area_create(char *name, size_t len)
{
	int fd = memfd_create("bspbench", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, sizeof(struct bench_area)) < 0)
		return NULL;
	snprintf(name, len, "/proc/%ld/fd/%d", (long)getpid(), fd);
	return map(fd, 0);
}

long bench_memory(long pid)
{
	char text[128];
	long kib = 0;

	snprintf(text, sizeof text, "/proc/%ld/smaps_rollup", pid);
	FILE *file = fopen(text, "re");

	if (file == NULL)
		return 0;
	while (fgets(text, sizeof text, file) != NULL)
		if (sscanf(text, "Pss: %ld", &kib) == 1)
			break;
	fclose(file);
	return kib;
}

int bench_cpu(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) < 0 || CPU_COUNT(&set) != 1)
		return -1;
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			return i;
	return -1;
}

static bool is_first_of_core(int cpu)
{
	char name[96];
	int first = cpu;

	snprintf(name, sizeof name, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
		 cpu);
	FILE *file = fopen(name, "re");

	if (file == NULL)
		return true;
	if (fscanf(file, "%d", &first) != 1)
		first = cpu;
	fclose(file);
	return first == cpu;
}

int bench_cores(void)
{
	cpu_set_t set;
	int n = 0;

	if (sched_getaffinity(0, sizeof set, &set) < 0)
		return 1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		n += CPU_ISSET(cpu, &set) && is_first_of_core(cpu);
	return n > 0 ? n : 1;
}
