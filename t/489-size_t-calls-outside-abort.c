/* SPDX-License-Identifier: BSD-3-Clause */
/* 489 - the calls of the size_t interface know when they are outside, and name themselves. */
#define BSP_MCBSP
#include "455-calls-outside-the-spmd-part-abort.c"
