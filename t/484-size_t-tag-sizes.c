/* SPDX-License-Identifier: BSD-3-Clause */
/* 484 - the size_t interface handles tag sizes as the other does. */
#define BSP_MCBSP
#include "430-tagsize-takes-effect-in-the-next-superstep.c"
