/* SPDX-License-Identifier: BSD-3-Clause */
/* A job in which all processes wait, and nothing is on its way, ends with where each waits; one
 * with a process that can go on does not, however long that takes. */

/*
 * The looks are a quarter of warn of BSP_WAIT apart, so that a pause of PAUSE_MS has many. They
 * must find a process in a certain place, so bodies wait until the status of another says that
 * it waits, or the kernel that it is stopped.
 */

#include "bsplib/core/state.h"

#include "bsp_coll.h"
#include "../lib/relaxed.h"
#include "../lib/runs.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE_MS = 700 };

static int x, y;

/* ---- Deadlocks ------------------------------------------------------------------- */

static void read_too_much(void)
{
	int to;

	enter_relaxed();
	publish(&x, sizeof x);
	to = (bsp_pid() + 1) % bsp_nprocs();
	bsp_put(to, &y, &x, 0, sizeof y);
	bsp_sync();
	bsp_read(&x, 2);
	bsp_end();
}

static void some_expect(void)
{
	enter_relaxed();
	publish(&x, sizeof x);
	if (bsp_pid() == 0)
		bsp_expect(1);
	bsp_read(&x, 1);
	bsp_end();
}

/* Process 1 answers at the end of its superstep, which it does not come to. */
static void one_gets(void)
{
	enter_relaxed();
	publish(&x, sizeof x);
	if (bsp_pid() == 0) {
		bsp_get(1, &x, 0, &y, sizeof y);
		bsp_sync();
	}
	bsp_read(&x, 1);
	bsp_end();
}

static void one_serves(void)
{
	enter_relaxed();
	publish(&x, sizeof x);
	if (bsp_pid() == 2) {
		bsp_serve(&x, 1);
		bsp_sync();
	}
	bsp_read(&x, 1);
	bsp_end();
}

/* Process 0 receives what no other sends; the schedule is right, but not started there. */
static void waits_for_a_schedule(void)
{
	struct goal_schedule *s;
	struct goal_graph *g;

	enter_relaxed();
	publish(&x, sizeof x);
	g = graph();
	if (bsp_pid() == 0)
		goal_recv(g, sizeof y, HERE(goal_buffer(g), 0), 1, 0);
	else if (bsp_pid() == 1)
		goal_send(g, sizeof y, HERE(goal_buffer(g), 0), 0, 0);
	s = load(g);
	if (bsp_pid() == 0)
		goal_wait(goal_start(s, (void *[]){ &y }));
	bsp_read(&x, 1);
	bsp_end();
}

static void is_stuck(void (*body)(void), const char *place)
{
	bool passed;

	job_run(body, 3);
	passed = is_int(1, job_status(), "a deadlock ends the job");
	passed &= ok(strstr(job_err(), "bsp: all processes wait, and nothing is on its way; of 3 "
				       "processes: "), "which says so");
	passed &= ok(strstr(job_err(), place), "and where it is: %s", place);
	if (!passed)
		diag("%s", job_err());
}

/* ---- Processes that can go on ------------------------------------------------------- */

static void let_pass(void)
{
	struct timespec t = { PAUSE_MS / 1000, PAUSE_MS % 1000 * 1000000L };

	while (nanosleep(&t, &t) < 0)
		;
}

static void await_waiting(int p)
{
	while (!(atomic_load(&bspi.job.table->rank[p].turn) & 1))
		sched_yield();
}

/* Process @from puts, and all read it; after a while, in which the others wait. */
static void put_late(int from)
{
	for (int q = 0; q < bsp_nprocs() && bsp_pid() == from; q++)
		bsp_put(q, &y, &x, 0, sizeof y);
	bsp_sync();
	bsp_read(&x, 1);
	bsp_end();
}

static void one_computes(void)
{
	uint64_t until;

	enter_relaxed();
	publish(&x, sizeof x);
	until = bspt_now_ns() + PAUSE_MS * UINT64_C(1000000);
	while (bsp_pid() == 0 && bspt_now_ns() < until)
		;
	put_late(0);
}

static void one_reads_a_pipe(void)
{
	int fds[2];
	char byte;
	pid_t child;

	enter_relaxed();
	publish(&x, sizeof x);
	if (bsp_pid() == 0) {
		if (pipe(fds) < 0 || (child = fork()) < 0)
			bail("no pipe");
		if (child == 0) {
			let_pass();
			_exit(write(fds[1], "x", 1) != 1);
		}
		ok(read(fds[0], &byte, 1) == 1, "a process reads from a pipe for a while");
	}
	put_late(0);
}

static bool is_stopped(int pid)
{
	char path[40], text[256] = "";
	const char *state;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (!file || !fgets(text, sizeof text, file))
		bail("%s cannot be read", path);
	fclose(file);
	state = strrchr(text, ')');
	return state && state[2] == 'T';
}

static int os_pid_of(int p)
{
	return atomic_load(&bspi.job.table->rank[p].os_pid);
}

/* Process @p is stopped where it waits, and continued after a while. */
static void stop_for_a_while(int p)
{
	int pid = os_pid_of(p);
	pid_t child;

	await_waiting(p);
	kill(pid, SIGSTOP);
	while (!is_stopped(pid))
		sched_yield();
	child = fork();
	if (child < 0)
		bail("no process");
	if (child > 0)
		return;
	let_pass();
	kill(pid, SIGCONT);
	_exit(0);
}

/* Process 1 is stopped while the put that it waits for is on its way; the others wait for it. */
static void stopped_before_a_message(void)
{
	enter_relaxed();
	publish(&x, sizeof x);
	if (bsp_pid() == 0) {
		stop_for_a_while(1);
		bsp_put(1, &y, &x, 0, sizeof y);
	}
	bsp_sync();
	if (bsp_pid() == 1) {
		bsp_read(&x, 1);
		bsp_put(0, &y, &x, 0, sizeof y);
		bsp_put(2, &y, &x, 0, sizeof y);
	}
	bsp_sync();
	if (bsp_pid() != 1)
		bsp_read(&x, 1);
	bsp_end();
}

/* Process 1 is stopped in a barrier that is over then, without a message, and puts after it. */
static void stopped_in_a_barrier(void)
{
	enter();
	publish(&x, sizeof x);
	bsp_set_sync(BSP_RELAXED);
	if (bsp_pid() == 0) {
		await_waiting(2);
		stop_for_a_while(1);
	}
	bsp_sync();
	put_late(1);
}

/* It has nothing to do, while process 0 computes. */
static void stopped_beside_one_that_computes(void)
{
	enter_relaxed();
	publish(&x, sizeof x);
	if (bsp_pid() == 0) {
		stop_for_a_while(1);
		let_pass();
	}
	put_late(0);
}

static void goes_on(void (*body)(void), const char *what)
{
	bool passed;

	job_run(body, 3);
	passed = is_int(0, job_status(), "a job goes on: %s", what);
	passed &= ok(!strstr(job_err(), "on its way"), "which is no deadlock");
	if (!passed)
		diag("%s", job_err());
}

/* ---- Over each transport -------------------------------------------------------------- */

static void check_some(void)
{
	is_stuck(read_too_much, "wanted, 1 present (process 2, superstep ");
	is_stuck(waits_for_a_schedule, "waiting in goal_wait at ");
	goes_on(stopped_before_a_message, "a process is stopped, and a message waits for it");
}

static void check_all(void)
{
	static const char *const barriers[] = { "counting", "dissemination", "nbx" };

	check_some();
	is_stuck(some_expect, "waiting in bsp_expect at ");
	is_stuck(one_gets, "in bsp_sync, waiting for 4 bytes that its gets asked for (process 0, ");
	is_stuck(one_serves, "waiting in bsp_serve at ");
	goes_on(one_computes, "a process computes");
	goes_on(one_reads_a_pipe, "a process waits for a file");
	goes_on(stopped_beside_one_that_computes, "a process is stopped, and another computes");
	for (int i = 0; i < 3; i++) {
		setenv("BSP_BARRIER", barriers[i], 1);
		goes_on(stopped_in_a_barrier, "a process is stopped in a barrier that is over");
	}
	unsetenv("BSP_BARRIER");
}

static bool is_there(const char *name)
{
	const struct bspt_ops *ops = bspt_find(name);
	char why[256];

	return ops && ops->accepts("", why, sizeof why) == 0 && ops->probe(3, why, sizeof why) == 0;
}

int main(void)
{
	static const char *const names[] = { "shm", "ofi", "mpi", "mix" };
	const char *only = getenv("BSP_TRANSPORT");

	if (job_launched())
		skip_all("not applicable: processes of a launcher are no children of a supervisor");
	setenv("BSP_WAIT", "warn:0.4", 1);
	if (only) {
		check_all();
		return done_testing();
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!is_there(names[i]))
			continue;
		diag("transport %s", names[i]);
		setenv("BSP_TRANSPORT", names[i], 1);
		if (strcmp(names[i], "shm") == 0)
			check_all();
		else
			check_some();
	}
	diag("an emulated network that delivers in a random order");
	unsetenv("BSP_TRANSPORT");
	setenv("BSP_EMULATE", "gigabit", 1);
	setenv("BSP_SHUFFLE", "7", 1);
	check_all();
	return done_testing();
}
