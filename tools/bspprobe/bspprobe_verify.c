// SPDX-License-Identifier: BSD-3-Clause
/* bspprobe_verify.c - run each algorithm of each operation, and compare with the models. */

/*
 * As the paper's Figures 2 to 11: over sizes for all processes, and at one size over numbers of
 * processes (2, 3, 4, 6, 8, 12, ... and all). The first processes of the job then make the
 * operation. Where the transport runs schedules, all processes also use the algorithms that
 * multicast, and their barriers are spread over two networks, if it has them. Where there are
 * several nodes of several processes, barriers of all also send one message to and from a node.
 */

#include "bspprobe.h"

#include "bsp.h"
#include "bsplib/collective/coll.h"
#include "bsplib/core/state.h"
#include "bsplib/schedule/schedule.h"
#include "bsplib/sync/barrier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	FIGURE_BYTES = 1 << 16,	/* the size at which the number of processes is varied */
	ROWS_MOST = 1 << 20,
};

/* Is the operation asked for? */
static bool probe_verify_is_wanted(const char *only, enum goal_kind kind)
{
	char list[PROBE_TEXT], *at = list, *name;

	if (!only)
		return true;
	snprintf(list, sizeof(list), "%s", only);
	while ((name = strsep(&at, ",")))
		if (goal_kind_of(name) == (int)kind)
			return true;
	return false;
}

static void probe_verify_append(struct probe_rows *rows, const struct probe_row *row)
{
	if (rows->n == rows->room) {
		rows->room = rows->room ? 2 * rows->room : 256;
		rows->at = realloc(rows->at, rows->room * sizeof(*rows->at));
		if (!rows->at)
			bsp_abort("bspprobe: no memory");
	}
	rows->at[rows->n++] = *row;
}

static void verify_task(struct measure *m, struct probe_result *r, const struct goal_task *task,
			int nprocs)
{
	struct probe_row row = { .task = *task, .nprocs = nprocs };

	row.predicted = bspi_model_tune(&r->plogp, &row.task, nprocs);
	if (isfinite(row.predicted) && measure_task(m, &row.task, nprocs, 1, &row.took))
		probe_verify_append(&r->rows, &row);
}

/* A multicast is for all processes of the job. */
static bool verify_multicasts(const struct measure *m, int nprocs)
{
	return bspi_offload_is_on(BSPI_OFFLOAD_ALL) && bspi.net->multicasts && nprocs == m->nprocs;
}

static void verify_barrier(struct measure *m, struct probe_result *r, struct goal_task task,
			   int nprocs)
{
	bool offloaded = bspi_offload_is_on(BSPI_OFFLOAD_ALL);
	bool multicasts = verify_multicasts(m, nprocs) && task.algorithm->has_release;
	int networks = offloaded && bspi.net->networks == 2 ? 2 : 1;
	int node = nprocs == m->nprocs ? bspi_barrier_node_size() : 0;

	for (task.networks = 1; task.networks <= networks; task.networks++) {
		task.release = GOAL_RELEASE_TREE;
		verify_task(m, r, &task, nprocs);
		task.release = GOAL_RELEASE_MULTICAST;
		if (multicasts)
			verify_task(m, r, &task, nprocs);
	}
	task.networks = 1;
	task.release = GOAL_RELEASE_TREE;
	task.node = node;
	if (node <= 1 || node >= nprocs)
		return;
	verify_task(m, r, &task, nprocs);
	task.release = GOAL_RELEASE_MULTICAST;
	if (multicasts)
		verify_task(m, r, &task, nprocs);
}

/* All algorithms of an operation. */
static void verify_point(struct measure *m, struct probe_result *r, struct goal_task task,
			 int nprocs)
{
	task.multicast_most = verify_multicasts(m, nprocs) ? BSPI_MULTICAST_BYTES : 0;
	for (unsigned int i = 0; goal_algorithm(task.kind, i); i++) {
		task.algorithm = goal_algorithm(task.kind, i);
		if (task.kind == GOAL_BARRIER)
			verify_barrier(m, r, task, nprocs);
		else
			verify_task(m, r, &task, nprocs);
	}
}

/* A task of @bytes without an algorithm; folds are of doubles. */
static struct goal_task task_of(enum goal_kind kind, uint64_t bytes)
{
	struct goal_task t = {
		.kind = kind,
		.bytes = bytes,
		.call = -1,
		.networks = 1,
		.arity = 2,
		.source = 0,
		.target = 1,
	};

	if (goal_kind_folds(kind)) {
		t.function = GOAL_ADD;
		t.datatype = GOAL_F64;
		t.bytes = bytes < sizeof(double) ? sizeof(double) :
						   bytes / sizeof(double) * sizeof(double);
	}
	if (kind == GOAL_BCAST)
		t.target = 0;
	return t;
}

/* 2, 3, 4, 6, 8, 12, ... below @nprocs; 0 at the end. */
static int next_nprocs(int n, int nprocs)
{
	int next = n == 0 ? 2 : (n & (n - 1)) == 0 ? n + n / 2 : n / 3 * 4;

	return next < nprocs ? next : 0;
}

static void verify_kind(struct measure *m, struct probe_result *r, enum goal_kind kind, double part)
{
	uint64_t most = kind == GOAL_BARRIER ? 1 : m->bytes_most;

	for (uint64_t bytes = goal_kind_folds(kind) ? 8 : 1; bytes <= most; bytes *= 4) {
		measure_say(m, part, "%s of %llu bytes", goal_kind_name(kind),
			    (unsigned long long)bytes);
		if (measure_has_time(m, 1) || bytes <= 64)
			verify_point(m, r, task_of(kind, kind == GOAL_BARRIER ? 0 : bytes),
				     m->nprocs);
	}
	for (int n = next_nprocs(0, m->nprocs); n > 0 && measure_has_time(m, 1);
	     n = next_nprocs(n, m->nprocs)) {
		measure_say(m, part, "%s of %d processes", goal_kind_name(kind), n);
		verify_point(m, r, task_of(kind, most < FIGURE_BYTES ? most : FIGURE_BYTES), n);
	}
}

void probe_verify(struct measure *m, const struct probe_request *request, struct probe_result *r)
{
	for (int kind = 0; kind < GOAL_KINDS; kind++)
		if (probe_verify_is_wanted(request->only, kind))
			verify_kind(m, r, kind, 0.5 + 0.5 * kind / GOAL_KINDS);
}
