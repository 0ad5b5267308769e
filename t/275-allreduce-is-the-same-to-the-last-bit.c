/* SPDX-License-Identifier: BSD-3-Clause */
/* 275 - all get x0 op x1 op ..., and the same bits, also of floating-point numbers. */
#include "folds.h"

int main(void)
{
	try_folds(GOAL_ALLREDUCE);
	return done_testing();
}
