/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of the size_t interface know when they are outside, and name themselves. */
#define BSP_MCBSP
#include "../job/calls-outside-the-spmd-part-abort.c"
