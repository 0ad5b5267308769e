/* SPDX-License-Identifier: BSD-3-Clause */
/* 561 - random relaxed programs of the size_t interface read what the model reads. */
#define BSP_MCBSP
#include "560-random-relaxed-programs-match-model.c"
