/* SPDX-License-Identifier: BSD-3-Clause */
/* 562 - the same functions by the size_t interface. */
#define BSP_MCBSP
#include "559-every-relaxed-call-is-also-a-function.c"
