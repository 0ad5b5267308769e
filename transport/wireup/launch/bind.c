// SPDX-License-Identifier: BSD-3-Clause
/* bind.c - processors: how many there are for us, and which core each process gets. */

#include "transport/wireup/wireup.h"

#include "bind.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int bspt_processors(void)
{
	cpu_set_t set;
	long n;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return CPU_COUNT(&set);
	n = sysconf(_SC_NPROCESSORS_ONLN);	/* more processors than the set holds */
	return n > 0 ? n : 1;
}

struct bspt_binding {
	int nprocs;
	bool known;
	cpu_set_t sets[];	/* of each process: the processors of a core */
};

/*
 * The processors that share a core with @cpu, itself among them: "0,4" or "0-1" in a file of
 * the kernel.
 */
static cpu_set_t siblings_of(int cpu)
{
	char path[80];
	int first, last;
	cpu_set_t set;
	FILE *file;
	char after;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
		 cpu);
	file = fopen(path, "re");
	while (file && fscanf(file, "%d", &first) == 1) {
		last = first;
		if (fscanf(file, "%c", &after) == 1 && after == '-' &&
		    fscanf(file, "%d%c", &last, &after) < 1)
			break;
		for (; first >= 0 && first <= last && first < CPU_SETSIZE; first++)
			CPU_SET(first, &set);
	}
	if (file)
		fclose(file);
	return set;
}

/* As bspt_cores_by_hwloc(), in the order of the kernel's numbers. */
static bool cores_by_kernel(cpu_set_t *sets, int n)
{
	cpu_set_t left, core;
	int found = 0;

	if (sched_getaffinity(0, sizeof(left), &left) < 0)
		return false;
	for (int cpu = 0; cpu < CPU_SETSIZE && found < n; cpu++) {
		if (!CPU_ISSET(cpu, &left))
			continue;
		core = siblings_of(cpu);
		CPU_AND(&sets[found], &core, &left);
		CPU_XOR(&left, &left, &sets[found]);
		found++;
	}
	return found == n;
}

static size_t binding_bytes(int nprocs)
{
	return sizeof(struct bspt_binding) + nprocs * sizeof(cpu_set_t);
}

static _Noreturn void bind_detect(struct bspt_binding *b)
{
	/* hwloc loads what its variables name */
	b->known = bspt_cores_by_hwloc && !bspt_is_privileged() ?
			bspt_cores_by_hwloc(b->sets, b->nprocs) :
			cores_by_kernel(b->sets, b->nprocs);
	_exit(EXIT_SUCCESS);
}

/* A child finds out: a topology takes 2 MB, which the job would keep. */
struct bspt_binding *bspt_binding_create(int nprocs)
{
	struct bspt_binding *b;
	pid_t child;

	if (nprocs > bspt_processors())
		return NULL;
	b = mmap(NULL, binding_bytes(nprocs), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (b == MAP_FAILED)
		return NULL;
	b->nprocs = nprocs;
	child = fork();
	if (child == 0)
		bind_detect(b);
	if (child > 0)
		waitpid(child, NULL, 0);
	if (b->known)
		return b;
	bspt_binding_destroy(b);
	return NULL;
}

/* Of this process: where it was before it was bound, and where it was bound to. */
static struct {
	bool is;
	cpu_set_t before, to;
} bound;

/* That it is not possible is no reason to stop. */
void bspt_binding_apply(const struct bspt_binding *b, int p)
{
	bound.is = sched_getaffinity(0, sizeof(bound.before), &bound.before) == 0 &&
		   sched_setaffinity(0, sizeof(b->sets[p]), &b->sets[p]) == 0;
	bound.to = b->sets[p];
}

void bspt_binding_undo(void)
{
	cpu_set_t now;

	if (bound.is && sched_getaffinity(0, sizeof(now), &now) == 0 && CPU_EQUAL(&now, &bound.to))
		sched_setaffinity(0, sizeof(bound.before), &bound.before);
	bound.is = false;
}

void bspt_binding_destroy(struct bspt_binding *b)
{
	munmap(b, binding_bytes(b->nprocs));
}
