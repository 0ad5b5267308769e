/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that has called unshare(CLONE_NEWPID) makes process 0 the init of the others, and the
 * kernel ends them with it: the job ends with a message. */
#include "../lib/spmd.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

static void in_a_namespace(void)
{
	if (unshare(CLONE_NEWPID) && unshare(CLONE_NEWUSER | CLONE_NEWPID))
		_exit(EXIT_SUCCESS);
	bsp_begin(bsp_nprocs());
	bsp_end();
}

static bool are_there(void)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(unshare(CLONE_NEWPID) && unshare(CLONE_NEWUSER | CLONE_NEWPID));
	return waitpid(child, &status, 0) == child && status == 0;
}

int main(void)
{
	if (job_launched() || job_max_nprocs() < 32)
		skip_all("not applicable: the program starts no processes");
	if (!are_there())
		skip_all("no namespaces of processes here");
	for (int n = 2; n <= 32; n *= 2) {
		job_run(in_a_namespace, n);
		ok(job_status() != 0, "%d processes: the job ends, and not well", n);
		ok(strncmp(job_err(), "bsp", 3) == 0, "with a message");
	}
	return done_testing();
}
