/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for deadlocks over several nodes pauses after a wave, however slow that one was. */

#include "job/lifeline/lifeline.h"

#include "../lib/tap.h"

static uint64_t now_ms;

static uint64_t fake_now_ns(void)
{
	return now_ms * 1000000;
}

#define bspt_now_ns fake_now_ns
#include "job/lifeline/lifeline_deadlock.c"
#undef bspt_now_ns

#include <stdlib.h>

enum { LOOK_MS = 100 };

static int ends[2];		/* of the line to the other node: of process 0, and of that node */

/* As many waves as have begun since the last call. */
static int asked(void)
{
	int n = 0;

	for (char byte; recv(ends[1], &byte, 1, MSG_DONTWAIT) == 1;)
		n += byte == BSPJ_LIFELINE_ASK;
	return n;
}

/* The process of the other node waits, in its first turn, and has neither sent nor received. */
static void answer(struct bspj_line *line)
{
	for (int i = 0; i < DIGITS; i++) {
		bool is_one = i == DIGITS_EACH - 1 || i == 4 * DIGITS_EACH - 1;

		bspj_lifeline_takes_digit(line, is_one ? 'B' : 'A');
	}
}

/* Looks each millisecond before @end: how many waves began. */
static int waves_until(struct bspj_lifeline *l, uint64_t end)
{
	for (; now_ms < end; now_ms++)
		if (bspj_lifeline_sees_deadlock(l))
			bail("a deadlock before two waves are over");
	return asked();
}

int main(void)
{
	static int node[2] = { 0, 1 };
	struct bspj_status_table *table = calloc(1, sizeof(*table) + 2 * sizeof(table->rank[0]));
	struct bspt_wire wire = { .nprocs = 2, .node = node, .nnodes = 2 };
	struct bspj_job job = { .nprocs = 2, .wire = &wire, .table = table };
	struct bspj_line line = { .peer = 1 };
	struct bspj_lifeline l = { .job = &job, .parent = -1, .nlines = 1, .lines = &line,
				   .watchdog = { .table = table, .nprocs = 2, .node = node,
						 .look_ms = LOOK_MS } };

	if (!table || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		bail("no memory or no sockets");
	line.fd = ends[0];
	atomic_store(&table->rank[0].turn, 1);
	now_ms = 1000;
	is_int(1, waves_until(&l, 1001), "a wave begins");
	is_int(0, waves_until(&l, 1000 + 5 * LOOK_MS), "no other begins before it is over");
	answer(&line);
	is_int(0, waves_until(&l, 1000 + 6 * LOOK_MS), "nor in a pause after it");
	is_int(1, waves_until(&l, 1001 + 6 * LOOK_MS), "but when that is over");
	answer(&line);
	ok(bspj_lifeline_sees_deadlock(&l), "two waves that saw the same are a deadlock");
	is_int(0, asked(), "which asks no more");
	free(table);
	return done_testing();
}
