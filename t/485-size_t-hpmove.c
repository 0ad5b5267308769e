/* SPDX-License-Identifier: BSD-3-Clause */
/* 485 - the size_t interface has hpmove with a size_t. */
#define BSP_MCBSP
#include "431-hpmove-memory-lives-until-the-sync.c"
