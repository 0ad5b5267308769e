/* SPDX-License-Identifier: BSD-3-Clause */
/* The size_t interface stacks registrations. */
#define BSP_MCBSP
#include "newest-registration-counts.c"
