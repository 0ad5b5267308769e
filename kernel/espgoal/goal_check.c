// SPDX-License-Identifier: GPL-2.0-only
/* goal_check.c - the verifier, compiled for the kernel. */
#include "../goal/goal_check.c"
