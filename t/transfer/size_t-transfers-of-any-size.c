/* SPDX-License-Identifier: BSD-3-Clause */
/* The size_t interface moves any number of bytes to any offset. */
#define BSP_MCBSP
#include "any-size-at-any-offset.c"
