// SPDX-License-Identifier: BSD-3-Clause
/* rivals_mpi.c - MPI's barrier and allreduce that do not block. */

#include "rivals.h"

#include <mpi.h>

static MPI_Request request;
static double in, out;

struct rival_job rival_begin(int *argc, char ***argv)
{
	struct rival_job job;

	MPI_Init(argc, argv);
	MPI_Comm_size(MPI_COMM_WORLD, &job.nprocs);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	return job;
}

void rival_meet(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

/* MPI chooses the algorithm of its barrier: one row has it. */
bool rival_has(enum rival_operation what)
{
	return what != RIVAL_DISSEMINATION;
}

void rival_start(enum rival_operation what, double mine)
{
	in = mine;
	if (what == RIVAL_ALLREDUCE)
		MPI_Iallreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
	else
		MPI_Ibarrier(MPI_COMM_WORLD, &request);
}

double rival_finish(enum rival_operation what)
{
	(void)what;
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	return out;
}

void rival_end(void)
{
	MPI_Finalize();
}
