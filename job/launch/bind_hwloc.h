/* SPDX-License-Identifier: BSD-3-Clause */
/* bind_hwloc.h - the cores of a topology of hwloc. */
#ifndef BSPJ_BIND_HWLOC_H
#define BSPJ_BIND_HWLOC_H

#include "cores.h"

#include <hwloc.h>

/* As bspj_cores_by_hwloc(), of any machine. */
int bspj_hwloc_cores(hwloc_topology_t topology, struct bspj_core *cores, int most);

#endif
