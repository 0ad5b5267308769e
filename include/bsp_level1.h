/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_level1.h - the name of bsp_coll.h in the Oxford toolset, for old programs. */

/*
 * As there it brings stdio.h along. Calls have the same names and arguments; areas need not be registered, and no
 * call ends a superstep: what was put before is written by the next bsp_sync() and not by one of these.
 */
#ifndef BSP_LEVEL1_H
#define BSP_LEVEL1_H

#include <stdio.h>

#include <bsp_coll.h>

#endif
