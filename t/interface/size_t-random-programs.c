/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs of the size_t interface leave what the model leaves. */
#define BSP_MCBSP
#include "random-programs-match-model.c"
