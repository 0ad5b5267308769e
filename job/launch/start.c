// SPDX-License-Identifier: BSD-3-Clause
/* start.c - the first moments of a process that is forked, and what its supervisor has for it. */

#include "start.h"

#include "quota.h"

#include "transport/transport.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

size_t bspj_status_table_bytes(int nprocs)
{
	return sizeof(struct bspj_status_table) + nprocs * sizeof(struct bspj_status);
}

struct bspj_child *bspj_children_create(int nprocs)
{
	struct bspj_child *children = calloc(nprocs, sizeof(*children));

	for (int p = 0; children && p < nprocs; p++)
		children[p] = (struct bspj_child){ .out = -1, .err = -1, .held = -1 };
	return children;
}

void bspj_child_close(struct bspj_child *child)
{
	bspj_ends_close((struct bspj_ends){ child->out, child->err });
	if (child->held >= 0)
		close(child->held);
	child->out = child->err = child->held = -1;
}

static const int *child_fds(const struct bspj_child *child, int fds[3])
{
	fds[0] = child->out;
	fds[1] = child->err;
	fds[2] = child->held;
	return fds;
}

static void close_run(unsigned int first, unsigned int last)
{
	if (syscall(SYS_close_range, first, last, 0) == 0)
		return;
	for (unsigned int fd = first; fd <= last; fd++)
		close((int)fd);
}

/*
 * One call for each run of successive numbers: a call for each of them, in each of P processes,
 * would be P * P calls. Between them lie descriptors of the program, which stay.
 */
void bspj_children_close(const struct bspj_child *child, int n)
{
	int fds[3], top = -1;
	char *is_open;

	for (int i = 0; i < 3 * n; i++)
		if (child_fds(&child[i / 3], fds)[i % 3] > top)
			top = fds[i % 3];
	is_open = top < 0 ? NULL : calloc((size_t)top + 2, 1);
	for (int i = 0; i < 3 * n; i++) {
		int fd = child_fds(&child[i / 3], fds)[i % 3];

		if (fd >= 0 && is_open)
			is_open[fd] = 1;
		else if (fd >= 0)
			close(fd);
	}
	for (int fd = 0, first = 0; is_open && fd <= top + 1; fd++)
		if (!is_open[fd]) {
			if (first < fd)
				close_run((unsigned int)first, (unsigned int)fd - 1);
			first = fd + 1;
		}
	free(is_open);
}

/* ---- Limits --------------------------------------------------------------- */

/* Descriptors of the supervisor beside those of its children, most of them the program's. */
enum { SPARE_FDS = 64 };

/*
 * Memory that no process does with less, as its stack, its page tables and what the kernel has of
 * it: transport/shm/README has what processes take. Without a look a job of thousands would not
 * fail on a machine that is too small, but the machine.
 */
enum { PROCESS_BYTES = 192 << 10 };

bool bspj_claim_once(_Atomic int *claimed, int process)
{
	int none = 0;

	return atomic_compare_exchange_strong(claimed, &none, process + 1) || none == process + 1;
}

/* A limit of the kernel's for all that runs on this machine; LONG_MAX: not known. */
static long start_kernel_limit(const char *path)
{
	char text[64];

	return bspt_system_file(path, text, sizeof(text)) ? strtol(text, NULL, 10) : LONG_MAX;
}

/* A size in the text of /proc/meminfo, in bytes; @otherwise: it has none of that name. */
static double start_field(const char *text, const char *name, double otherwise)
{
	const char *at = strstr(text, name);

	return at ? (double)strtoull(at + strlen(name), NULL, 10) * 1024 : otherwise;
}

/* Bytes that processes can have, or HUGE_VAL. */
static double start_free_memory(void)
{
	double swap_bytes;
	char text[4096];

	bspt_system_file("/proc/meminfo", text, sizeof(text));
	swap_bytes = start_field(text, "\nSwapFree:", 0);
	return fmin(start_field(text, "\nMemAvailable:", HUGE_VAL) + swap_bytes,
		    bspj_quota_memory("/proc/self/cgroup", "/sys/fs/cgroup", swap_bytes));
}

/* The superuser is not limited by ulimit -u. */
int bspj_processes_fit(int nprocs)
{
	struct rlimit limit;

	if (geteuid() != 0 && getrlimit(RLIMIT_NPROC, &limit) == 0 &&
	    limit.rlim_cur < (rlim_t)nprocs)
		return -EAGAIN;
	if (start_kernel_limit("/proc/sys/kernel/threads-max") < nprocs ||
	    start_kernel_limit("/proc/sys/kernel/pid_max") < nprocs ||
	    bspj_quota_pids("/proc/self/cgroup", "/sys/fs/cgroup") < nprocs)
		return -EAGAIN;
	return start_free_memory() / PROCESS_BYTES < nprocs ? -ENOMEM : 0;
}

int bspj_descriptors_raise(const struct bspj_start *how, struct rlimit *own)
{
	rlim_t wanted = (how->tag_output ? 4 : 2) * (rlim_t)how->nprocs + SPARE_FDS;
	struct rlimit raised;

	if (getrlimit(RLIMIT_NOFILE, own) < 0)
		return -errno;
	if (how->tag_output && own->rlim_max < 2 * (rlim_t)how->nprocs + SPARE_FDS / 4)
		return -EMFILE;
	raised = *own;
	if (raised.rlim_cur < wanted)
		raised.rlim_cur = wanted < raised.rlim_max ? wanted : raised.rlim_max;
	setrlimit(RLIMIT_NOFILE, &raised);
	return 0;
}

/* ---- Output ------------------------------------------------------------- */

void bspj_ends_close(struct bspj_ends ends)
{
	if (ends.out >= 0)
		close(ends.out);
	if (ends.err >= 0)
		close(ends.err);
}

int bspj_pipes_open(struct bspj_child *child, struct bspj_ends *ends)
{
	int out[2], err[2];

	if (pipe(out) < 0)
		return -errno;
	if (pipe(err) < 0) {
		int error = -errno;

		close(out[0]);
		close(out[1]);
		return error;
	}
	child->out = out[0];
	child->err = err[0];
	*ends = (struct bspj_ends){ out[1], err[1] };
	return 0;
}

static void start_redirect(int from, int to)
{
	if (from < 0 || from == to)
		return;
	dup2(from, to);
	close(from);
}

void bspj_output_redirect(struct bspj_ends ends)
{
	start_redirect(ends.out, STDOUT_FILENO);
	start_redirect(ends.err, STDERR_FILENO);
}

/* ---- A new process --------------------------------------------------------- */

void bspj_input_detach(void)
{
	int null = open("/dev/null", O_RDONLY);

	if (null < 0)
		return;
	dup2(null, STDIN_FILENO);
	if (null != STDIN_FILENO)
		close(null);
	bspj_streams_drop_input();
}

/* ---- To die with the supervisor ------------------------------------------------ */

/*
 * PR_SET_PDEATHSIG is gone when a process changes its user or group, or loses capabilities, and a
 * program may use it for itself. So each process has a socket that signals when its other end is
 * closed, and the supervisor alone holds that end. The kernel compares the user that asked for this
 * signal with the user of the process at that time: a process that was root may become any user,
 * and one that was not may become each that it was. A pair for each process, as some kernels
 * signal to all readers of a pipe when one of them is closed.
 */

enum {
	FOLLOW_SPARE = 64,	/* descriptors for all else */
	FOLLOW_SHARE = 4,	/* of all descriptors, for processes of one SPMD part */
};

static struct {
	bool is;
	int fd;
	dev_t dev;
	ino_t ino;
} follows;

int bspj_follow_most(const struct bspj_start *how, int each)
{
	long pipes = how->tag_output ? 2L * each * how->nprocs : 0, most, room;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	if (limit.rlim_cur > INT_MAX)
		return how->nprocs;
	most = (long)limit.rlim_cur / FOLLOW_SHARE;
	room = ((long)limit.rlim_cur - FOLLOW_SPARE - pipes) / each;
	most = room < most ? room : most;
	return most < 0 ? 0 : most < how->nprocs ? (int)most : how->nprocs;
}

int bspj_follow_open(struct bspj_child *child)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -1;
	child->held = ends[0];
	return ends[1];
}

bool bspj_follow(pid_t supervisor, int end)
{
	struct stat st;

	/* A copy of process 0 has its end, too, unless the program has closed it. */
	if (follows.is && fstat(follows.fd, &st) == 0 && st.st_dev == follows.dev &&
	    st.st_ino == follows.ino)
		close(follows.fd);
	follows.is = false;
	if (end >= 0) {
		follows.is = fstat(end, &st) == 0;
		follows.fd = end;
		follows.dev = st.st_dev;
		follows.ino = st.st_ino;
		if (fcntl(end, F_SETSIG, SIGKILL) == 0 && fcntl(end, F_SETOWN, getpid()) == 0)
			fcntl(end, F_SETFL, O_ASYNC);
	}
	return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == supervisor;
}
