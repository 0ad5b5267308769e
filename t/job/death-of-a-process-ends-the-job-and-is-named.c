/* SPDX-License-Identifier: BSD-3-Clause */
/* A process killed or gone by _exit takes the job down, and is named. */
#include "../lib/spmd.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static int victim, deadly;
static bool others_compute;

/* How this process dies must be the system's doing, not a sanitizer's. */
static void die(void)
{
	if (!deadly)
		_exit(7);
	signal(deadly, SIG_DFL);
	kill(getpid(), deadly);
	for (;;)
		pause();
}

static void body(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	expect_process(victim);
	expect_superstep(2);
	enter();
	bsp_sync();
	bsp_sync();
	if ((int)bsp_pid() == victim)
		die();
	while (others_compute)
		pause();
	for (;;)
		bsp_sync();
}

static void kill_one(int pid, int sig, bool compute)
{
	char prefix[80];

	victim = pid;
	deadly = sig;
	others_compute = compute;
	snprintf(prefix, sizeof prefix, "bsp: killed by signal %d (%s)", sig, strsignal(sig));
	dies_ok(body, 3, sig ? prefix : "bsp", "process %d dies by %s, the others %s", pid,
		sig ? strsignal(sig) : "_exit(7)", compute ? "compute" : "synchronise");
}

int main(void)
{
	static const int signals[] = { SIGSEGV, SIGKILL, SIGABRT, SIGFPE, 0 };

	if (job_max_nprocs() < 3)
		skip_all("not applicable: one process has no peer that outlives it");
	for (int i = 0; i < 5; i++) {
		kill_one(2, signals[i], false);
		kill_one(0, signals[i], true);
	}
	kill_one(0, SIGKILL, false);
	kill_one(1, SIGKILL, true);
	return done_testing();
}
