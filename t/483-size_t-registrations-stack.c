/* SPDX-License-Identifier: BSD-3-Clause */
/* 483 - the size_t interface stacks registrations. */
#define BSP_MCBSP
#include "413-newest-registration-counts.c"
