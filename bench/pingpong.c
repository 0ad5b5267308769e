/* SPDX-License-Identifier: BSD-3-Clause */
/* pingpong.c - a plain ping-pong in MPI, which bspgauge's one_one should agree with. */

/*
 * mpirun -n 2 pingpong: a line for each size, in bytes and us for one way, the median of
 * SAMPLES.
 */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 51, WARM = 5, MOST = 1 << 20 };

/*
 * Both are written first: pages that were never written are all the same one, which no cache
 * has to look for.
 */
static char ping[MOST], pong[MOST];

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void play(int rank, int bytes)
{
	if (rank == 0)
		MPI_Send(ping, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
	MPI_Recv(pong, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank == 1)
		MPI_Send(ping, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
}

/* Half of a round trip, in us. */
static double pingpong_sample(int rank, int bytes)
{
	int turns = bytes > 65536 ? 10 : 100;
	double begin = MPI_Wtime();

	for (int i = 0; i < turns; i++)
		play(rank, bytes);
	return (MPI_Wtime() - begin) / (2 * turns) * 1e6;
}

int main(int argc, char **argv)
{
	double took[SAMPLES];
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	memset(ping, 1, sizeof ping);
	memset(pong, 2, sizeof pong);
	for (int bytes = 1; bytes <= MOST; bytes *= 4) {
		for (int i = -WARM; i < SAMPLES; i++)
			took[i < 0 ? 0 : i] = pingpong_sample(rank, bytes);
		qsort(took, SAMPLES, sizeof took[0], by_size);
		if (rank == 0)
			printf("%d %.6f\n", bytes, took[SAMPLES / 2]);
	}
	MPI_Finalize();
	return 0;
}
