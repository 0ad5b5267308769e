/* SPDX-License-Identifier: BSD-3-Clause */
/* With BSP_PROGRESS=thread a schedule ends while the program computes; without, calls move it and
 * no thread is there. */

/*
 * A chain: each process receives from the one before, hands on, and then sets a flag of its own by
 * a local operation. A program that makes no call of the library sees the flag, if another process
 * moves the schedule on.
 */

#include "../lib/relaxed.h"

#include <bsp_goal.h>
#include <dirent.h>

enum { TURNS = 5 };

static const size_t sizes[] = { 8, 100000, 4 << 20 };
static size_t nbytes;
static unsigned char *data;
static uint64_t flag, yes;

/* Set by another thread while we look: no lock could help, as the schedule has none. */
__attribute__((no_sanitize("thread"))) static uint64_t look_at_flag(void)
{
	return *(volatile uint64_t *)&flag;
}

/* Buffers: the data, what the flag is set to, the flag. */
static void add_operations(struct goal_graph *g)
{
	int area = goal_buffer(g), source = goal_buffer(g), target = goal_buffer(g);
	int me = bsp_pid(), here = -1, sent = -1, set;

	if (me > 0)
		here = goal_recv(g, nbytes, GOAL_AT(area, 0), me - 1, 0);
	if (me + 1 < bsp_nprocs())
		sent = goal_send(g, nbytes, GOAL_AT(area, 0), me + 1, 0);
	set = goal_local(g, GOAL_COPY, GOAL_NONE, 8, GOAL_AT(target, 0), GOAL_AT(source, 0));
	if (here >= 0 && sent >= 0)
		goal_requires(g, sent, here);
	if (here >= 0 || sent >= 0)
		goal_requires(g, set, sent >= 0 ? sent : here);
}

static struct goal_schedule *load_chain(void)
{
	struct goal_graph *g = goal_graph_create(bsp_nprocs(), bsp_pid());
	struct goal_schedule *s;
	size_t len;
	void *block;

	add_operations(g);
	block = goal_compile(g, &len);
	if (!block)
		bsp_abort("%s", goal_graph_error(g));
	s = goal_load(block, len);
	free(block);
	goal_graph_destroy(g);
	return s;
}

static struct goal_request *start(struct goal_schedule *s, uint32_t seed)
{
	void *buffers[] = { data, &yes, &flag };

	flag = 0;
	yes = 4711;
	fill(data, nbytes, bsp_pid() == 0 ? seed : 0);
	return goal_start(s, buffers);
}

static void allocate(void)
{
	data = malloc(nbytes);
	if (!data)
		bail("no memory");
}

static void computes(void)
{
	struct goal_schedule *s;
	struct goal_request *f;
	long faults = 0;

	enter();
	allocate();
	s = load_chain();
	for (uint32_t turn = 1; turn <= TURNS; turn++) {
		f = start(s, turn);
		while (look_at_flag() != 4711)
			sched_yield();
		goal_wait(f);
		faults += wrong(data, nbytes, turn);
		bsp_sync();
	}
	is_int(0, faults, "all bytes have come");
	goal_unload(s);
	bsp_end();
	free(data);
}

static int threads(void)
{
	DIR *d = opendir("/proc/self/task");
	int n = -2;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

/* Libraries of networks have threads of their own. */
static int threads_before;

static void calls(void)
{
	struct goal_schedule *s;
	struct goal_request *f;
	long faults = 0;

	enter();
	threads_before = threads();
	allocate();
	s = load_chain();
	for (uint32_t turn = 1; turn <= TURNS; turn++) {
		f = start(s, turn);
		if (turn % 2)
			goal_wait(f);
		while (turn % 2 == 0 && !goal_test(&f))
			sched_yield();
		is_int(4711, (long long)flag, "the flag is set");
		faults += wrong(data, nbytes, turn);
	}
	is_int(0, faults, "all bytes have come");
	is_int(threads_before, threads(), "no thread has come");
	goal_unload(s);
	bsp_end();
	free(data);
}

int main(void)
{
	const char *network = getenv("BSP_EMULATE");

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		nbytes = sizes[i];
		for (int n = 1; n <= 4 && n <= job_max_nprocs(); n++) {
			under("BSP_PROGRESS", "calls", calls, n, "calls move it");
			if (network && *network)
				not_applicable("virtual time needs no thread");
			else
				under("BSP_PROGRESS", "thread", computes, n,
				      "it ends without a call");
		}
	}
	return done_testing();
}
