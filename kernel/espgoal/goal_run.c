// SPDX-License-Identifier: GPL-2.0-only
/* goal_run.c - the interpreter, compiled for the kernel. */
#include "../goal/goal_run.c"
