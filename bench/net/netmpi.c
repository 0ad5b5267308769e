/* SPDX-License-Identifier: BSD-3-Clause */
/* netmpi.c - MPI as the layer below, in a program that uses MPI itself: started by mpirun. */

#include "net.h"

#include <bsp.h>
#include <mpi.h>

#include <stdlib.h>
#include <string.h>

static MPI_Comm all = MPI_COMM_NULL;	/* its ranks are the numbers of the processes */

/* MPI is initialised before BSP begins, which joins it. */
static int mpi_start(int *argc, char ***argv)
{
	int nprocs;

	MPI_Init(argc, argv);
	MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
	if (nprocs > 1)
		return 0;
	fprintf(stderr, "netmpi: one process: it is to be started by mpirun -n 2\n");
	MPI_Finalize();
	return -1;
}

static int mpi_open(int me, int nprocs, const struct net_memory *memory)
{
	int size;

	(void)memory;
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size != nprocs) {
		fprintf(stderr, "netmpi: %d processes of MPI, but %d of BSP\n", size, nprocs);
		return -1;
	}
	MPI_Comm_split(MPI_COMM_WORLD, 0, me, &all);
	return 0;
}

static void mpi_move(const struct net_transfer *t, int count)
{
	static MPI_Request request[2 * NET_ITEMS];
	int n = 0;

	for (int i = 0; i < count; i++)
		MPI_Irecv(t[i].dst, (int)t[i].nbytes, MPI_BYTE, t[i].from, 0, all, &request[n++]);
	for (int i = 0; i < count; i++)
		MPI_Isend(t[i].src, (int)t[i].nbytes, MPI_BYTE, t[i].to, 0, all, &request[n++]);
	MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

static void mpi_barrier(void)
{
	MPI_Barrier(all);
}

/* The first line of the version, without its package. */
static void mpi_describe(char *text, size_t len)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING];
	const char *btl = getenv("OMPI_MCA_btl");
	int n;

	MPI_Get_library_version(version, &n);
	version[strcspn(version, ",\n")] = '\0';
	if (btl != NULL && btl[0] != '\0')
		snprintf(text, len, "%.80s, btl %.40s", version, btl);
	else
		snprintf(text, len, "%.80s", version);
}

static void mpi_close(void)
{
	MPI_Comm_free(&all);
}

static void mpi_finish(void)
{
	MPI_Finalize();
}

const struct net_layer net_raw = {
	.name = "MPI",
	.start = mpi_start,
	.open = mpi_open,
	.move = mpi_move,
	.barrier = mpi_barrier,
	.describe = mpi_describe,
	.close = mpi_close,
	.finish = mpi_finish,
};
