/* SPDX-License-Identifier: BSD-3-Clause */
/* 564 - served gets of relaxed supersteps by the size_t interface read before puts are written. */
#define BSP_MCBSP
#include "531-served-gets-read-before-puts-of-their-superstep.c"
