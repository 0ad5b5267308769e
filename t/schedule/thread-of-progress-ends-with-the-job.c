/* SPDX-License-Identifier: BSD-3-Clause */
/* A job with BSP_PROGRESS=thread ends as any other: by bsp_end, abort, exit, errors; and it may
 * fork. */

/*
 * The thread of process 1 is busy in all of these: it has started a schedule that receives what
 * process 0 sends only when it starts the schedule as well.
 */

#include "../lib/relaxed.h"

#include <bsp_goal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 20 };

static char in[8], out[8] = "message";
static struct goal_schedule *ring;
static struct goal_request *run;

static void load_ring(void)
{
	struct goal_graph *g = goal_graph_create(bsp_nprocs(), bsp_pid());
	int source = goal_buffer(g), target = goal_buffer(g);
	size_t len;
	void *block;

	goal_recv(g, sizeof in, GOAL_AT(target, 0), left(), 0);
	goal_send(g, sizeof out, GOAL_AT(source, 0), right(), 0);
	block = goal_compile(g, &len);
	if (!block)
		bsp_abort("%s", goal_graph_error(g));
	ring = goal_load(block, len);
	free(block);
	goal_graph_destroy(g);
}

static void start_ring(void)
{
	void *buffers[] = { out, in };

	run = goal_start(ring, buffers);
}

static void enter_busy(void)
{
	enter();
	load_ring();
	if (bsp_pid() == 1)
		start_ring();
}

static void leave(void)
{
	if (bsp_pid() != 1)
		start_ring();
	goal_wait(run);
	is_str(out, in, "the message has come");
	goal_unload(ring);
	bsp_end();
}

static void nothing_else(void)
{
	enter_busy();
	leave();
}

/* The child has one thread and none of the locks; it may exit as it likes. */
static int fork_once(int how)
{
	pid_t child = fork();
	int status;

	if (child == 0 && how % 2)
		exit(how);
	if (child == 0)
		_exit(how);
	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void forks(void)
{
	enter_busy();
	for (int i = 0; bsp_pid() == 1 && i < FORKS; i++)
		is_int(i, fork_once(i), "a child ends as it wants");
	leave();
}

static void aborts(void)
{
	enter_busy();
	if (bsp_pid() == 1)
		bsp_abort("enough");
	leave();
}

static void exits(void)
{
	enter_busy();
	if (bsp_pid() == 1)
		exit(0);
	leave();
}

static void exits_with_status(void)
{
	enter_busy();
	if (bsp_pid() == 1)
		exit(7);
	leave();
}

static void dies(void)
{
	enter_busy();
	if (bsp_pid() == 1)
		kill(getpid(), SIGKILL);
	leave();
}

/* Process 1 computes for ever, and only its thread can find out. */
static void is_wronged(void)
{
	static char area[16];
	static char too_much[64];

	setenv("BSP_EAGER", "auto", 1);
	enter_relaxed();
	bsp_push_reg(area, bsp_pid() == 1 ? 16 : 64);
	bsp_sync();
	bsp_sync();
	load_ring();
	if (bsp_pid() == 1)
		start_ring();
	bsp_sync();
	expect_process(0);
	if (bsp_pid() == 0)
		expect_site(), bsp_put(1, too_much, area, 0, sizeof too_much);
	if (bsp_pid() == 1)
		bsp_sync();
	while (bsp_pid() == 1)
		sched_yield();
	bsp_sync();
	bsp_sync();
	leave();
}

int main(void)
{
	if (job_max_nprocs() < 2)
		skip_all("not applicable: one process has no peer to wait for");
	setenv("BSP_PROGRESS", "thread", 1);
	lives_ok(nothing_else, 2, "bsp_end");
	lives_ok(forks, 2, "forks");
	dies_ok(aborts, 2, "bsp_abort: enough", "bsp_abort");
	dies_ok(exits, 2, "bsp_end: was not called", "exit before bsp_end");
	dies_ok(exits_with_status, 2, "bsp", "exit with a status");
	dies_ok(dies, 2, "bsp", "a process is killed");
	if (getenv("BSP_EMULATE") && *getenv("BSP_EMULATE"))
		not_applicable("virtual time needs no thread");
	else
		dies_ok(is_wronged, 2, "bsp_put: offset 0 + 64 bytes is beyond",
			"an error that the thread finds");
	return done_testing();
}
