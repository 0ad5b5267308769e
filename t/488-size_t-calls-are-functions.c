/* SPDX-License-Identifier: BSD-3-Clause */
/* 488 - the calls of the size_t interface are functions too. */
#define BSP_MCBSP
#include "464-every-call-is-also-a-function.c"
