/* SPDX-License-Identifier: BSD-3-Clause */
/* The size_t interface has hpmove with a size_t. */
#define BSP_MCBSP
#include "hpmove-memory-lives-until-the-sync.c"
