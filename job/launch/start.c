// SPDX-License-Identifier: BSD-3-Clause
/* start.c - the first moments of a process that is forked, and what its supervisor has for it. */

#include "start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

size_t bspj_status_table_bytes(int nprocs)
{
	return sizeof(struct bspj_status_table) + nprocs * sizeof(struct bspj_status);
}

struct bspj_child *bspj_children_create(int nprocs)
{
	struct bspj_child *children = calloc(nprocs, sizeof(*children));

	for (int p = 0; children && p < nprocs; p++)
		children[p] = (struct bspj_child){ .out = -1, .err = -1 };
	return children;
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

bool bspj_follow(pid_t supervisor)
{
	return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == supervisor;
}
