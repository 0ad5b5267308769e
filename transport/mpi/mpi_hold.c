// SPDX-License-Identifier: BSD-3-Clause
/* mpi_hold.c - which MPI it is; initialising and finalising it. */

#include "mpi.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
	PMI_LINE = 1024,
	CANCEL_S = 2,		/* in which processes that give MPI_Finalize up have done so */
};

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

static bool is_open_mpi(void)
{
	char version[80];

	bspt_mpi_version(version, sizeof(version));
	return strncmp(version, "Open MPI", 8) == 0;
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

	if (pointers == is_open_mpi())
		return 0;
	bspt_mpi_version(version, sizeof(version));
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
	return (getenv("PMIX_NAMESPACE") && getenv("PMIX_RANK")) ||
		(getenv("PMI_PORT") && getenv("PMI_ID")) ? -1 : 0;
}

void bspt_mpi_mismatch(char *why, size_t len)
{
	bool open_mpi = is_open_mpi();
	char version[80];

	bspt_mpi_version(version, sizeof(version));
	snprintf(why, len,
		 "each process is alone in MPI, as the launcher belongs to another MPI than %s, "
		 "with which bsp was built here; start with %s, or build bsp with %s as well",
		 version,
		 open_mpi ? "mpirun of Open MPI or srun --mpi=pmix" :
			    "mpiexec of MPICH or srun --mpi=pmi2",
		 open_mpi ? "MPICH (configure --with-mpich)" : "Open MPI (configure --with-mpi)");
}

/* ---- Ports ----------------------------------------------------------------------- */

static int set_variables(const char *const (*list)[2], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (setenv(list[i][0], list[i][1], false) < 0)
			return -errno;
	return 0;
}

/*
 * Open MPI reads parameters of its own, MPICH those of the library below it, of which UCX is tried
 * (Debian's). Without a port either goes on, and processes do not find a way to each other.
 */
int bspt_mpi_use_ports(const char *text, char why[BSPT_PORTS_WHY])
{
	struct bspt_ports ports = bspt_ports_read(text);
	int n = bspt_ports_count(ports), i = 0, initialised;
	char low[16], count[16], range[16];

	MPI_Initialized(&initialised);
	if (!n || initialised)
		return 0;
	while (i < n && !bspt_ports_is_unused(bspt_ports_at(ports, 0, i)))
		i++;
	if (i == n) {
		bspt_ports_explain(ports, why);
		return -EADDRINUSE;
	}
	snprintf(low, sizeof(low), "%u", ports.low);
	snprintf(count, sizeof(count), "%d", n);
	snprintf(range, sizeof(range), "%u-%u", ports.low, ports.high);
	if (!is_open_mpi())
		return set_variables((const char *[][2]){ { "UCX_TCP_PORT_RANGE", range } }, 1);
	return set_variables((const char *[][2]){ { "OMPI_MCA_btl_tcp_port_min_v4", low },
						  { "OMPI_MCA_btl_tcp_port_range_v4", count },
						  { "OMPI_MCA_btl_tcp_port_min_v6", low },
						  { "OMPI_MCA_btl_tcp_port_range_v6", count } },
			     4);
}

/* ---- Holds of MPI ---------------------------------------------------------------- */

/* In this process. */
static struct {
	int holders;
	bool ours;			/* we have initialised it */
	bool forsaken;
	bool may_hang;			/* MPI_Finalize */
	double wait_s;			/* for it; 0: for ever */
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

/*
 * MPI_Finalize of MPICH 4.0 sometimes does not return where processes are on several hosts: one of
 * them waits for a connection that it has begun, which takes calls of the other process, and that
 * waits in PMI for all. All that was sent has arrived by then, so it need not be waited for: it
 * runs in a thread, which ends in one of the system calls that it makes again and again.
 */

/* False: it has not ended after so many seconds. */
static bool mpi_join(pthread_t thread, double seconds)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += (time_t)seconds;
	until.tv_nsec += (long)(1e9 * (seconds - (time_t)seconds));
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until) == 0;
}

static void *finalize(void *unused)
{
	/* with connections, in both directions, 3 of 60 jobs hang; without them 16 of 38 */
	if (use.may_hang) {
		char *bytes;
		int n;

		MPI_Comm_size(MPI_COMM_WORLD, &n);
		bytes = calloc(2, (size_t)n);
		for (int round = 0; bytes && round < 2; round++)
			MPI_Alltoall(bytes, 1, MPI_CHAR, bytes + n, 1, MPI_CHAR, MPI_COMM_WORLD);
		free(bytes);
	}
	MPI_Finalize();
	return unused;
}

/* Does it end in time? Its thread takes no signals of the program. */
static bool finalize_within(double seconds)
{
	pthread_t thread;
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&thread, NULL, finalize, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err) {
		finalize(NULL);
		return true;
	}
	if (mpi_join(thread, seconds))
		return true;
	pthread_cancel(thread);
	if (!mpi_join(thread, CANCEL_S))
		pthread_detach(thread);
	return false;
}

/*
 * Hydra ends all processes when one ends that has not announced, in the words of PMI 1, that it
 * needs no more; so we do it instead of MPI_Finalize.
 */
static void leave_hydra(void)
{
	static const char words[] = "cmd=finalize\n";
	struct pollfd from = { .fd = mpi_number("PMI_FD"), .events = POLLIN };
	char answer[PMI_LINE];
	ssize_t n = 1;

	if (from.fd <= STDERR_FILENO ||
	    send(from.fd, words, sizeof(words) - 1, MSG_NOSIGNAL) != sizeof(words) - 1)
		return;
	for (answer[0] = '\0'; n > 0 && !strstr(answer, "finalize_ack");) {
		n = poll(&from, 1, 1000 * CANCEL_S) > 0 ?
			recv(from.fd, answer, sizeof(answer) - 1, MSG_DONTWAIT) : 0;
		answer[n > 0 ? n : 0] = '\0';
	}
}

static void mpi_finalize(void)
{
	if (!use.may_hang || use.wait_s <= 0) {
		finalize(NULL);
		return;
	}
	if (finalize_within(use.wait_s))
		return;
	leave_hydra();
	/* the others give up as well, and none is to see this process end before */
	poll(NULL, 0, 1000 * CANCEL_S);
	if (mpi_number("PMI_RANK") == 0)
		dprintf(STDERR_FILENO,
			"bsp: MPI_Finalize of MPICH did not return within lifeline of "
			"BSP_WAIT; it is no longer waited for\n");
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
	mpi_finalize();
}

void bspt_mpi_is_far(double timeout_s)
{
	use.may_hang = !is_open_mpi();
	use.wait_s = timeout_s;
}

void bspt_mpi_forsake(void)
{
	use.forsaken = true;
}
