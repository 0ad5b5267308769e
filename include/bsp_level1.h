/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_level1.h - bsp_coll.h by its name in the Oxford toolset. */

/*
 * It includes stdio.h, as there. Calls have the same names and arguments; areas need not be
 * registered, and no call ends a superstep: earlier puts take effect in the next bsp_sync().
 */
#ifndef BSP_LEVEL1_H
#define BSP_LEVEL1_H

#include <stdio.h>

#include <bsp_coll.h>

#endif
