/* SPDX-License-Identifier: BSD-3-Clause */
/* 491 - random programs of the size_t interface leave what the model leaves. */
#define BSP_MCBSP
#include "480-random-programs-match-model.c"
