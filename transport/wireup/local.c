// SPDX-License-Identifier: BSD-3-Clause
/* local.c - start the processes of a job on this machine. */

#include "wireup.h"

#include "discover.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t board_bytes(int nprocs)
{
	return sizeof(struct bspt_board) + nprocs * sizeof(struct bspt_seat);
}

static struct bspt_board *make_board(int nprocs)
{
	void *at = mmap(NULL, board_bytes(nprocs), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

bool bspt_claim_fault(struct bspt_job *job)
{
	int nobody = 0;

	if (!job->board) {
		bspt_let_process_0_speak(job);
		return true;
	}
	return atomic_compare_exchange_strong(&job->board->culprit, &nobody, job->me + 1) ||
	       nobody == job->me + 1;
}

/* Two ends of pipes, or -1. */
struct ends {
	int out, err;
};

static void close_ends(struct ends ends)
{
	if (ends.out >= 0)
		close(ends.out);
	if (ends.err >= 0)
		close(ends.err);
}

/* ---- The life of a new process ------------------------------------------- */

/* Only process 0 has the standard input. */
static void detach_input(void)
{
	int null = open("/dev/null", O_RDONLY);

	if (null < 0)
		return;
	dup2(null, STDIN_FILENO);
	if (null != STDIN_FILENO)
		close(null);
	__fpurge(stdin);
}

static void redirect(int from, int to)
{
	if (from < 0 || from == to)
		return;
	dup2(from, to);
	close(from);
}

/* Die with the supervisor, which may have died before we asked for it. */
static bool follow(pid_t supervisor)
{
	return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == supervisor;
}

static void become_process(struct bspt_crew *crew, int p, pid_t supervisor,
			   const struct bspt_binding *binding, struct ends ends)
{
	if (!follow(supervisor))
		_exit(EXIT_FAILURE);
	if (crew->first + p > 0)
		detach_input();
	if (crew->how->parts)
		bspt_parts_close(crew->how->parts);
	redirect(ends.out, STDOUT_FILENO);
	redirect(ends.err, STDERR_FILENO);
	for (int q = 0; q <= p; q++)
		close_ends((struct ends){ crew->children[q].out, crew->children[q].err });
	if (crew->nprocs > 1 || crew->how->parts)
		setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	if (binding)
		bspt_binding_apply(binding, p);
}

/* ---- The supervisor's side ----------------------------------------------- */

/* Pipes for the output of a child: we read children->out and err, it writes @ends. */
static int open_pipes(struct bspt_child *child, struct ends *ends)
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
	*ends = (struct ends){ out[1], err[1] };
	return 0;
}

/* Fork process @p of ours. 1: we are it; 0: we are the supervisor; negative errno. */
static int fork_one(struct bspt_crew *crew, int p, const struct bspt_binding *binding)
{
	struct bspt_child *child = &crew->children[p];
	struct ends ends = { -1, -1 };
	pid_t supervisor = getpid();
	int err;

	if (crew->how->tag_output) {
		err = open_pipes(child, &ends);
		if (err)
			return err;
	}
	child->pid = fork();
	if (child->pid < 0)
		close_ends((struct ends){ child->out, child->err });
	if (child->pid == 0) {
		become_process(crew, p, supervisor, binding, ends);
		return 1;
	}
	err = child->pid < 0 ? -errno : 0;
	close_ends(ends);
	return err;
}

static void end_children(struct bspt_crew *crew, int n)
{
	for (int p = 0; p < n; p++) {
		kill(crew->children[p].pid, SIGKILL);
		waitpid(crew->children[p].pid, NULL, 0);
		close_ends((struct ends){ crew->children[p].out, crew->children[p].err });
	}
}

/* Fork all. The number of the process we are; -1: we are the supervisor; -1 - errno on failure. */
static int fork_all(struct bspt_crew *crew, const struct bspt_binding *binding)
{
	for (int p = 0; p < crew->nprocs; p++) {
		int err = fork_one(crew, p, binding);

		if (err == 1)
			return p;
		if (err < 0) {
			end_children(crew, p);
			return -1 + err;
		}
	}
	return -1;
}

static int start_alone(struct bspt_job *job)
{
	struct bspt_board *board = make_board(1);

	if (!board)
		return -ENOMEM;
	job->me = 0;
	job->nprocs = 1;
	job->board = board;
	return 0;
}

/* Processes of the job, of which we start some or all. */
static int nprocs_of_job(const struct bspt_start *how)
{
	int mine, n = 0;
	const int *part = how->parts ? bspt_parts_of_processes(how->parts, &mine, &n) : NULL;

	return part ? n : how->nprocs;
}

static struct bspt_child *make_children(int nprocs)
{
	struct bspt_child *children = calloc(nprocs, sizeof(*children));

	for (int p = 0; children && p < nprocs; p++)
		children[p] = (struct bspt_child){ .out = -1, .err = -1 };
	return children;
}

int bspt_start(const struct bspt_start *how, struct bspt_job *job)
{
	struct bspt_crew crew = { .how = how, .nprocs = how->nprocs };
	int nprocs = nprocs_of_job(how);
	/* Ignored, as some parents leave it, SIGCHLD would keep the deaths of children from us. */
	struct sigaction plain = { .sa_handler = SIG_DFL }, inherited;
	struct bspt_binding *binding;
	int me;

	if (how->nprocs == 1 && !how->supervise)
		return start_alone(job);
	crew.children = make_children(how->nprocs);
	crew.board = make_board(nprocs);
	if (how->parts)
		crew.first = bspt_parts_first(how->parts);
	if (!crew.board || !crew.children) {
		free(crew.children);
		if (crew.board)
			munmap(crew.board, board_bytes(nprocs));
		return -ENOMEM;
	}
	fflush(NULL);
	sigaction(SIGCHLD, &plain, &inherited);
	binding = how->bind ? bspt_binding_create(how->nprocs) : NULL;
	me = fork_all(&crew, binding);
	if (binding)
		bspt_binding_destroy(binding);
	if (me == -1)
		bspt_supervise(&crew);
	sigaction(SIGCHLD, &inherited, NULL);
	free(crew.children);
	if (me < -1) {
		munmap(crew.board, board_bytes(nprocs));
		return me + 1;
	}
	job->me = crew.first + me;
	job->nprocs = nprocs;
	job->supervised = true;
	job->board = crew.board;
	return 0;
}
