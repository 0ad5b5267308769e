// SPDX-License-Identifier: BSD-3-Clause
/* mpi_hold.c - which MPI it is; initialising and finalising it. */

#include "mpi.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
