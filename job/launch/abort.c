// SPDX-License-Identifier: BSD-3-Clause
/* abort.c - ask the launcher to end the job. */

#include "handshake.h"

#include <signal.h>
#include <unistd.h>

enum { ABORT_S = 3 };

/* Written before the handler is there. */
static volatile sig_atomic_t status_of_end;

static void end_now(int signo)
{
	(void)signo;
	_exit(status_of_end);
}

bool bspj_has_launcher(const struct bspj_job *job)
{
	return job->launch && (!job->members || job->members->pid == getpid());
}

void bspj_launcher_abort(const struct bspj_job *job, int status)
{
	struct sigaction end = { .sa_handler = end_now };
	sigset_t set;

	/* A daemon of the launcher that has lost the others may never answer. */
	status_of_end = status;
	sigaction(SIGALRM, &end, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	alarm(ABORT_S);
	job->launch->abort(status);
}
