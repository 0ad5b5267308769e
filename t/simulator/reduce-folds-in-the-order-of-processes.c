/* SPDX-License-Identifier: BSD-3-Clause */
/* X0 op x1 op ... arrives at any root, in place or not; the operator need not commute. */
#include "../lib/folds.h"

int main(void)
{
	try_folds(GOAL_REDUCE);
	return done_testing();
}
