/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives are the same in the interface with size_t. */
#define BSP_MCBSP
#include "every-collective-call-is-also-a-function.c"
