/* SPDX-License-Identifier: BSD-3-Clause */
/* rounds.c - a BSP program: each barrier waits for all, or it prints what was wrong. rounds N
 * [die] */
#include <bsp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * In round i every process puts i to the one i % p further on: what is there after the barrier is
 * of this round.
 */
int main(int argc, char **argv)
{
	int got = -1, bad = 0, rounds = atoi(argv[1]);

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&got, sizeof(got));
	bsp_sync();
	for (int i = 0; i < rounds; i++) {
		bsp_put((bsp_pid() + i) % bsp_nprocs(), &i, &got, 0, sizeof(i));
		if (i % 16 == 5 && bsp_pid() == i % bsp_nprocs())
			usleep(3000);
		if (argc > 2 && i == 20 && bsp_pid() == 1)
			kill(getpid(), SIGKILL);
		bsp_sync();
		bad += got != i;
	}
	printf("process %d: %d wrong\n", bsp_pid(), bad);
	bsp_end();
	return bad != 0;
}
