/* SPDX-License-Identifier: BSD-3-Clause */
/* bind.h - the cores of this machine. */
#ifndef BSPT_BIND_H
#define BSPT_BIND_H

#include <sched.h>
#include <stdbool.h>

/*
 * The processors of each of the first @n cores that this process may use. False: there are not
 * so many, or it is not known. In bind_hwloc.c, by hwloc, and only there if that file is linked
 * in: it is in the shared library and in the tools that measure, and not in programs linked
 * statically, because hwloc needs libraries that are rarely there as static ones.
 */
__attribute__((weak)) bool bspt_cores_by_hwloc(cpu_set_t *sets, int n);

#endif
