/* SPDX-License-Identifier: BSD-3-Clause */
/* Random relaxed programs of the size_t interface read what the model reads. */
#define BSP_MCBSP
#include "random-relaxed-programs-match-model.c"
