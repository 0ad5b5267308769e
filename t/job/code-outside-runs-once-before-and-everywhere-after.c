/* SPDX-License-Identifier: BSD-3-Clause */
/* Code before bsp_begin runs once, code after bsp_end runs on every process. */
#include "../lib/spmd.h"

#include <stdatomic.h>
#include <sys/mman.h>

static struct {
	atomic_int before;
	atomic_int inside;
	atomic_int after;
} *runs;

static void body(void)
{
	int variable = 0;

	atomic_fetch_add(&runs->before, 1);
	variable = 4711;
	enter();
	atomic_fetch_add(&runs->inside, 1);
	is_int(4711, variable, "what was set before is there on every process");
	bsp_end();
	atomic_fetch_add(&runs->after, 1);
	variable++;
	is_int(4712, variable, "after bsp_end the program goes on");
}

static void run_on(int nprocs)
{
	memset(runs, 0, sizeof *runs);
	if (!lives_ok(body, nprocs, "a job of %d", nprocs))
		return;
	is_int(1, runs->before, "before bsp_begin once, for %d processes", nprocs);
	is_int(nprocs, runs->inside, "inside on each of %d processes", nprocs);
	is_int(nprocs, runs->after, "after bsp_end on each of %d processes", nprocs);
}

static void fails_afterwards(void)
{
	enter();
	bsp_pid_t pid = bsp_pid();

	bsp_end();
	exit(pid == 1 ? 5 : 0);
}

static void ends_early_afterwards(void)
{
	enter();
	bsp_pid_t pid = bsp_pid();

	bsp_end();
	if (pid == 0)
		exit(0);
	is_int(2, (long)bsp_nprocs(), "bsp_nprocs still answers after bsp_end");
}

int main(void)
{
	runs = mmap(NULL, sizeof *runs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	run_on(1);
	if (job_max_nprocs() < 3)
		return done_testing();
	run_on(3);
	lives_ok(ends_early_afterwards, 2, "each process may exit in its own time after bsp_end");
	job_run(fails_afterwards, 3);
	is_int(5, job_status(), "a status that is not 0 after bsp_end is that of the job");
	is_str("", job_err(), "and is no error of the library");
	return done_testing();
}
