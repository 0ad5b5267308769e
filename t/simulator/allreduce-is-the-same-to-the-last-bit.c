/* SPDX-License-Identifier: BSD-3-Clause */
/* All get x0 op x1 op ..., and the same bits, also of floating-point numbers. */
#include "../lib/folds.h"

int main(void)
{
	try_folds(GOAL_ALLREDUCE);
	return done_testing();
}
