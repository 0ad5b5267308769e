/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes of several nodes that wait in a counting barrier, which no chunk ends, are a deadlock
 * only if another one waits within a step of the same epoch, on whatever node. */

#include "job/lifeline/lifeline.h"

#include "../lib/tap.h"

static uint64_t now_ms = 1000;

static uint64_t fake_now_ns(void)
{
	return now_ms * 1000000;
}

#define bspt_now_ns fake_now_ns
#include "job/lifeline/lifeline_deadlock.c"
#undef bspt_now_ns

#include <stdlib.h>

/* Two nodes of two processes, each node with a table of its own. */
enum { PROCS = 4, NODES = 2, LOOK_MS = 100 };

static int node[PROCS] = { 0, 0, 1, 1 };
static struct bspt_wire wire = { .nprocs = PROCS, .node = node, .nnodes = NODES };
static struct bspj_job job[NODES];
static struct bspj_line line[NODES];
static struct bspj_lifeline lifeline[NODES];

static void open_nodes(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		bail("no sockets");
	for (int k = 0; k < NODES; k++) {
		struct bspj_status_table *table = calloc(1, sizeof(*table) +
							 PROCS * sizeof(table->rank[0]));

		if (!table)
			bail("no memory");
		job[k] = (struct bspj_job){ .nprocs = PROCS, .me = 2 * k, .wire = &wire,
					    .table = table };
		line[k] = (struct bspj_line){ .peer = k ? 0 : 2, .fd = ends[k] };
		lifeline[k] = (struct bspj_lifeline){
			.job = &job[k], .parent = k ? 0 : -1, .nlines = 1, .lines = &line[k],
			.watchdog = { .table = table, .nprocs = PROCS, .node = node, .here = k,
				      .look_ms = LOOK_MS },
		};
	}
}

/* The first processes of both nodes have what has come for them. */
static void exchange(void)
{
	char byte;

	while (recv(line[1].fd, &byte, 1, MSG_DONTWAIT) == 1)
		bspj_lifeline_answer_ask(&lifeline[1]);
	while (recv(line[0].fd, &byte, 1, MSG_DONTWAIT) == 1)
		if (!bspj_lifeline_takes_digit(&line[0], byte))
			bail("%c is no digit", byte);
}

/* After two waves. */
static bool is_deadlock(void)
{
	bool found = false;

	lifeline[0].deadlock = (struct bspj_deadlock){ .looked_ns = 0 };
	for (int i = 0; i < 2; i++) {
		now_ms += 2 * LOOK_MS;
		if (found || bspj_lifeline_sees_deadlock(&lifeline[0]))
			bail("a deadlock before two waves are over");
		exchange();
		found = bspj_lifeline_sees_deadlock(&lifeline[0]);
		if (lifeline[0].is_wave_open)
			bail("a node does not answer");
	}
	return found;
}

/* Process @p waits in a counting barrier, or within a step. */
static void waits(int p, bool in_barrier, uint32_t epoch)
{
	struct bspj_status *status = &job[node[p]].table->rank[p];

	atomic_store(&status->turn, 5);
	atomic_store(&status->sent, 7);
	atomic_store(&status->received, 7);
	atomic_store(&status->epoch, 2 * epoch | (in_barrier ? 0 : BSPJ_OUTSIDE_SYNC));
	atomic_store(&status->state,
		     in_barrier ? BSPJ_SYNCING | BSPJ_AWAITS_BARRIER << BSPJ_AWAITS_SHIFT :
				  BSPJ_READING);
}

/* Epochs of all processes, and which of them are in a barrier: bit p of @in_barrier. */
static bool wait_in(const uint32_t *epoch, unsigned int in_barrier)
{
	for (int p = 0; p < PROCS; p++)
		waits(p, in_barrier >> p & 1, epoch[p]);
	return is_deadlock();
}

int main(void)
{
	static const uint32_t same[] = { 3, 3, 3, 3 }, later[] = { 3, 3, 2, 3 };
	static const uint32_t last = INT32_MAX, wrapped[] = { last, 0, last, 0 };

	open_nodes();
	ok(wait_in(same, 0), "all wait within a step");
	ok(!wait_in(same, 15), "all wait in a barrier, which may be over");
	for (int p = 0; p < PROCS; p++)
		ok(wait_in(same, 15u & ~(1u << p)), "but not if process %d has not come to it", p);
	for (int p = 0; p < PROCS; p++)
		ok(wait_in(same, 1u << p), "nor if process %d alone waits in it", p);
	ok(!wait_in(later, 1 << 2), "one waits in a barrier that is over for all others");
	ok(!wait_in(later, 1 << 2 | 1 << 3), "and another one in the next barrier");
	ok(!wait_in(later, 1 << 2 | 1 << 0), "of this or that node");
	ok(wait_in(later, 1 << 3), "none waits in a barrier that may be over");
	ok(!wait_in(wrapped, 1 << 0), "epochs begin again: a barrier of the last one is over");
	ok(wait_in(wrapped, 1 << 1), "and one of the first is not");
	for (int k = 0; k < NODES; k++)
		free(job[k].table);
	return done_testing();
}
