/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes start numbered, one of them may report a fault, the job ends as they end. */
#include "../lib/tap.h"
#include "job/job.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct bspj_words words = {
	.begin = "bsp_begin", .end = "bsp_end", .step = "superstep",
	.doing = { "starting", "computing", "syncing", "reading", "ending", "ended" },
};
static struct bspj_start how = { .words = &words };
static struct bspj_job job;

static void start(int nprocs)
{
	int err;

	how.nprocs = nprocs;
	err = bspj_start(&how, &job);
	if (err)
		bail("bspj_start: %s", strerror(-err));
	tap_process(job.me);
}

_Noreturn static void end(int status)
{
	atomic_store(&job.table->rank[job.me].state, BSPJ_ENDED);
	exit(status);
}

_Noreturn static void sleep_for_good(void)
{
	for (;;)
		pause();
}

static void numbered(void)
{
	start(5);
	is_int(5, job.nprocs, "the number of processes is as asked");
	ok(job.supervised, "they are supervised");
	is_int(-1, wait(NULL), "they have no children");
	is_int(ECHILD, errno, "none at all");
	is_int(BSPJ_STARTING, (int)atomic_load(&job.table->rank[job.me].state),
	       "they begin as starting");
	is_int(job.me == 0, job.me == 0 || read(STDIN_FILENO, &how, 1) != 0,
	       "only process 0 has an input");
	end(EXIT_SUCCESS);
}

static void alone(void)
{
	pid_t before = getpid();

	start(1);
	is_int(before, getpid(), "one process without a supervisor is the one that was");
	ok(!job.supervised, "it is not supervised");
	ok(bspj_claim_fault(&job), "it may report a fault");
	is_int(0, (int)atomic_load(&job.table->rank[0].step), "it has a status");
}

static void alone_and_supervised(void)
{
	pid_t before = getpid();

	how.supervise = true;
	start(1);
	is_int(before, getppid(), "one process with a supervisor is its child");
	ok(job.supervised, "it is supervised");
	end(7);
}

static _Atomic int *shared_counts(void)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		bail("no shared memory");
	return at;
}

static void one_claims(void)
{
	_Atomic int *counts = shared_counts();

	start(8);
	if (bspj_claim_fault(&job)) {
		atomic_fetch_add(&counts[0], 1);
		ok(bspj_claim_fault(&job), "a process that has claimed may claim again");
	}
	atomic_fetch_add(&counts[1], 1);
	while (atomic_load(&counts[1]) < 8)
		sched_yield();
	is_int(1, atomic_load(&counts[0]), "one of all claims the right to report");
	end(EXIT_SUCCESS);
}

static void claimant_fails(void)
{
	_Atomic int *counts = shared_counts();

	start(4);
	if (job.me != 2) {
		while (!atomic_load(&counts[0]))
			sched_yield();
		if (bspj_claim_fault(&job))
			fprintf(stderr, "a second report\n");
		sleep_for_good();
	}
	bspj_claim_fault(&job);
	atomic_store(&counts[0], 1);
	fprintf(stderr, "the only report\n");
	exit(9);
}

static void all_well(void)
{
	start(4);
	end(EXIT_SUCCESS);
}

static void status_of_0(void)
{
	start(3);
	end(20 + job.me);
}

static void status_of_2(void)
{
	start(4);
	end(job.me >= 2 ? 20 + job.me : EXIT_SUCCESS);
}

static void killed(void)
{
	start(4);
	atomic_store(&job.table->rank[job.me].step, 14);
	atomic_store(&job.table->rank[job.me].site, "prog.c:12");
	atomic_store(&job.table->rank[job.me].state, BSPJ_COMPUTING);
	if (job.me == 2)
		raise(SIGKILL);
	sleep_for_good();
}

static void left_early(void)
{
	start(3);
	if (job.me == 1)
		exit(EXIT_SUCCESS);
	sleep_for_good();
}

static void killed_after_its_end(void)
{
	start(3);
	if (job.me == 1) {
		atomic_store(&job.table->rank[1].state, BSPJ_ENDED);
		raise(SIGKILL);
	}
	end(EXIT_SUCCESS);
}

static void hangs(void)
{
	how.watchdog_s = 0.05;
	start(2);
	atomic_store(&job.table->rank[job.me].state, job.me ? BSPJ_SYNCING : BSPJ_COMPUTING);
	sleep_for_good();
}

static void tagged(void)
{
	how.tag_output = true;
	start(3);
	printf("line %d\nno newline", job.me);
	end(EXIT_SUCCESS);
}

/* Lines in @text that are @line. */
static int lines(const char *text, const char *line)
{
	size_t len = strlen(line);
	int n = 0;

	for (const char *at = text; (at = strstr(at, line)); at += len)
		n += (at == text || at[-1] == '\n') && at[len] == '\n';
	return n;
}

static void check_deaths(void)
{
	job_run(killed, 0);
	is_int(128 + SIGKILL, job_status(), "a process is killed: the status says by what");
	ok(strstr(job_err(), "signal 9") && strstr(job_err(), "process 2") &&
	   strstr(job_err(), "superstep 14") && strstr(job_err(), "prog.c:12"),
	   "and a message who, when and where");
	diag("%.*s", (int)strcspn(job_err(), "\n"), job_err());
	job_run(left_early, 0);
	is_int(EXIT_FAILURE, job_status(), "a process exits with 0 before its end: a failure");
	ok(strstr(job_err(), "process 1"), "and a message says who");
	job_run(killed_after_its_end, 0);
	is_int(128 + SIGKILL, job_status(),
	       "a process is killed after its end: the status says so");
	job_run(claimant_fails, 0);
	is_int(9, job_status(), "who reports a fault gives the status");
	is_str("the only report\n", job_err(), "and there is no other message");
	job_run(hangs, 0);
	is_int(EXIT_FAILURE, job_status(), "the watchdog ends a job that hangs");
	ok(strstr(job_err(), "no progress"), "and says so");
	ok(strstr(job_err(), "process 0") && strstr(job_err(), "process 1"),
	   "and where each process is");
}

int main(void)
{
	lives_ok(numbered, 5, "five processes");
	lives_ok(alone, 1, "one process");
	job_run(alone_and_supervised, 0);
	is_int(7, job_status(), "the status of a supervised process is that of the job");
	lives_ok(one_claims, 8, "eight claims");
	lives_ok(all_well, 4, "all end with 0: so does the job");
	job_run(status_of_0, 0);
	is_int(20, job_status(), "the status of process 0 counts first");
	job_run(status_of_2, 0);
	is_int(22, job_status(), "else the first that is not 0");
	check_deaths();
	job_run(tagged, 0);
	is_int(1, lines(job_out(), "[2] line 2"), "tagged output says whose line it is");
	is_int(1, lines(job_out(), "[0] no newline"), "also when it has no newline");
	return done_testing();
}
