/* SPDX-License-Identifier: BSD-3-Clause */
/* The size_t interface counts what is left in the queue. */
#define BSP_MCBSP
#include "queue-is-stable-and-counts-what-is-left.c"
