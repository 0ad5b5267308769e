/* SPDX-License-Identifier: BSD-3-Clause */
/* 487 - the size_t interface says (size_t)-1 of an empty queue. */
#define BSP_MCBSP
#include "436-empty-queue-answers-minus-1.c"
