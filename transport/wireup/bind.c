// SPDX-License-Identifier: BSD-3-Clause
/* bind.c - processors: how many there are for us, and which core each process gets. */

#include "wireup.h"

#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <sched.h>
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
	cpu_set_t sets[];	/* of each process */
};

/* The topology of what we are allowed to use. */
static bool load(hwloc_topology_t *topology)
{
	if (hwloc_topology_init(topology) < 0)
		return false;
	if (hwloc_topology_set_flags(*topology, HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM |
				     HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING) == 0 &&
	    hwloc_topology_load(*topology) == 0)
		return true;
	hwloc_topology_destroy(*topology);
	return false;
}

/* Process p gets core p. */
static bool assign(struct bspt_binding *b, hwloc_topology_t topology)
{
	if (hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) < b->nprocs)
		return false;
	for (int p = 0; p < b->nprocs; p++) {
		hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, p);

		if (hwloc_cpuset_to_glibc_sched_affinity(topology, core->cpuset, &b->sets[p],
							 sizeof(b->sets[p])) < 0)
			return false;
	}
	return true;
}

static size_t binding_bytes(int nprocs)
{
	return sizeof(struct bspt_binding) + nprocs * sizeof(cpu_set_t);
}

static _Noreturn void find_out(struct bspt_binding *b)
{
	hwloc_topology_t topology;

	if (load(&topology))
		b->known = assign(b, topology);
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
		find_out(b);
	if (child > 0)
		waitpid(child, NULL, 0);
	if (b->known)
		return b;
	bspt_binding_destroy(b);
	return NULL;
}

/* That it is not possible is no reason to stop. */
void bspt_binding_apply(const struct bspt_binding *b, int p)
{
	sched_setaffinity(0, sizeof(b->sets[p]), &b->sets[p]);
}

void bspt_binding_destroy(struct bspt_binding *b)
{
	munmap(b, binding_bytes(b->nprocs));
}
