/* SPDX-License-Identifier: BSD-3-Clause */
/* 445 - collectives are the same in the interface with size_t. */
#define BSP_MCBSP
#include "479-every-collective-call-is-also-a-function.c"
