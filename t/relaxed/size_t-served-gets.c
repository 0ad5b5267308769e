/* SPDX-License-Identifier: BSD-3-Clause */
/* Served gets of relaxed supersteps by the size_t interface read before puts are written. */
#define BSP_MCBSP
#include "served-gets-read-before-puts-of-their-superstep.c"
