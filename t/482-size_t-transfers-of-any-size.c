/* SPDX-License-Identifier: BSD-3-Clause */
/* 482 - the size_t interface moves any number of bytes to any offset. */
#define BSP_MCBSP
#include "408-any-size-at-any-offset.c"
