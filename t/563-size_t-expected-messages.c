/* SPDX-License-Identifier: BSD-3-Clause */
/* 563 - messages of relaxed supersteps by the size_t interface. */
#define BSP_MCBSP
#include "571-expected-messages-are-in-the-queue.c"
