// SPDX-License-Identifier: GPL-2.0-only
/* goal_float.c - the same as in the library, under another name: to be called with the registers saved (espgoal_fpu.c). */
#define goal_float goal_float_fenced
#include "../goal/goal_float.c"
