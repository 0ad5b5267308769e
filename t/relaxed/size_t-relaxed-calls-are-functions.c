/* SPDX-License-Identifier: BSD-3-Clause */
/* The same functions by the size_t interface. */
#define BSP_MCBSP
#include "every-relaxed-call-is-also-a-function.c"
