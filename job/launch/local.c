// SPDX-License-Identifier: BSD-3-Clause
/* local.c - start the processes of a job on this machine. */

#include "start.h"

#include "job/discover/discover.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct bspj_status_table *local_make_table(int nprocs)
{
	void *at = mmap(NULL, bspj_status_table_bytes(nprocs), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

bool bspj_claim_fault(struct bspj_job *job)
{
	if (job->launch && job->launch->claim_fault && !job->launch->claim_fault(job->me))
		return false;
	if (!job->table) {
		bspj_let_process_0_speak(job);
		return true;
	}
	return bspj_claim_once(&job->table->failed_rank, job->me);
}

/* ---- The life of a new process ------------------------------------------- */

static void local_become_process(struct bspj_children *children, int p, pid_t supervisor,
				 const struct bspj_binding *binding, struct bspj_ends ends, int end)
{
	bspj_children_close(children->child, p + 1);
	if (!bspj_follow(supervisor, end))
		_exit(EXIT_FAILURE);
	if (children->first + p > 0)
		bspj_input_detach();
	bspj_gprof_resume(children->first + p);
	if (children->how->parts)
		bspj_parts_close(children->how->parts);
	bspj_output_redirect(ends);
	if (children->nprocs > 1 || children->how->parts)
		setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	if (binding)
		bspj_binding_apply(binding, children->how->binding ? children->first + p : p);
}

/* ---- The supervisor's side ----------------------------------------------- */

/* Fork process @p of ours. 1: we are it; 0: we are the supervisor; negative errno. */
static int fork_one(struct bspj_children *children, int p, const struct bspj_binding *binding)
{
	struct bspj_child *child = &children->child[p];
	struct bspj_ends ends = { -1, -1 };
	pid_t supervisor = getpid();
	int err, end = -1;

	if (children->how->tag_output) {
		err = bspj_pipes_open(child, &ends);
		if (err)
			return err;
	}
	if (p < bspj_follow_most(children->how, 1))
		end = bspj_follow_open(child);
	child->pid = fork();
	err = child->pid < 0 ? -errno : 0;
	if (err)
		bspj_child_close(child);
	if (child->pid == 0) {
		local_become_process(children, p, supervisor, binding, ends, end);
		return 1;
	}
	bspj_ends_close(ends);
	if (end >= 0)
		close(end);
	return err;
}

/*
 * The last first: in a program that has called unshare(CLONE_NEWPID) process 0 is the init of the
 * others, and ends when these have been waited for.
 */
static void end_first(struct bspj_children *children, int n)
{
	for (int q = 0; q < n; q++)
		kill(children->child[q].pid, SIGKILL);
	for (int q = n - 1; q >= 0; q--) {
		waitpid(children->child[q].pid, NULL, 0);
		bspj_child_close(&children->child[q]);
	}
}

/* Fork all. The number of the process we are; -1: we are the supervisor; -1 - errno on failure. */
static int local_fork_all(struct bspj_children *children, const struct bspj_binding *binding)
{
	struct rlimit own;
	int err = bspj_processes_fit(children->nprocs);

	if (!err)
		err = bspj_descriptors_raise(children->how, &own);
	if (err)
		return -1 + err;
	for (int p = 0; p < children->nprocs; p++) {
		err = fork_one(children, p, binding);
		if (!err)
			continue;
		setrlimit(RLIMIT_NOFILE, &own);
		if (err == 1)
			return p;
		end_first(children, p);
		return -1 + err;
	}
	return -1;
}

/*
 * By which process 0 may have another SPMD part: ends[0] is the supervisor's. The parts of a
 * job that has several supervisors have none. If there is none otherwise, this is reported when
 * it is wanted.
 */
static void open_control(const struct bspj_start *how, int *ends)
{
	ends[0] = ends[1] = -1;
	if (!how->parts && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		ends[0] = ends[1] = -1;
}

static void close_control(const int *ends, int except)
{
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0 && i != except)
			close(ends[i]);
}

/* A program may close it, and open something else under its number. */
static struct bspj_control keep_control(int fd)
{
	struct bspj_control control = { .fd = fd };
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0) {
		control.dev = st.st_dev;
		control.ino = st.st_ino;
	}
	return control;
}

static int start_alone(struct bspj_job *job)
{
	struct bspj_status_table *table = local_make_table(1);

	if (!table)
		return -ENOMEM;
	if (job->table)			/* of the last SPMD part */
		munmap(job->table, bspj_status_table_bytes(job->nprocs));
	job->me = 0;
	job->nprocs = 1;
	job->table = table;
	return 0;
}

/* Processes of the job, of which we start some or all. */
static int nprocs_of_job(const struct bspj_start *how)
{
	int mine, n = 0;
	const int *part = how->parts ? bspj_parts_of_processes(how->parts, &mine, &n) : NULL;

	return part ? n : how->nprocs;
}

int bspj_start(const struct bspj_start *how, struct bspj_job *job)
{
	struct bspj_children children = { .how = how, .nprocs = how->nprocs };
	int nprocs = nprocs_of_job(how);
	/* Ignored, as some parents leave it, SIGCHLD would keep the deaths of children from us. */
	struct sigaction plain = { .sa_handler = SIG_DFL }, inherited;
	struct bspj_binding *binding;
	int me, control[2];

	if (job->supervised)
		return bspj_start_again(how, job);
	if (how->nprocs == 1 && !how->supervise) {
		bspj_binding_alone();
		return start_alone(job);
	}
	children.child = bspj_children_create(how->nprocs);
	children.table = local_make_table(nprocs);
	if (how->parts)
		children.first = bspj_parts_first(how->parts);
	if (!children.table || !children.child) {
		free(children.child);
		if (children.table)
			munmap(children.table, bspj_status_table_bytes(nprocs));
		return -ENOMEM;
	}
	open_control(how, control);
	bspj_streams_flush();
	sigaction(SIGCHLD, &plain, &inherited);
	binding = how->nodes > 1 ? how->binding : bspj_binding_create(how);
	me = local_fork_all(&children, binding);
	if (binding && !how->binding)
		bspj_binding_destroy(binding);
	close_control(control, me == -1 ? 0 : children.first + me == 0 ? 1 : -1);
	children.control = control[0];
	if (me == -1)
		bspj_supervise(&children);
	sigaction(SIGCHLD, &inherited, NULL);
	free(children.child);
	if (me < -1) {
		munmap(children.table, bspj_status_table_bytes(nprocs));
		return me + 1;
	}
	if (job->table && job->table != children.table)
		munmap(job->table, bspj_status_table_bytes(job->nprocs));
	job->me = children.first + me;
	job->nprocs = nprocs;
	job->supervised = true;
	job->table = children.table;
	job->control = keep_control(job->me == 0 ? control[1] : -1);
	return 0;
}
