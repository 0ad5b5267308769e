// SPDX-License-Identifier: BSD-3-Clause
/* bind.c - processors: how many there are for us, and which core each process gets. */

#include "wireup.h"

#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <malloc.h>
#include <sched.h>
#include <stdlib.h>
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

/* The topology takes half a megabyte, which no process is to inherit. */
struct bspt_binding *bspt_binding_create(int nprocs)
{
	struct bspt_binding *b = malloc(sizeof(*b) + nprocs * sizeof(b->sets[0]));
	hwloc_topology_t topology;
	bool ok;

	if (!b || !load(&topology)) {
		free(b);
		return NULL;
	}
	b->nprocs = nprocs;
	ok = assign(b, topology);
	hwloc_topology_destroy(topology);
	malloc_trim(0);
	if (ok)
		return b;
	free(b);
	return NULL;
}

/* That it is not possible is no reason to stop. */
void bspt_binding_apply(const struct bspt_binding *b, int p)
{
	sched_setaffinity(0, sizeof(b->sets[p]), &b->sets[p]);
}

void bspt_binding_destroy(struct bspt_binding *b)
{
	free(b);
}
