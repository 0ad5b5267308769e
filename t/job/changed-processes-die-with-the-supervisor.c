/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that have changed their user, or cleared the signal at the end of their parent, end
 * with the supervisor nevertheless, in every SPMD part. */
#include "../lib/spmd.h"

#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { OTHER = 65534 };

static const char *how;
static int parts;

static void become_other(void)
{
	/* process 0 can still signal to the supervisor */
	uid_t saved = bsp_pid() == 0 ? 0 : OTHER;

	if (setgroups(0, NULL) || setresgid(OTHER, OTHER, OTHER) ||
	    setresuid(OTHER, OTHER, saved))
		bail("the user cannot be changed");
}

static void change(void)
{
	int signo = SIGKILL;

	if (how[0] == 'u')
		become_other();
	else
		prctl(PR_SET_PDEATHSIG, 0);
	ok(prctl(PR_GET_PDEATHSIG, &signo) == 0 && signo == 0, "no signal is asked for");
}

static void kill_supervisor(pid_t first)
{
	if (how[0] == 'u' && seteuid(0))
		bail("the user cannot be changed back");
	kill(first, SIGKILL);
}

static void body(void)
{
	pid_t first = getpid();

	setenv("BSP_TAG_OUTPUT", parts % 2 ? "1" : "0", 1);
	for (int part = 1; part < parts; part++) {
		enter();
		bsp_sync();
		bsp_end();
	}
	enter();
	change();
	bsp_sync();
	if (bsp_pid() == 0)
		kill_supervisor(first);
	for (;;)
		pause();
}

/* job_run() waits until no process is left. */
static void one(const char *name, int n)
{
	how = name;
	parts = n;
	job_run(body, 3);
	is_int(128 + SIGKILL, job_status(), "the supervisor of part %d was killed: %s", n, how);
}

/* Over MPI there is one part, as MPI begins once. */
static int parts_most(void)
{
	const char *transport = getenv("BSP_TRANSPORT");

	return transport && strcmp(transport, "mpi") == 0 ? 1 : 3;
}

int main(void)
{
	if (job_max_nprocs() < 3)
		skip_all("not applicable: there is no supervisor of one process");
	for (int n = 1; n <= parts_most(); n++) {
		one("signal cleared", n);
		if (geteuid() == 0)
			one("user changed", n);
	}
	return done_testing();
}
