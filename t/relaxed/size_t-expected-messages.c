/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of relaxed supersteps by the size_t interface. */
#define BSP_MCBSP
#include "expected-messages-are-in-the-queue.c"
