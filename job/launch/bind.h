/* SPDX-License-Identifier: BSD-3-Clause */
/* bind.h - the cores of this machine. */
#ifndef BSPJ_BIND_H
#define BSPJ_BIND_H

#include <sched.h>
#include <stdbool.h>

/*
 * The processors of each of the cores that this process may use, @most or fewer; how many cores,
 * 0: it is not known. In bind_hwloc.c, by hwloc, and only there if that file is linked in: it is in
 * the shared library and in the tools that measure, and not in programs linked statically, because
 * hwloc needs libraries that are rarely there as static ones.
 */
__attribute__((weak)) int bspj_cores_by_hwloc(cpu_set_t *sets, int most);

/* Make the first @n groups of @each @cores the @sets. */
void bspj_share_cores(const cpu_set_t *cores, int each, cpu_set_t *sets, int n);

#endif
