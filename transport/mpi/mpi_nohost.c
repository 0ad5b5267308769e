// SPDX-License-Identifier: BSD-3-Clause
/* mpi_nohost.c - in the place of mpi_host.c for an MPI that needs its launcher, or without PMIx. */

#include "mpi_host.h"

#include <errno.h>
#include <mpi.h>
#include <stdio.h>

int mpi_host_probe(int nprocs, char *why, size_t len)
{
	(void)nprocs;
	if (sizeof(MPI_Comm) == sizeof(void *))
		snprintf(why, len, "it was built without PMIx and needs the launcher of MPI: "
				   "mpirun -n 4 ./prog");
	else
		snprintf(why, len, "MPICH needs its launcher: mpiexec -n 4 ./prog");
	return -ENOTSUP;
}

int mpi_host_start(int nprocs, struct mpi_host **out)
{
	(void)nprocs;
	(void)out;
	return -ENOTSUP;
}

int mpi_host_enter(struct mpi_host *host, int me)
{
	(void)host;
	(void)me;
	return -ENOTSUP;
}

void mpi_host_entered(struct mpi_host *host)
{
	(void)host;
}

void mpi_host_leave(struct mpi_host *host)
{
	(void)host;
}
