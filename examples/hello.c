/* SPDX-License-Identifier: BSD-3-Clause */
/* hello.c - every process prints its number. */

/*
 * Shows how a BSP program starts and ends. The statements between bsp_begin()
 * and bsp_end() are executed by all processes, each with a number of its own.
 *
 *	bspcc -O2 -o hello hello.c -lm
 *	./hello			one process for each processor
 *	bsprun -n 4 ./hello	four processes
 *
 * The lines come in any order.
 */
#include <bsp.h>
#include <stdio.h>

int main(void)
{
	bsp_begin(bsp_nprocs());

	int p = (int)bsp_nprocs();
	int s = (int)bsp_pid();

	printf("Hello from process %d of %d\n", s, p);
	if (s < 0 || s >= p)
		bsp_abort("there is no process %d among %d", s, p);

	bsp_end();
	return 0;
}
