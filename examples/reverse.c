/* SPDX-License-Identifier: BSD-3-Clause */
/* reverse.c - a vector with one element on each process is turned round. */

/*
 * Shows registration and bsp_put(). The variable x of another process can be
 * written to once all processes have registered theirs; the put takes effect at
 * the end of the superstep, so that x can be source and destination at once.
 *
 *	bspcc -O2 -o reverse reverse.c -lm
 *	bsprun -n 4 ./reverse
 *
 * The lines come in any order.
 */
#include <bsp.h>
#include <stdio.h>

/* Returns the x of the process as far from the end as this one is from the start. */
static int reverse(int x)
{
	bsp_push_reg(&x, sizeof x);
	bsp_sync();

	bsp_put(bsp_nprocs() - 1 - bsp_pid(), &x, &x, 0, sizeof x);
	bsp_pop_reg(&x);
	bsp_sync();

	return x;
}

int main(void)
{
	bsp_begin(bsp_nprocs());

	int p = (int)bsp_nprocs();
	int s = (int)bsp_pid();
	int x = reverse(100 + s);

	printf("process %d had %d and has %d\n", s, 100 + s, x);
	if (x != 100 + p - 1 - s)
		bsp_abort("it should have %d", 100 + p - 1 - s);

	bsp_end();
	return 0;
}
