/* SPDX-License-Identifier: BSD-3-Clause */
/* The size_t interface handles tag sizes as the other does. */
#define BSP_MCBSP
#include "tagsize-takes-effect-in-the-next-superstep.c"
