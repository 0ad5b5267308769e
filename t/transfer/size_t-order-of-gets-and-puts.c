/* SPDX-License-Identifier: BSD-3-Clause */
/* The size_t interface orders gets and puts as the other does. */
#define BSP_MCBSP
#include "put-wins-over-get.c"
