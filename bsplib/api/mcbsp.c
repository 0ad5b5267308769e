// SPDX-License-Identifier: BSD-3-Clause
/* mcbsp.c - the size_t interface: the calls of api.c under the names mcbsp_*. */

#define BSP_MCBSP 1
#include "bsplib/api/api.c"
