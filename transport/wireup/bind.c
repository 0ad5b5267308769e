// SPDX-License-Identifier: BSD-3-Clause
/* bind.c - processors: how many there are for us, and which core each process gets. */

#include "wireup.h"

#include <hwloc.h>
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
	hwloc_topology_t topology;
};

/* The topology of what we are allowed to use. */
static bool load(hwloc_topology_t *topology)
{
	if (hwloc_topology_init(topology) < 0)
		return false;
	hwloc_topology_set_flags(*topology, HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING);
	if (hwloc_topology_load(*topology) == 0)
		return true;
	hwloc_topology_destroy(*topology);
	return false;
}

struct bspt_binding *bspt_binding_create(int nprocs)
{
	struct bspt_binding *b = malloc(sizeof(*b));

	if (!b)
		return NULL;
	if (!load(&b->topology))
		goto err_memory;
	if (hwloc_get_nbobjs_by_type(b->topology, HWLOC_OBJ_CORE) < nprocs)
		goto err_topology;
	return b;

err_topology:
	hwloc_topology_destroy(b->topology);
err_memory:
	free(b);
	return NULL;
}

/* Process p gets core p. That it is not possible is no reason to stop. */
void bspt_binding_apply(const struct bspt_binding *b, int p)
{
	hwloc_obj_t core = hwloc_get_obj_by_type(b->topology, HWLOC_OBJ_CORE, p);

	if (core)
		hwloc_set_cpubind(b->topology, core->cpuset, HWLOC_CPUBIND_PROCESS);
}

void bspt_binding_destroy(struct bspt_binding *b)
{
	hwloc_topology_destroy(b->topology);
	free(b);
}
