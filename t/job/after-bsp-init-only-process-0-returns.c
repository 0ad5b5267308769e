/* SPDX-License-Identifier: BSD-3-Clause */
/* After bsp_init main continues on one process, before the SPMD part and after it. */
#include "../lib/spmd.h"

#include <stdatomic.h>
#include <sys/mman.h>

static struct {
	atomic_int before;
	atomic_int inside;
	atomic_int after;
	atomic_int pid_after;
} *runs;

static void spmd(void)
{
	enter();
	runs->pid_after = -1;
	bsp_sync();
	atomic_fetch_add(&runs->inside, 1);
	bsp_pid_t pid = bsp_pid();

	bsp_end();
	atomic_fetch_add(&runs->after, 1);
	runs->pid_after = (int)pid;
}

static void program(void)
{
	bsp_init(spmd, 0, NULL);
	atomic_fetch_add(&runs->before, 1);
	spmd();
	atomic_fetch_add(&runs->after, 1);
}

static void program_with_status(void)
{
	program();
	exit(9);
}

static void run_on(int nprocs)
{
	memset(runs, 0, sizeof *runs);
	if (!lives_ok(program, nprocs, "a job of %d", nprocs))
		return;
	is_int(1, runs->before, "before the SPMD part there is one of %d", nprocs);
	is_int(nprocs, runs->inside, "in it there are %d", nprocs);
	is_int(2, runs->after, "one returns from bsp_end, and to main, of %d", nprocs);
	is_int(0, runs->pid_after, "it is process 0 of %d", nprocs);
}

/* bsp_init is announced, but the SPMD part is never reached: that is allowed. */
static void never_begins(void)
{
	bsp_init(spmd, 0, NULL);
}

static void null_function(void)
{
	bsp_init(NULL, 0, NULL);
}

static void twice(void)
{
	bsp_init(spmd, 0, NULL);
	bsp_init(spmd, 0, NULL);
}

static void after_begin(void)
{
	enter();
	bsp_init(spmd, 0, NULL);
	bsp_end();
}

int main(void)
{
	runs = mmap(NULL, sizeof *runs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	run_on(1);
	if (job_max_nprocs() >= 3)
		run_on(3);
	job_run(program_with_status, 0);
	is_int(9, job_status(), "the status of main on process 0 is that of the job");
	lives_ok(never_begins, 0, "bsp_init without bsp_begin");
	dies_ok(null_function, 0, "bsp_init: ", "bsp_init of NULL");
	dies_ok(twice, 0, "bsp_init: ", "bsp_init twice");
	dies_ok(after_begin, 0, "bsp_init: ", "bsp_init after bsp_begin");
	return done_testing();
}
