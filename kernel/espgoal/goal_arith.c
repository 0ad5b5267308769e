// SPDX-License-Identifier: GPL-2.0-only
/* goal_arith.c - the integer functions, compiled for the kernel. */
#include "../goal/goal_arith.c"
