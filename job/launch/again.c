// SPDX-License-Identifier: BSD-3-Clause
/* again.c - another SPMD part on this machine: copies of process 0, which continues. */

/*
 * The supervisor must be the parent of the new processes, too, so that wait() in the program
 * finds none of them and a death is noticed at once; but only process 0 can fork copies of
 * itself:
 *
 *	process 0 --fork--> broker --fork--> processes 1, 2, ...
 *	broker		ends, so that they become children of the supervisor, a subreaper
 *	process 0	gives the supervisor their status table, which has their numbers,
 *			and waits for its answer
 *	the others	wait at a gate, a pipe that process 0 alone can write to, until it closes
 *			the pipe; if the table does not say so, something has failed, and they end
 *
 * Processes of the last part may live on for any time.
 */

#include "start.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct again {
	const struct bspj_start *how;
	struct bspj_status_table *table;
	int table_fd;
	int gate[2];
	struct bspj_child *children;	/* what the supervisor is to have of them */
	struct bspj_ends *ends;
	int *end;			/* for bspj_follow(), of each */
	const struct bspj_binding *binding;
	int control;
	pid_t supervisor;
};

/* ---- What they share ------------------------------------------------------- */

static int again_make_table(struct again *a)
{
	size_t bytes = bspj_status_table_bytes(a->how->nprocs);
	void *at = MAP_FAILED;
	struct rlimit limit;

	/* Beyond it the kernel would not say no, but send a signal. */
	if (getrlimit(RLIMIT_FSIZE, &limit) < 0 || bytes > limit.rlim_cur)
		return -EFBIG;
	a->table_fd = memfd_create("bsp", MFD_CLOEXEC);
	if (a->table_fd < 0)
		return -errno;
	if (ftruncate(a->table_fd, (off_t)bytes) == 0)
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, a->table_fd, 0);
	if (at == MAP_FAILED)
		return -errno;
	a->table = at;
	return 0;
}

static int make_pipes(struct again *a)
{
	int most = bspj_follow_most(a->how, 2);

	for (int p = 0; p < a->how->nprocs; p++) {
		a->ends[p] = (struct bspj_ends){ -1, -1 };
		a->end[p] = p > 0 && p < most ? bspj_follow_open(&a->children[p]) : -1;
	}
	for (int p = 1; a->how->tag_output && p < a->how->nprocs; p++) {
		int err = bspj_pipes_open(&a->children[p], &a->ends[p]);

		if (err)
			return err;
	}
	return 0;
}

static int again_prepare(struct again *a)
{
	int err = again_make_table(a);

	a->children = bspj_children_create(a->how->nprocs);
	a->ends = calloc((size_t)a->how->nprocs, sizeof(*a->ends));
	a->end = calloc((size_t)a->how->nprocs, sizeof(*a->end));
	if (!err && (!a->children || !a->ends || !a->end))
		err = -ENOMEM;
	if (!err)
		err = make_pipes(a);
	if (!err && pipe(a->gate) < 0)
		err = -errno;
	return err;
}

static void close_one(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* All that is open, but for what process @p keeps. */
static void again_close_all(struct again *a, int p)
{
	for (int q = 1; a->children && a->ends && a->end && q < a->how->nprocs; q++) {
		bspj_child_close(&a->children[q]);
		if (q == p)
			continue;
		bspj_ends_close(a->ends[q]);
		close_one(a->end[q]);
	}
	close_one(a->table_fd);
	close_one(a->gate[0]);
	close_one(a->gate[1]);
	free(a->children);
	free(a->ends);
	free(a->end);
	a->children = NULL;
	a->ends = NULL;
	a->end = NULL;
}

/* ---- The others ------------------------------------------------------------- */

static void again_become_process(struct again *a, int p)
{
	struct bspj_ends ends = a->ends[p];
	int end = a->end[p];
	char nothing;
	ssize_t n;

	close_one(a->control);
	do
		n = read(a->gate[0], &nothing, 1);
	while (n < 0 && errno == EINTR);
	again_close_all(a, p);
	if (atomic_load(&a->table->go) != 1 || !bspj_follow(a->supervisor, end))
		_exit(EXIT_FAILURE);
	bspj_input_detach();
	bspj_gprof_resume(p);
	bspj_output_redirect(ends);
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	if (a->binding)
		bspj_binding_apply(a->binding, p);
}

/* In the broker; returns only in the processes, their number. */
static int fork_others(struct again *a)
{
	close(a->gate[1]);
	a->gate[1] = -1;
	for (int p = 1; p < a->how->nprocs; p++) {
		pid_t child = fork();

		if (child == 0)
			return p;
		if (child < 0) {
			atomic_store(&a->table->go, -errno);
			_exit(EXIT_FAILURE);
		}
		atomic_store(&a->table->rank[p].pid, child);
	}
	_exit(EXIT_SUCCESS);
}

/* 0 in process 0, the number of the process in another, or a negative errno. */
static int again_fork_all(struct again *a)
{
	pid_t broker;

	if (a->how->nprocs == 1)
		return 0;
	broker = fork();
	if (broker < 0)
		return -errno;
	if (broker == 0)
		return fork_others(a);
	while (waitpid(broker, NULL, 0) < 0 && errno == EINTR)
		;
	return atomic_load(&a->table->go);
}

/* ---- The supervisor ---------------------------------------------------------- */

static bool is_still_ours(const struct bspj_control *control)
{
	struct stat st;

	return control->fd >= 0 && fstat(control->fd, &st) == 0 && st.st_dev == control->dev &&
	       st.st_ino == control->ino;
}

static int again_request(const struct again *a, struct bspj_again what, const int *fds, int nfds)
{
	struct iovec bytes = { .iov_base = &what, .iov_len = sizeof(what) };
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(BSPJ_AGAIN_FDS * sizeof(int))] = { 0 };
	struct msghdr message = {
		.msg_iov = &bytes, .msg_iovlen = 1,
		.msg_control = room, .msg_controllen = CMSG_SPACE((size_t)nfds * sizeof(int)),
	};
	struct cmsghdr *with = CMSG_FIRSTHDR(&message);
	ssize_t n;

	with->cmsg_level = SOL_SOCKET;
	with->cmsg_type = SCM_RIGHTS;
	with->cmsg_len = CMSG_LEN((size_t)nfds * sizeof(int));
	for (int i = 0; i < nfds; i++)
		((int *)(void *)CMSG_DATA(with))[i] = fds[i];
	do
		n = sendmsg(a->control, &message, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

/* The descriptors of a message about process @p; returns how many. */
static int again_fds(const struct again *a, int p, int *fds)
{
	const struct bspj_child *child = &a->children[p];
	int n = 0;

	if (p == 0)
		fds[n++] = a->table_fd;
	if (child->out >= 0) {
		fds[n++] = child->out;
		fds[n++] = child->err;
	}
	if (child->held >= 0)
		fds[n++] = child->held;
	return n;
}

/* Returns its answer: 0 or a negative errno. */
static int notify_supervisor(const struct again *a)
{
	struct bspj_again what = { .nprocs = a->how->nprocs };
	int fds[BSPJ_AGAIN_FDS], n, err = 0, answer;
	ssize_t len;

	for (int p = 1; p < what.nprocs; p++)
		what.left += again_fds(a, p, fds) > 0;
	for (int p = 0; !err && p < what.nprocs; p++) {
		n = again_fds(a, p, fds);
		if (n == 0)
			continue;
		what.process = p;
		what.left -= p > 0;
		err = again_request(a, what, fds, n);
	}
	if (err)
		return err;
	do
		len = recv(a->control, &answer, sizeof(answer), 0);
	while (len < 0 && errno == EINTR);
	return len == sizeof(answer) ? answer : -EPIPE;
}

/* ---- All of it ---------------------------------------------------------------- */

/* As again_fork_all(), and the supervisor knows of it; what it said is 0. */
static int again_start(struct again *a)
{
	/* Ignored, or seen by a handler of the program, the end of the broker would be missed. */
	struct sigaction plain = { .sa_handler = SIG_DFL }, inherited;
	int me;

	bspj_streams_flush();
	sigaction(SIGCHLD, &plain, &inherited);
	me = again_fork_all(a);
	sigaction(SIGCHLD, &inherited, NULL);
	if (me != 0)
		return me;
	me = notify_supervisor(a);
	if (!me)
		atomic_store(&a->table->go, 1);
	return me;
}

int bspj_start_again(const struct bspj_start *how, struct bspj_job *job)
{
	struct again a = {
		.how = how,
		.table_fd = -1,
		.gate = { -1, -1 },
		.control = job->control.fd,
		.supervisor = getppid(),
	};
	struct bspj_binding *binding = bspj_binding_create(how);
	int me;

	a.binding = binding;
	me = is_still_ours(&job->control) ? again_prepare(&a) : -EBADF;
	if (!me)
		me = again_start(&a);
	if (me > 0)
		again_become_process(&a, me);
	else
		again_close_all(&a, 0);
	if (me == 0 && binding)
		bspj_binding_apply(binding, 0);
	if (binding)
		bspj_binding_destroy(binding);
	if (me < 0) {
		if (a.table)
			munmap(a.table, bspj_status_table_bytes(how->nprocs));
		return me;
	}
	munmap(job->table, bspj_status_table_bytes(job->nprocs));
	job->table = a.table;
	job->me = me;
	job->nprocs = how->nprocs;
	if (me > 0)
		job->control.fd = -1;
	return 0;
}
