/* SPDX-License-Identifier: BSD-3-Clause */
/* 276 - process p gets x0 op ... op xp, in place or not. */
#include "folds.h"

int main(void)
{
	try_folds(GOAL_SCAN);
	return done_testing();
}
