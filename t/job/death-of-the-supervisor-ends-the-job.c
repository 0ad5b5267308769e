/* SPDX-License-Identifier: BSD-3-Clause */
/* When the process that was started first is killed, or asked to end, no process stays behind. */
#include "../lib/spmd.h"

#include <signal.h>
#include <unistd.h>

static int deadly;
static bool in_sync;

/*
 * The job's first process is the parent of all others. job_run() waits until no process is left.
 */
static void body(void)
{
	pid_t first = getpid();

	enter();
	bsp_sync();
	if (bsp_pid() == 1)
		kill(first, deadly);
	while (!in_sync)
		pause();
	for (;;)
		bsp_sync();
}

static void one(int sig, bool sync)
{
	deadly = sig;
	in_sync = sync;
	job_run(body, 3);
	ok(job_status() != 0, "the job has failed: %s while %s", strsignal(sig),
	   sync ? "synchronising" : "computing");
}

int main(void)
{
	if (job_max_nprocs() < 3)
		skip_all("not applicable: there is no supervisor of one process");
	/* The caller may ignore these signals, as nohup does; children then would, too. */
	signal(SIGHUP, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	one(SIGKILL, false);
	is_int(128 + SIGKILL, job_status(), "killed as it was");
	one(SIGKILL, true);
	one(SIGTERM, false);
	one(SIGTERM, true);
	one(SIGINT, true);
	one(SIGHUP, false);
	return done_testing();
}
