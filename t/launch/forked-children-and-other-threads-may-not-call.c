/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls in a child that a process has forked, and of a second thread during bsp_sync, are found and
 * harm nothing. */
#include "../lib/spmd.h"

#include <bsp_coll.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int x, y = 4711;
static bsp_size_t size;
static bsp_nprocs_t count;
static void *tag, *payload;

static void nothing(void) { }

static void call_begin(void) { bsp_begin(2); }
static void call_init(void) { bsp_init(nothing, 0, NULL); }
static void call_pid(void) { (void)bsp_pid(); }
static void call_time(void) { (void)bsp_time(); }
static void call_sync(void) { bsp_sync(); }
static void call_end(void) { bsp_end(); }
static void call_push_reg(void) { bsp_push_reg(&x, sizeof x); }
static void call_pop_reg(void) { bsp_pop_reg(&x); }
static void call_put(void) { bsp_put(0, &y, &x, 0, sizeof x); }
static void call_hpput(void) { bsp_hpput(0, &y, &x, 0, sizeof x); }
static void call_get(void) { bsp_get(0, &x, 0, &y, sizeof x); }
static void call_hpget(void) { bsp_hpget(0, &x, 0, &y, sizeof x); }
static void call_set_tagsize(void) { bsp_set_tagsize(&size); }
static void call_send(void) { bsp_send(0, NULL, &y, sizeof y); }
static void call_qsize(void) { bsp_qsize(&count, &size); }
static void call_get_tag(void) { bsp_get_tag(&size, NULL); }
static void call_move(void) { bsp_move(&x, sizeof x); }
static void call_hpmove(void) { (void)bsp_hpmove(&tag, &payload); }
static void call_read(void) { bsp_read(&x, 1); }
static void call_bcast(void) { bsp_bcast(0, &y, &x, sizeof x); }

static const struct {
	const char *name;
	void (*call)(void);
} calls[] = {
	{ "bsp_begin", call_begin },
	{ "bsp_init", call_init },
	{ "bsp_pid", call_pid },
	{ "bsp_time", call_time },
	{ "bsp_sync", call_sync },
	{ "bsp_end", call_end },
	{ "bsp_push_reg", call_push_reg },
	{ "bsp_pop_reg", call_pop_reg },
	{ "bsp_put", call_put },
	{ "bsp_hpput", call_hpput },
	{ "bsp_get", call_get },
	{ "bsp_hpget", call_hpget },
	{ "bsp_set_tagsize", call_set_tagsize },
	{ "bsp_send", call_send },
	{ "bsp_qsize", call_qsize },
	{ "bsp_get_tag", call_get_tag },
	{ "bsp_move", call_move },
	{ "bsp_hpmove", call_hpmove },
	{ "bsp_read", call_read },
	{ "bsp_bcast", call_bcast },
};

static int now;

/* In a child of this process; its status. */
static int in_child(void (*call)(void))
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		call();
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

/* The registration is the last that was looked up, so that the fast path of a put is open. */
static void calls_in_child(void)
{
	enter();
	bsp_pid_t me = bsp_pid();
	int value = (int)me;

	x = -1;
	publish(&x, sizeof x);
	bsp_put(right(), &value, &x, 0, sizeof x);
	if (me == 1)
		is_int(1 << 8, in_child(calls[now].call), "the child ends with status 1");
	bsp_sync();
	is_int((int)left(), x, "and what goes round goes round");
	bsp_put(right(), &value, &x, 0, sizeof x);
	bsp_sync();
	is_int((int)left(), x, "also afterwards");
	bsp_end();
}

static void call_after_end(void)
{
	enter();
	bool first = bsp_pid() == 0;

	bsp_end();
	if (first)
		is_int(1 << 8, in_child(call_begin), "the child ends with status 1");
}

/* A child that calls nothing of the library may go on, and exit. */
static void does_not_call(void)
{
	enter();
	publish(&x, sizeof x);
	is_int(0, in_child(nothing), "a child that calls nothing");
	fflush(stdout);
	pid_t child = fork();

	if (child == 0)
		exit(3);
	int status = -1;

	waitpid(child, &status, 0);
	is_int(3 << 8, status, "and one that exits");
	bsp_sync();
	bsp_end();
}

static void becomes_daemon(void)
{
	enter();
	publish(&x, sizeof x);
	if (bsp_pid() == 1 && daemon(1, 1) != 0)
		exit(9);
	bsp_sync();
	bsp_end();
}

/* ---- Threads -------------------------------------------------------------------------- */

static void *asks(void *unused)
{
	(void)unused;
	for (;;)
		bsp_qsize(&count, &size);
	return NULL;
}

/* The thread of main() sleeps, in the bsp_sync for which it has set out. */
static atomic_bool syncs;

static bool sleeps(pid_t task)
{
	char path[60], state = 'R';
	FILE *stat;

	snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)task);
	stat = fopen(path, "r");
	if (stat && fscanf(stat, "%*d %*s %c", &state) != 1)
		state = 'R';
	if (stat)
		fclose(stat);
	return state == 'S';
}

static void *puts_then(void *unused)
{
	(void)unused;
	while (!syncs || !sleeps(getpid()))
		;
	expect_site(), bsp_put(0, &y, &x, 0, sizeof x);
	return NULL;
}

static void with_thread(void *(*run)(void *))
{
	pthread_t thread;

	enter();
	publish(&x, sizeof x);
	if (bsp_pid() == 1)
		for (;;)
			pause();	/* so that process 0 stays in its bsp_sync */
	bsp_put(1, &y, &x, 0, sizeof x);
	expect_process(0);
	expect_superstep(1);
	if (pthread_create(&thread, NULL, run, NULL))
		bail("no thread");
	syncs = true;
	bsp_sync();
	bsp_end();
}

static void thread_asks(void)
{
	with_thread(asks);
}

static void thread_puts(void)
{
	with_thread(puts_then);
}

int main(void)
{
	char prefix[80];

	if (job_max_nprocs() < 2) {
		not_applicable("processes that others wait for");
		return done_testing();
	}
	for (now = 0; now < (int)(sizeof calls / sizeof *calls); now++) {
		lives_ok(calls_in_child, 2, "%s in a child", calls[now].name);
		snprintf(prefix, sizeof prefix, "%s: called in a process that process 1 has forked",
			 calls[now].name);
		ok(strstr(job_err(), prefix) && strstr(job_err(), "(process 1, superstep 1"),
		   "%s: it is said", prefix) ||
			(diag("%s", job_err()), 0);
	}
	lives_ok(call_after_end, 2, "bsp_begin in a child after bsp_end");
	ok(strstr(job_err(), "bsp_begin: called in a process that process 0 has forked") != NULL,
	   "it is said");
	lives_ok(does_not_call, 2, "children that do not call");
	is_str("", job_err(), "without a word");
	job_run(becomes_daemon, 2);
	ok(job_status() != 0, "daemon() in the SPMD part ends the job");
	ok(strstr(job_err(), "exited with status 0 before bsp_end (process 1") != NULL,
	   "and the process is named") ||
		(diag("%s", job_err()), 0);
	dies_ok(thread_asks, 2, "bsp_qsize: called by another thread",
		"a call of another thread during bsp_sync");
	dies_ok(thread_puts, 2, "bsp_put: called by another thread", "the fast path of a put");
	return done_testing();
}
