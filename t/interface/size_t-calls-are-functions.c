/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of the size_t interface are functions too. */
#define BSP_MCBSP
#include "every-call-is-also-a-function.c"
