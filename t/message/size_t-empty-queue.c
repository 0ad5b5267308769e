/* SPDX-License-Identifier: BSD-3-Clause */
/* The size_t interface says (size_t)-1 of an empty queue. */
#define BSP_MCBSP
#include "empty-queue-answers-minus-1.c"
