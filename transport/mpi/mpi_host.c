// SPDX-License-Identifier: BSD-3-Clause
/* mpi_host.c - a PMIx server for one machine, so that MPI starts without a launcher. */

/*
 * Terms
 *   parent   calls mpi_host_start(); it forks the processes afterwards, or is the only one.
 *   host     a process with the server of libpmix in it.
 *   folder   of the host: all that libpmix and MPI put into file systems is in it.
 *   life     a pair of sockets. The host has one end, parent and processes have the other.
 *
 *	parent --fork--> host          libpmix is initialised here and nowhere else
 *	  |  <-- ready ----'           its status; the slots of the environment are full
 *	  +--fork--> process 0         enter: the environment out of slot 0; then MPI_Init
 *	  +--fork--> process 1         leave: MPI is not used any more
 *
 * The host ends after each process that has entered (mpi_watch.c). It has a session of its own and
 * ignores the signals that end a job, as it has to outlive the job to clean up.
 *
 * No process needs the folder once all have left, or have finalised MPI: the host removes it when
 * the last has left, or before the last gets the answer to its PMIx_Finalize. If a job ends in
 * another way, the host removes it soon after. If the host itself is killed, the processes go on
 * until they need it: MPI ends them, or they close, find life closed, and remove the folder. It
 * stays if they and the host are killed, until the host of a later job of the same user removes it.
 *
 * libpmix is never finalised: its threads may wait for a client, and there is nothing in memory
 * that the end of the host does not free.
 */

#include "mpi_host.h"
#include "mpi_watch.h"

#include "transport/hostname.h"
#include "transport/launch_env.h"
#include "transport/limits.h"

#include <mpi.h>
#include <pmix_server.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	ENV_MOST = 4096,	/* bytes of environment for one process; 700 are in use */
	NAME_MOST = 256,	/* of a variable, a job */
	FOLDER_MOST = 256,	/* bytes of its path */
	LOOK_NS = 20000,	/* of a processor, for one look at whether others have come */
	READY_MS = 300000,	/* a longer start is a hang; on an idle machine it takes 20 */
};

/* Seen by all of them; written by the parent and the host, before there are processes. */
struct mpi_host {
	int nprocs;
	int life;			/* the end of parent and processes */
	int lock;			/* of theirs, on the folder; -1: none */
	bool crowded;			/* more processes than processors */
	char folder[FOLDER_MOST];	/* "": not made */
	char env[][ENV_MOST];		/* of each process: texts NAME=value, an empty one */
};

static size_t host_bytes(int nprocs)
{
	return sizeof(struct mpi_host) + (size_t)nprocs * ENV_MOST;
}

/* ---- The environment ----------------------------------------------------------- */

struct variable {
	const char *name, *value;
};

static const struct variable needed[] = {
	/*
	 * Open MPI 4: without a daemon of its own the component orte takes every process for a
	 * singleton, for which it forks an orted; the others do the same where Slurm, JSM or
	 * Flux have something in the environment. With none, the host is asked.
	 */
	{ "OMPI_MCA_schizo", "^orte,slurm,jsm,flux" },
	{ "OMPI_MCA_ess", "^singleton" },
	/* The interface to PMIx, and no other one. */
	{ "OMPI_MCA_pmix", "^s1,s2,cray,flux,isolated" },
	/*
	 * Processes get each other's data by messages. The alternative, a file in shared memory,
	 * has locks, and a process that is killed while it holds one blocks the host.
	 */
	{ "PMIX_MCA_gds", "hash" },
};

/* Settings that are better on one machine, if the user has not decided otherwise. */
static const struct variable preferred[] = {
	/* To look for the networks of other machines takes a fifth of a second. */
	{ "OMPI_MCA_pml", "ob1" },
	/*
	 * No TCP: its component listens on every address of the machine, and no process connects
	 * to it.
	 */
	{ "OMPI_MCA_btl", "self,vader" },
};

/* Where Open MPI keeps its shared memory; else in /dev/shm, where the killed would leave it. */
static const char shared_memory[] = "OMPI_MCA_btl_vader_backing_directory";

/* The name in NAME=value. */
static bool name_in(const char *text, char name[NAME_MOST])
{
	size_t len = strcspn(text, "=");

	if (len == 0 || len >= NAME_MOST || text[len] != '=')
		return false;
	memcpy(name, text, len);
	name[len] = '\0';
	return true;
}

static int set_text(const char *text)
{
	char name[NAME_MOST];

	if (!name_in(text, name))
		return -EINVAL;
	return setenv(name, strchr(text, '=') + 1, true) == 0 ? 0 : -errno;
}

static int host_set_all(const struct variable *list, size_t n, bool replace)
{
	for (size_t i = 0; i < n; i++)
		if (setenv(list[i].name, list[i].value, replace) < 0)
			return -errno;
	return 0;
}

/* Set the variables that do not depend on the host. */
static int set_needed(void)
{
	bspt_launch_forget();
	return host_set_all(needed, sizeof(needed) / sizeof(needed[0]), true);
}

/* ---- The folder ------------------------------------------------------------------ */

static const char folder_name[] = "bsp-mpi-XXXXXX";

/* In @place, which exists. 0 or a negative errno. */
static int make_folder_in(const char *place, char folder[FOLDER_MOST])
{
	char path[FOLDER_MOST];

	if (snprintf(path, FOLDER_MOST, "%s/%s", place, folder_name) >= FOLDER_MOST)
		return -ENAMETOOLONG;
	if (!mkdtemp(path))
		return -errno;
	memcpy(folder, path, FOLDER_MOST);
	return 0;
}

/*
 * In memory if possible: Open MPI's shared memory is to be in it. On failure @why says which
 * folders were tried, and what is wrong with each.
 */
static int host_make_folder(char folder[FOLDER_MOST], char *why, size_t len)
{
	const char *tmp = getenv("TMPDIR");
	const char *const places[] = { "/dev/shm", tmp && *tmp ? tmp : "/tmp" };
	int err = make_folder_in(places[0], folder), next;

	if (!err)
		return 0;
	next = make_folder_in(places[1], folder);
	if (next)
		snprintf(why, len,
			 "no folder can be made in %s (%s) or in %.200s (%s); set TMPDIR to one "
			 "that can be written",
			 places[0], strerror(-err), places[1], strerror(-next));
	return next;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

/* Removed by the first process that gets here; nothing to do if the folder is gone. */
static void remove_folder(const char *folder)
{
	if (*folder)
		nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/*
 * Host, parent and processes hold a shared lock on a file in the folder for as long as they live.
 * The file gets its name when the host has locked it, so that a file without a lock belongs to a
 * dead job.
 */
static int host_make_lock(const char *folder)
{
	char name[FOLDER_MOST + 16], locked[FOLDER_MOST + 16];
	int fd;

	snprintf(name, sizeof(name), "%s/new-lock", folder);
	snprintf(locked, sizeof(locked), "%s/lock", folder);
	fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	/* @fd stays open */
	return flock(fd, LOCK_SH) == 0 && rename(name, locked) == 0 ? 0 : -errno;
}

/*
 * For the parent and its children; -1: without it a dead job cannot be distinguished from one
 * that lives without its host.
 */
static int hold_lock(const char *folder)
{
	char name[FOLDER_MOST + 16];
	int fd;

	snprintf(name, sizeof(name), "%s/lock", folder);
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0)
		flock(fd, LOCK_SH);
	return fd;
}

/* Is it a folder of this user that no other can write to, and is its job dead? Its lock, or -1. */
static int lock_of_the_dead(int place, const char *name)
{
	int dir = openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), fd = -1;
	struct stat st;

	if (dir < 0)
		return -1;
	if (fstat(dir, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & 077))
		fd = openat(dir, "lock", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	close(dir);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Folders stay when a job is killed together with its host. */
static void remove_folders_of_the_dead(const char *place)
{
	DIR *dir = opendir(place);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char path[FOLDER_MOST];
		int lock = strncmp(entry->d_name, folder_name, sizeof(folder_name) - 7) ? -1 :
			   lock_of_the_dead(dirfd(dir), entry->d_name);

		if (lock < 0)
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", place, entry->d_name) < (int)sizeof(path))
			remove_folder(path);
		close(lock);
	}
	if (dir)
		closedir(dir);
}

/* ---- The host: what processes ask of it -------------------------------------------- */

static struct mpi_host *ours;	/* in the host; one thread of libpmix calls these */

static pmix_status_t client_finalized(const pmix_proc_t *proc, void *object, pmix_op_cbfunc_t done,
				      void *data)
{
	static int finalized;

	(void)proc;
	(void)object;
	(void)done;
	(void)data;
	if (++finalized == ours->nprocs)
		remove_folder(ours->folder);
	return PMIX_OPERATION_SUCCEEDED;
}

/* MPI_Abort: the process ends itself with the status, and its supervisor the others. */
static pmix_status_t abort_processes(const pmix_proc_t *proc, void *object, int status,
				     const char *message, pmix_proc_t *procs, size_t nprocs,
				     pmix_op_cbfunc_t done, void *data)
{
	(void)proc;
	(void)object;
	(void)status;
	(void)message;
	(void)procs;
	(void)nprocs;
	(void)done;
	(void)data;
	return PMIX_OPERATION_SUCCEEDED;
}

/* All processes have come; there are no others, so what they brought is all there is. */
static pmix_status_t host_fence(const pmix_proc_t *procs, size_t nprocs, const pmix_info_t *info,
				size_t ninfo, char *bytes, size_t len, pmix_modex_cbfunc_t done,
				void *data)
{
	(void)procs;
	(void)nprocs;
	(void)info;
	(void)ninfo;
	done(PMIX_SUCCESS, bytes, len, data, NULL, NULL);
	return PMIX_SUCCESS;
}

/* Calls left out here libpmix answers itself, or "not supported": there are no other jobs. */
static pmix_server_module_t answers = {
	.client_finalized = client_finalized,
	.abort = abort_processes,
	.fence_nb = host_fence,
};

/* ---- The host: the data that libpmix serves ------------------------------------------------- */

struct fact {
	const char *key;
	const void *value;
	pmix_data_type_t type;
};

/* Copies for libpmix; PMIX_INFO_FREE() frees them. */
static pmix_info_t *host_copy_facts(const struct fact *facts, size_t n)
{
	pmix_info_t *info;

	PMIX_INFO_CREATE(info, n);
	for (size_t i = 0; info && i < n; i++)
		PMIX_INFO_LOAD(&info[i], facts[i].key, facts[i].value, facts[i].type);
	return info;
}

static int host_error_of(pmix_status_t rc)
{
	return rc == PMIX_SUCCESS || rc == PMIX_OPERATION_SUCCEEDED ? 0 : -EIO;
}

static int start_server(const char *folder)
{
	const struct fact facts[] = {
		{ PMIX_SERVER_TMPDIR, folder, PMIX_STRING },
		{ PMIX_SYSTEM_TMPDIR, folder, PMIX_STRING },
	};
	const size_t n = sizeof(facts) / sizeof(facts[0]);
	pmix_info_t *info = host_copy_facts(facts, n);
	pmix_status_t rc;

	if (!info)
		return -ENOMEM;
	rc = PMIx_server_init(&answers, info, n);
	PMIX_INFO_FREE(info, n);
	return host_error_of(rc);
}

/* "0,1,2": the processes of the only node. */
static char *list_of(int nprocs)
{
	char *text = malloc((size_t)nprocs * 12 + 1), *at = text;

	for (int p = 0; text && p < nprocs; p++)
		at += sprintf(at, "%s%d", p ? "," : "", p);
	return text;
}

/* The maps say which process is where; libpmix derives the rest of each process. */
static int register_job(const char *name, int nprocs, const char *folder, const char *list,
			const char *nodes, const char *processes)
{
	static const pmix_rank_t first;
	static const uint32_t one = 1;
	static const bool yes = true;
	const uint32_t all = (uint32_t)nprocs;
	const struct fact facts[] = {
		{ PMIX_UNIV_SIZE, &all, PMIX_UINT32 },
		{ PMIX_JOB_SIZE, &all, PMIX_UINT32 },
		{ PMIX_MAX_PROCS, &all, PMIX_UINT32 },
		{ PMIX_LOCAL_SIZE, &all, PMIX_UINT32 },
		{ PMIX_JOB_NUM_APPS, &one, PMIX_UINT32 },
		{ PMIX_NUM_NODES, &one, PMIX_UINT32 },
		{ PMIX_JOBID, name, PMIX_STRING },
		{ PMIX_NODE_MAP, nodes, PMIX_REGEX },
		{ PMIX_PROC_MAP, processes, PMIX_REGEX },
		{ PMIX_LOCAL_PEERS, list, PMIX_STRING },
		{ PMIX_LOCALLDR, &first, PMIX_PROC_RANK },
		{ PMIX_TMPDIR, folder, PMIX_STRING },
		{ PMIX_NSDIR, folder, PMIX_STRING },
		{ PMIX_TDIR_RMCLEAN, &yes, PMIX_BOOL },	/* the host removes it */
	};
	const size_t n = sizeof(facts) / sizeof(facts[0]);
	pmix_info_t *info = host_copy_facts(facts, n);
	pmix_status_t rc;

	if (!info)
		return -ENOMEM;
	rc = PMIx_server_register_nspace(name, nprocs, info, n, NULL, NULL);
	PMIX_INFO_FREE(info, n);
	return host_error_of(rc);
}

static int describe_job(const char *name, int nprocs, const char *folder)
{
	char machine[BSPT_HOSTNAME], *nodes = NULL, *processes = NULL;
	char *list = list_of(nprocs);
	int err;

	bspt_hostname(machine);
	if (bspt_hostname_is_too_long(machine))
		strcpy(machine, "localhost");	/* any name will do for the only node */
	err = list ? 0 : -ENOMEM;
	if (!err)
		err = host_error_of(PMIx_generate_regex(machine, &nodes));
	if (!err)
		err = host_error_of(PMIx_generate_ppn(list, &processes));
	if (!err)
		err = register_job(name, nprocs, folder, list, nodes, processes);
	free(processes);
	free(nodes);
	free(list);
	return err;
}

/* The variables by which a process finds this host go into its slot. */
static int host_fill_slot(char slot[ENV_MOST], char **env)
{
	size_t at = 0;

	for (; env && *env; env++) {
		size_t len = strlen(*env) + 1;

		if (at + len >= ENV_MOST)
			return -E2BIG;
		memcpy(slot + at, *env, len);
		at += len;
	}
	return at ? 0 : -EIO;
}

static int register_process(const char *name, int p, char slot[ENV_MOST])
{
	pmix_proc_t proc;
	char **env = NULL;
	int err;

	PMIX_LOAD_PROCID(&proc, name, (pmix_rank_t)p);
	err = host_error_of(
		PMIx_server_register_client(&proc, geteuid(), getegid(), NULL, NULL, NULL));
	if (!err)
		err = host_error_of(PMIx_server_setup_fork(&proc, &env));
	if (!err)
		err = host_fill_slot(slot, env);
	for (char **t = env; t && *t; t++)
		free(*t);
	free(env);
	return err;
}

/* ---- The host: its life --------------------------------------------------------------- */

static void close_range_of(int first, int last)
{
	if (first <= last)
		close_range(first, last, 0);
}

/* The program may have had its own ways with signals. */
static void reset_signals(void)
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE };
	sigset_t none;

	for (int signo = 1; signo < NSIG; signo++)
		signal(signo, SIG_DFL);
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void detach(int life, int ready)
{
	struct rlimit files;
	int first = life < ready ? life : ready, second = life < ready ? ready : life;
	int null;

	setsid();
	prctl(PR_SET_NAME, "bsp-mpi-host");
	reset_signals();
	/* No process may wait for the end of a stream that only the host still holds. */
	null = open("/dev/null", O_RDWR);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	close_range_of(STDERR_FILENO + 1, first - 1);
	close_range_of(first + 1, second - 1);
	close_range_of(second + 1, INT32_MAX);
	if (chdir("/") < 0)
		return;		/* a folder in use cannot be unmounted; no more than that */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;	/* two for each process */
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

static void remove_our_folder(void)
{
	remove_folder(ours->folder);
}

_Noreturn static void be_host(struct mpi_host *host, int life, int ready)
{
	char name[NAME_MOST], why[1];
	struct mpi_watch *watch = mpi_watch_create(life, host->nprocs);
	int err;

	ours = host;
	detach(life, ready);
	snprintf(name, sizeof(name), "bsp-%d", (int)getpid());
	err = watch ? set_needed() : -ENOMEM;
	remove_folders_of_the_dead("/dev/shm");
	if (!err)
		err = host_make_folder(host->folder, why, sizeof(why));
	if (!err)
		err = host_make_lock(host->folder);
	if (!err)
		err = start_server(host->folder);
	if (!err)
		err = describe_job(name, host->nprocs, host->folder);
	for (int p = 0; p < host->nprocs && !err; p++)
		err = register_process(name, p, host->env[p]);
	if (write(ready, &err, sizeof(err)) == sizeof(err) && !err) {
		close(ready);
		mpi_watch_wait(watch, remove_our_folder);
	}
	remove_folder(host->folder);
	_exit(EXIT_SUCCESS);
}

/* ---- The parent ------------------------------------------------------------------------ */

static int host_refuse(char *why, size_t len, int err, const char *what)
{
	snprintf(why, len, "%s: %s; mpirun -n 4 ./prog may start it", what, strerror(-err));
	return err;
}

/* The host listens there. Nothing is sent: the question is whether there is a way. */
static int try_loopback(void)
{
	struct sockaddr_in at = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int err = s >= 0 && connect(s, (struct sockaddr *)&at, sizeof(at)) == 0 ? 0 : -errno;

	if (s >= 0)
		close(s);
	return err;
}

/*
 * Open MPI 4.1 and libpmix hang, crash or work by chance with less. A process has 226 MiB of
 * address space with up to 4 processes, of which most is reserved by threads, 275 MiB with 16;
 * 22 MiB of data; and 18 files, the host two more for each.
 */
static bool limits_suffice(int nprocs, char *why, size_t len)
{
	const struct bspt_need needs[] = {
		{ RLIMIT_AS, (uint64_t)(256 + 4 * nprocs) << 20 },
		{ RLIMIT_DATA, (uint64_t)32 << 20 },
		{ RLIMIT_NOFILE, (uint64_t)(24 + 2 * nprocs) },
	};

	return bspt_limits_suffice(needs, sizeof(needs) / sizeof(needs[0]), why, len);
}

int mpi_host_probe(int nprocs, char *why, size_t len)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING], folder[FOLDER_MOST];
	int n, err;

	MPI_Get_library_version(text, &n);
	if (!strstr(text, "Open MPI")) {
		snprintf(why, len, "this MPI needs its launcher: mpirun -n 4 ./prog");
		return -ENOTSUP;
	}
	if (!limits_suffice(nprocs, why, len))
		return -ENOMEM;
	err = try_loopback();
	if (err)
		return host_refuse(why, len, err, "there is no loopback network, 127.0.0.1");
	err = host_make_folder(folder, why, len);
	if (err)
		return err;
	rmdir(folder);
	return 0;
}

static bool is_crowded(int nprocs)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 && nprocs > CPU_COUNT(&set);
}

static struct mpi_host *host_create(int nprocs)
{
	struct mpi_host *host = mmap(NULL, host_bytes(nprocs), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (host == MAP_FAILED)
		return NULL;
	host->nprocs = nprocs;
	host->crowded = is_crowded(nprocs);
	return host;
}

static void host_destroy(struct mpi_host *host)
{
	munmap(host, host_bytes(host->nprocs));
}

/* Its child forks the host and exits, so that no wait() finds the host. */
static int fork_host(struct mpi_host *host, int life, int ready)
{
	pid_t child = fork();

	if (child < 0)
		return -errno;
	if (child > 0) {
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
		return 0;
	}
	child = fork();
	if (child == 0)
		be_host(host, life, ready);
	_exit(EXIT_SUCCESS);
}

/* Its status. The stream of one that dies ends. */
static int await_ready(int ready)
{
	struct pollfd fd = { .fd = ready, .events = POLLIN };
	int err, n;

	do
		n = poll(&fd, 1, READY_MS);
	while (n < 0 && errno == EINTR);
	if (n == 0)
		return -ETIMEDOUT;
	return read(ready, &err, sizeof(err)) == sizeof(err) ? err : -EIO;
}

int mpi_host_start(int nprocs, struct mpi_host **out)
{
	struct mpi_host *host = host_create(nprocs);
	int life[2], ready[2], err;

	if (!host)
		return -ENOMEM;
	err = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, life) < 0 ? -errno : 0;
	if (err)
		goto err_destroy;
	err = pipe2(ready, O_CLOEXEC) < 0 ? -errno : 0;
	if (err) {
		close(life[1]);
		goto err_close;
	}
	host->life = life[0];
	err = fork_host(host, life[1], ready[1]);
	close(life[1]);
	close(ready[1]);
	if (!err)
		err = await_ready(ready[0]);
	close(ready[0]);
	if (err)
		goto err_remove;
	mpi_watch_notify(host->life, MPI_WATCH_PARENT);
	host->lock = hold_lock(host->folder);
	*out = host;
	return 0;

err_remove:
	remove_folder(host->folder);
err_close:
	close(life[0]);
err_destroy:
	host_destroy(host);
	return err;
}

/* ---- A process -------------------------------------------------------------------------- */

static bool is_watched;		/* by the host, of this process */

int mpi_host_enter(struct mpi_host *host, int me)
{
	int err = set_needed();

	is_watched = mpi_watch_notify(host->life, MPI_WATCH_ENTER);
	for (const char *text = host->env[me]; *text && !err; text += strlen(text) + 1)
		err = set_text(text);
	if (!err)
		err = host_set_all(preferred, sizeof(preferred) / sizeof(preferred[0]), false);
	if (!err && setenv("OMPI_MCA_mpi_oversubscribe", host->crowded ? "1" : "0", true) < 0)
		err = -errno;
	if (!err && setenv(shared_memory, host->folder, false) < 0)
		err = -errno;
	if (!err)
		err = bspt_launch_mark();
	/*
	 * In MPI_Init a process that waits for others looks every 100 us whether they have come.
	 * A hundred of them on few processors leave nothing to the host and to those they wait
	 * for: so the more there are, the longer they oversleep. Then all that look take less than
	 * one processor.
	 */
	if (!err && host->crowded)
		prctl(PR_SET_TIMERSLACK, (unsigned long)host->nprocs * LOOK_NS);
	return err;
}

void mpi_host_entered(struct mpi_host *host)
{
	if (host->crowded)
		prctl(PR_SET_TIMERSLACK, 0UL);	/* what it was at first */
}

/* If the write fails the host is dead, and its folder is ours to remove. */
void mpi_host_leave(struct mpi_host *host)
{
	const char *folder = getenv(shared_memory);

	bspt_launch_forget();
	if (folder && strcmp(folder, host->folder) == 0)
		unsetenv(shared_memory);
	if (!mpi_watch_leave(host->life))
		remove_folder(host->folder);
	if (is_watched)
		close(host->life);
	if (host->lock >= 0)
		close(host->lock);
	host_destroy(host);
}
