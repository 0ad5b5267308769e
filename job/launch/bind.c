// SPDX-License-Identifier: BSD-3-Clause
/* bind.c - processors: how many there are for us, and which core each process gets. */

#include "job/internal.h"

#include "bind.h"
#include "quota.h"
#include "threads.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The processors with which the program was started. OpenMP may have bound it to one of them. */
static bool bind_allowed(cpu_set_t *set)
{
	if (sched_getaffinity(0, sizeof(*set), set) < 0)
		return false;		/* more processors than the set holds */
	bspj_threads_add_places(set);
	return true;
}

int bspj_processors_counted(void)
{
	cpu_set_t set;
	long n;

	if (bind_allowed(&set))
		return CPU_COUNT(&set);
	n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? n : 1;
}

int bspj_processors(void)
{
	static double quota;		/* 0: not read yet */

	if (!quota)
		quota = bspj_quota("/proc/self/cgroup", "/sys/fs/cgroup");
	return bspj_quota_limits(bspj_processors_counted(), quota);
}

struct bspj_binding {
	int nprocs;
	bool known, to_cores;
	cpu_set_t sets[];	/* of each process: its processors */
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

/* As bspj_cores_by_hwloc(), in the order of the kernel's numbers. */
static int cores_by_kernel(cpu_set_t *sets, int most)
{
	cpu_set_t left, core;
	int found = 0;

	if (sched_getaffinity(0, sizeof(left), &left) < 0)
		return 0;
	for (int cpu = 0; cpu < CPU_SETSIZE && found < most; cpu++) {
		if (!CPU_ISSET(cpu, &left))
			continue;
		core = siblings_of(cpu);
		CPU_AND(&sets[found], &core, &left);
		CPU_XOR(&left, &left, &sets[found]);
		found++;
	}
	return found;
}

static size_t binding_bytes(int nprocs)
{
	return sizeof(struct bspj_binding) + nprocs * sizeof(cpu_set_t);
}

void bspj_share_cores(const cpu_set_t *cores, int each, cpu_set_t *sets, int n)
{
	for (int i = 0; i < n; i++) {
		CPU_ZERO(&sets[i]);
		for (int j = 0; j < each; j++)
			CPU_OR(&sets[i], &sets[i], &cores[i * each + j]);
	}
}

/*
 * Its places are those of the program when it was started. The second thread of each process is on
 * the second of them, so only one thread can be where the process is.
 */
static bool bind_is_by_openmp(void)
{
	cpu_set_t places;

	CPU_ZERO(&places);
	return bspj_threads_add_places(&places) > 0;
}

/* In a process that may use @most processors, and all of them. */
static bool bind_choose(struct bspj_binding *b, const struct bspj_start *how, int most)
{
	bool share = how->bind == BSPJ_BIND_SHARE && !bind_is_by_openmp();
	cpu_set_t *cores = calloc(most, sizeof(*cores));
	/* hwloc loads what its variables name */
	bool by_hwloc = bspj_cores_by_hwloc && !bspt_is_privileged();
	int n = !cores ? 0 : by_hwloc ? bspj_cores_by_hwloc(cores, most) :
					cores_by_kernel(cores, most);

	if (n < b->nprocs)
		return false;
	bspj_share_cores(cores, share ? n / b->nprocs : 1, b->sets, b->nprocs);
	free(cores);
	return (bind_is_by_openmp() ? 1 : CPU_COUNT(&b->sets[0])) >= how->threads;
}

struct bspj_binding *bspj_binding_create(const struct bspj_start *how)
{
	struct bspj_binding *b;
	cpu_set_t all;
	pid_t child;

	/* Nothing is bound in these cases, unless OpenMP has bound all to one processor. */
	if (!bind_is_by_openmp() &&
	    (how->bind == BSPJ_BIND_NOT || how->nprocs > bspj_processors()))
		return NULL;
	b = mmap(NULL, binding_bytes(how->nprocs), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (b == MAP_FAILED)
		return NULL;
	b->nprocs = how->nprocs;
	/* A child finds out: a topology takes 2 MB, which the job would keep. */
	child = fork();
	if (child == 0) {
		b->known = bind_allowed(&all) && sched_setaffinity(0, sizeof(all), &all) == 0;
		b->to_cores = b->known && how->bind != BSPJ_BIND_NOT &&
			      b->nprocs <= CPU_COUNT(&all) && bind_choose(b, how, CPU_COUNT(&all));
		for (int p = 0; !b->to_cores && p < b->nprocs; p++)
			b->sets[p] = all;
		_exit(EXIT_SUCCESS);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
	if (b->known)
		return b;
	bspj_binding_destroy(b);
	return NULL;
}

/* The processors of this process before it was bound, and those that it was bound to. */
static struct {
	bool is, to_cores;
	cpu_set_t before, to;
} bound;

/* A process that cannot be bound goes on. */
void bspj_binding_apply(const struct bspj_binding *b, int p)
{
	bound.is = bind_allowed(&bound.before) &&
		   sched_setaffinity(0, sizeof(b->sets[p]), &b->sets[p]) == 0;
	bound.to_cores = bound.is && b->to_cores;
	bound.to = b->sets[p];
}

int bspj_binding_threads(void)
{
	if (!bound.to_cores)
		return 0;
	return bind_is_by_openmp() ? 1 : CPU_COUNT(&bound.to);
}

void bspj_binding_undo(void)
{
	cpu_set_t now;

	if (bound.is && sched_getaffinity(0, sizeof(now), &now) == 0 && CPU_EQUAL(&now, &bound.to))
		sched_setaffinity(0, sizeof(bound.before), &bound.before);
	bound.is = bound.to_cores = false;
}

void bspj_binding_destroy(struct bspj_binding *b)
{
	munmap(b, binding_bytes(b->nprocs));
}
