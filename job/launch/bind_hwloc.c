// SPDX-License-Identifier: BSD-3-Clause
/* bind_hwloc.c - the cores of this machine by hwloc, neighbours next to each other. */

#include "bind.h"

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

static int take_cores(hwloc_topology_t topology, cpu_set_t *sets, int most)
{
	int n = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);

	for (int i = 0; i < n && i < most; i++) {
		hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, i);

		if (hwloc_cpuset_to_glibc_sched_affinity(topology, core->cpuset, &sets[i],
							 sizeof(sets[i])) < 0)
			return 0;
	}
	return n < 0 ? 0 : n < most ? n : most;
}

int bspj_cores_by_hwloc(cpu_set_t *sets, int most)
{
	hwloc_topology_t topology;
	int n;

	if (!bind_hwloc_load(&topology))
		return 0;
	n = take_cores(topology, sets, most);
	hwloc_topology_destroy(topology);
	return n;
}
