// SPDX-License-Identifier: BSD-3-Clause
/* mpi_launch.c - launches by MPI's launchers: a part of the plugin of transport/mpi. */

#include "job/job.h"

#include "transport/mpi/mpi.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	int me, nprocs;
	int *node;			/* of each process */
	MPI_Comm some;			/* for exchange() */
	int nsome;			/* among so many; 0: not made yet */
	int nnodes;
} world;

/* All are numbered by the first of their node: in the order of these. */
static int mpi_number_nodes(void)
{
	int *first = calloc(world.nprocs, sizeof(*first)), mine = world.me, n = 0;
	MPI_Comm node;

	world.node = calloc(world.nprocs, sizeof(*world.node));
	if (!first || !world.node) {
		free(first);
		return -ENOMEM;
	}
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world.me, MPI_INFO_NULL, &node);
	MPI_Bcast(&mine, 1, MPI_INT, 0, node);
	MPI_Comm_free(&node);
	MPI_Allgather(&mine, 1, MPI_INT, first, 1, MPI_INT, MPI_COMM_WORLD);
	for (int p = 0; p < world.nprocs; p++)
		world.node[p] = first[p] == p ? n++ : world.node[first[p]];
	world.nnodes = n;
	free(first);
	return 0;
}

/*
 * A process that is alone in its world, though its launcher speaks of others, has another MPI's.
 * With a port for PMI (mpiexec -pmi-port) the environment does not say how many there are.
 */
static int check_launcher(char *why, size_t len)
{
	char version[80];

	bspt_mpi_version(version, sizeof(version));
	if (world.nprocs > 1 || (bspt_mpi_launched() <= 1 &&
				 !(getenv("PMI_PORT") && strncmp(version, "Open MPI", 8) == 0)))
		return 0;
	bspt_mpi_mismatch(why, len);
	return -ELIBBAD;
}

static int launch_join(const struct bspj_words *words, const char *ports, int *me, int *nprocs,
		       char *why, size_t len)
{
	int err = bspt_mpi_compatible(why, len);
	char full[BSPT_PORTS_WHY];

	if (err)
		return err;
	err = bspt_mpi_use_ports(ports, full);
	if (err) {
		snprintf(why, len, "%s", err == -EADDRINUSE ? full : "no memory");
		return err;
	}
	/* the plan, which says whether there are any, comes later */
	err = bspt_mpi_hold(true);
	if (err) {
		if (err == -EPERM)
			snprintf(why, len, "the program has finalised MPI before %s", words->begin);
		else
			snprintf(why, len, "MPI cannot be initialised");
		return err;
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &world.me);
	MPI_Comm_size(MPI_COMM_WORLD, &world.nprocs);
	err = check_launcher(why, len);
	if (!err) {
		err = mpi_number_nodes();
		if (err)
			snprintf(why, len, "no memory");
	}
	if (err) {
		bspt_mpi_drop();
		return err;
	}
	*me = world.me;
	*nprocs = world.nprocs;
	return 0;
}

static int launch_nodes(int *node, int nprocs)
{
	if (!world.node || nprocs > world.nprocs)
		return -EINVAL;
	memcpy(node, world.node, nprocs * sizeof(*node));
	return 0;
}

/* The communicator of processes 0 to @n - 1. */
static int create_some(int n)
{
	MPI_Group all, some;
	int rc;

	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_range_incl(all, 1, (int[][3]){ { 0, n - 1, 1 } }, &some);
	rc = MPI_Comm_create_group(MPI_COMM_WORLD, some, BSPT_MPI_EXCHANGE, &world.some);
	MPI_Group_free(&some);
	MPI_Group_free(&all);
	if (rc == MPI_SUCCESS)
		rc = MPI_Comm_set_errhandler(world.some, MPI_ERRORS_RETURN);
	if (rc == MPI_SUCCESS)
		world.nsome = n;
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

static void free_some(void)
{
	if (world.nsome)
		MPI_Comm_free(&world.some);
	world.nsome = 0;
}

/* The communicator of the first @n. */
static int have_some(int n)
{
	if (world.nsome == n)
		return 0;
	free_some();
	return create_some(n);
}

static int launch_meet(int n, void (*meanwhile)(void *arg), void *arg)
{
	MPI_Request barrier;
	int over = 0, err = n > world.nprocs ? -EINVAL : have_some(n);

	if (err)
		return err;
	if (MPI_Ibarrier(world.some, &barrier) != MPI_SUCCESS)
		return -EIO;
	while (!over) {
		meanwhile(arg);
		if (MPI_Test(&barrier, &over, MPI_STATUS_IGNORE) != MPI_SUCCESS)
			return -EIO;
	}
	return 0;
}

/* All processes have come to MPI_Init, and MPI has no way to give up. */
static int launch_exchange(const void *mine, size_t len, bspt_take_fn *take, void *arg, int n,
			   double timeout_s)
{
	char *all;
	int err;

	(void)timeout_s;
	if (len > INT_MAX || n > world.nprocs)
		return -EINVAL;
	err = have_some(n);
	if (err)
		return err;
	all = malloc((size_t)n * len + 1);
	if (!all)
		return -ENOMEM;
	if (MPI_Allgather(mine, (int)len, MPI_BYTE, all, (int)len, MPI_BYTE, world.some) !=
	    MPI_SUCCESS)
		err = -EIO;
	for (int p = 0; p < n && !err; p++)
		take(arg, p, all + (size_t)p * len);
	free(all);
	return err;
}

static void launch_leave(double timeout_s)
{
	int finalised;

	MPI_Finalized(&finalised);
	if (!finalised)
		free_some();
	free(world.node);
	world.node = NULL;
	if (world.nnodes > 1)
		bspt_mpi_is_far(timeout_s);
	bspt_mpi_drop();
}

static __attribute__((noreturn)) void launch_abort(int status)
{
	int initialised, finalised;

	MPI_Initialized(&initialised);
	MPI_Finalized(&finalised);
	if (initialised && !finalised)
		MPI_Abort(MPI_COMM_WORLD, status);
	_exit(status);
}

extern const struct bspj_launch bspj_mpi_launch;

__attribute__((visibility("default"))) const struct bspj_launch bspj_mpi_launch = {
	.name = "mpi",
	.join = launch_join,
	.nodes = launch_nodes,
	.exchange = launch_exchange,
	.meet = launch_meet,
	.leave = launch_leave,
	.abort = launch_abort,
};
