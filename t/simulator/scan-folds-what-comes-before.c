/* SPDX-License-Identifier: BSD-3-Clause */
/* Process p gets x0 op ... op xp, in place or not. */
#include "../lib/folds.h"

int main(void)
{
	try_folds(GOAL_SCAN);
	return done_testing();
}
