// SPDX-License-Identifier: GPL-2.0-only
/* goal_float.c - floating point, renamed: espgoal_fpu.c calls it with the registers saved. */
#define goal_float goal_float_fenced
#include "../goal/goal_float.c"
