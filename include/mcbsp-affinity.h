/* SPDX-License-Identifier: BSD-3-Clause */
/* mcbsp-affinity.h - for programs for MulticoreBSP for C that include it; all is in mcbsp.h. */
#include <mcbsp.h>
