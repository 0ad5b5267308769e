// SPDX-License-Identifier: BSD-3-Clause
/* mpi_launch.c - launches by MPI's launchers; initialising and finalising MPI. */

#include "mpi.h"

#include "job/job.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Which MPI ------------------------------------------------------------------- */

void bspt_mpi_version(char *text, size_t len)
{
	char whole[MPI_MAX_LIBRARY_VERSION_STRING];
	int n;

	MPI_Get_library_version(whole, &n);
	whole[strcspn(whole, ",\n")] = '\0';
	for (char *tab; (tab = strchr(whole, '\t'));)
		*tab = ' ';
	snprintf(text, len, "%s", whole);
}

/*
 * A program that is linked with one MPI and loads this part, built with another, gets calls of
 * the first with the types of the second. Types of Open MPI are pointers, those of MPICH and its
 * derivatives numbers.
 */
int bspt_mpi_compatible(char *why, size_t len)
{
	bool pointers = sizeof(MPI_Comm) == sizeof(void *);
	char version[80];

	bspt_mpi_version(version, sizeof(version));
	if (pointers == (strncmp(version, "Open MPI", 8) == 0))
		return 0;
	snprintf(why, len, "the program has %s, but this library was built with %s", version,
		 pointers ? "Open MPI" : "MPICH");
	return -ELIBBAD;
}

static int mpi_number(const char *variable)
{
	const char *text = getenv(variable);

	return text ? atoi(text) : 0;
}

int bspt_mpi_launched(void)
{
	int open_mpi = mpi_number("OMPI_COMM_WORLD_SIZE"), pmi = mpi_number("PMI_SIZE");

	if (open_mpi > 0 || pmi > 0)
		return open_mpi > pmi ? open_mpi : pmi;
	return getenv("PMIX_NAMESPACE") && getenv("PMIX_RANK") ? -1 : 0;
}

/* ---- Holds of MPI ---------------------------------------------------------------- */

/* In this process. */
static struct {
	int holders;
	bool ours;			/* we have initialised it */
	bool forsaken;
} use;

/* Parts that an MPI library loads look for its symbols among those that all can see. */
static void let_all_see(void)
{
	Dl_info info;

	if (dladdr((void *)(uintptr_t)MPI_Init_thread, &info) && info.dli_fname)
		dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/* The names of the parts that have been loaded. */
struct parts {
	char **name;
	size_t n, room;
};

static int note_part(struct dl_phdr_info *info, size_t size, void *into)
{
	struct parts *p = into;

	(void)size;
	if (!strstr(info->dlpi_name, "/mca_"))
		return 0;
	if (p->n == p->room) {
		char **name = realloc(p->name, (p->room + 64) * sizeof(*name));

		if (!name)
			return -ENOMEM;
		p->name = name;
		p->room += 64;
	}
	p->name[p->n] = strdup(info->dlpi_name);
	if (!p->name[p->n])
		return -ENOMEM;
	p->n++;
	return 0;
}

/*
 * MPI_Finalize of Open MPI 4.1 unloads its parts before it stops a thread of its own, which may
 * still have an event for one of them. So they stay, unless there is no memory to list them.
 * They are listed first: what lists them holds a lock that opening them needs.
 */
static void keep_parts(void)
{
	struct parts p = { .name = NULL };

	dl_iterate_phdr(note_part, &p);
	while (p.n > 0) {
		void *part = dlopen(p.name[--p.n], RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);

		if (part)
			dlclose(part);
		free(p.name[p.n]);
	}
	free(p.name);
}

int bspt_mpi_hold(bool threads)
{
	int wanted = threads ? MPI_THREAD_SERIALIZED : MPI_THREAD_SINGLE;
	int initialised, finalised, level;
	char why[200];

	if (bspt_mpi_compatible(why, sizeof(why)) < 0)
		return -ELIBBAD;
	MPI_Initialized(&initialised);
	MPI_Finalized(&finalised);
	if (finalised)
		return -EPERM;
	if (!initialised) {
		let_all_see();
		if (MPI_Init_thread(NULL, NULL, wanted, &level) != MPI_SUCCESS)
			return -EIO;
		use.ours = true;
	}
	use.holders++;
	return 0;
}

void bspt_mpi_drop(void)
{
	int finalised;

	if (--use.holders > 0 || !use.ours || use.forsaken)
		return;
	MPI_Finalized(&finalised);
	if (finalised)
		return;
	keep_parts();
	MPI_Finalize();
}

void bspt_mpi_forsake(void)
{
	use.forsaken = true;
}

/* ---- The launcher ------------------------------------------------------------------ */

static struct {
	int me, nprocs;
	int *node;			/* of each process */
	MPI_Comm some;			/* for exchange() */
	int nsome;			/* among so many; 0: not made yet */
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
	free(first);
	return 0;
}

/* A process that is alone in its world, though its launcher speaks of others, has another MPI's. */
static int check_launcher(char *why, size_t len)
{
	int launched = bspt_mpi_launched();
	char version[80];

	if (world.nprocs > 1 || launched <= 1)
		return 0;
	bspt_mpi_version(version, sizeof(version));
	snprintf(why, len,
		 "%d processes were started, but each is alone in MPI: the launcher belongs to "
		 "another MPI; this library was built with %s; start with its mpirun",
		 launched, version);
	return -ELIBBAD;
}

static int launch_join(int *me, int *nprocs, char *why, size_t len)
{
	int err = bspt_mpi_compatible(why, len);

	if (err)
		return err;
	/* the plan, which says whether there are any, comes later */
	err = bspt_mpi_hold(true);
	if (err) {
		snprintf(why, len,
			 err == -EPERM ? "the program has finalised MPI before bsp_begin" :
					 "MPI cannot be initialised");
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
static int launch_exchange(const void *mine, size_t len, void *all, int n, double timeout_s)
{
	int err;

	(void)timeout_s;
	if (len > INT_MAX || n > world.nprocs)
		return -EINVAL;
	err = have_some(n);
	if (err)
		return err;
	if (MPI_Allgather(mine, (int)len, MPI_BYTE, all, (int)len, MPI_BYTE, world.some) !=
	    MPI_SUCCESS)
		return -EIO;
	return 0;
}

static void launch_leave(void)
{
	int finalised;

	MPI_Finalized(&finalised);
	if (!finalised)
		free_some();
	free(world.node);
	world.node = NULL;
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
