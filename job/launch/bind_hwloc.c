// SPDX-License-Identifier: BSD-3-Clause
/* bind_hwloc.c - the cores of this machine by hwloc, neighbours next to each other. */

#include "bind_hwloc.h"

#include <hwloc.h>
#include <hwloc/glibc-sched.h>

/* The topology of what we are allowed to use. */
static bool bind_hwloc_load(hwloc_topology_t *topology)
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

/* The largest cache on the way up: two cores that share one have it in common. */
static int cache_of(hwloc_obj_t core)
{
	int cache = -1 - (int)core->logical_index;

	for (hwloc_obj_t up = core->parent; up; up = up->parent)
		if (hwloc_obj_type_is_dcache(up->type))
			cache = up->logical_index;
	return cache;
}

static int socket_of(hwloc_topology_t topology, hwloc_obj_t core)
{
	hwloc_obj_t socket = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, core);

	return socket ? socket->logical_index : 0;
}

int bspj_hwloc_cores(hwloc_topology_t topology, struct bspj_core *cores, int most)
{
	int n = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);

	for (int i = 0; i < n && i < most; i++) {
		hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, i);

		if (hwloc_cpuset_to_glibc_sched_affinity(topology, core->cpuset, &cores[i].cpus,
							 sizeof(cores[i].cpus)) < 0)
			return 0;
		cores[i].cache = cache_of(core);
		cores[i].numa = core->nodeset ? hwloc_bitmap_first(core->nodeset) : 0;
		cores[i].socket = socket_of(topology, core);
	}
	return n < 0 ? 0 : n < most ? n : most;
}

int bspj_cores_by_hwloc(struct bspj_core *cores, int most)
{
	hwloc_topology_t topology;
	int n;

	if (!bind_hwloc_load(&topology))
		return 0;
	n = bspj_hwloc_cores(topology, cores, most);
	hwloc_topology_destroy(topology);
	return n;
}
