/* SPDX-License-Identifier: BSD-3-Clause */
/* Process p gets block p of x0 op x1 op ..., in that order, by every algorithm. */
#include "../lib/folds.h"

int main(void)
{
	try_folds(GOAL_REDUCE_SCATTER);
	return done_testing();
}
