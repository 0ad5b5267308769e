/* SPDX-License-Identifier: BSD-3-Clause */
/* 486 - the size_t interface counts what is left in the queue. */
#define BSP_MCBSP
#include "432-queue-is-stable-and-counts-what-is-left.c"
