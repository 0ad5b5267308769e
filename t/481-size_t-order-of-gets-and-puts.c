/* SPDX-License-Identifier: BSD-3-Clause */
/* 481 - the size_t interface orders gets and puts as the other does. */
#define BSP_MCBSP
#include "402-put-wins-over-get.c"
