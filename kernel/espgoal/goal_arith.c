// SPDX-License-Identifier: GPL-2.0-only
/* goal_arith.c - the same as in the library. */
#include "../goal/goal_arith.c"
