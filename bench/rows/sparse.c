/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse.c - time of a superstep in which each process sends 8 bytes to a few others. */

/*
 * To the next ones by number: all processes send and receive as much. The barrier is that of
 * BSP_BARRIER, over any transport; on an emulated network with cpu=0 time is virtual. The mean over
 * all processes of what TIMES supersteps take, by its number.
 *
 *	sparse [OTHERS [TIMES]]		by default 1 and 10; prints us
 */
#include <bsp.h>

#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 10, WARM = 3 };

static void sparse_supersteps(int others, int times)
{
	double value = 0;

	for (int i = 0; i < times; i++) {
		for (int k = 1; k <= others; k++)
			bsp_send((bsp_pid() + k) % bsp_nprocs(), NULL, &value, sizeof(value));
		bsp_sync();
	}
}

/* On process 0, of what each one sends there; elsewhere 0. */
static double sparse_mean(double us)
{
	double sum = 0, of_one;
	int messages, bytes;

	bsp_send(0, NULL, &us, sizeof(us));
	bsp_sync();
	bsp_qsize(&messages, &bytes);
	for (int i = 0; i < messages; i++) {
		bsp_move(&of_one, sizeof(of_one));
		sum += of_one / messages;
	}
	return sum;
}

int main(int argc, char **argv)
{
	int others = argc > 1 ? atoi(argv[1]) : 1, times = argc > 2 ? atoi(argv[2]) : TIMES;
	double began, mean;

	if (argc > 3 || others < 0 || others >= bsp_nprocs() || times < 1) {
		fprintf(stderr, "usage: sparse [others [times]], to fewer than all processes\n");
		return 2;
	}
	bsp_begin(bsp_nprocs());
	sparse_supersteps(others, WARM);
	began = bsp_time();
	sparse_supersteps(others, times);
	mean = sparse_mean(1e6 * (bsp_time() - began) / times);
	if (bsp_pid() == 0)
		printf("%.1f\n", mean);
	bsp_end();
	return 0;
}
