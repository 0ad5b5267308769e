/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_scan.c - process p gets the fold of the values of 0 .. p. */
#include "goal/gen/goal_gen_fold.h"

/*
 * An exclusive scan keeps the fold of what was received, and makes what it sends of a copy of that:
 * one fold and one copy more in each round that is not the last.
 */
static struct goal_value scan_with_own(struct goal_fold *f, struct goal_value before)
{
	return goal_fold(f, goal_fold_copy(f, before), goal_fold_own(f));
}

/*
 * Before a round of distance d a value is of the d processes that end here, or of all from 0 on
 * (Hillis and Steele, 1986).
 */
static void gen_scan_recursive_doubling(struct goal_graph *g, const struct goal_task *task,
					int nprocs, int rank)
{
	struct goal_value v, before = { .slot = -1 }, received;
	struct goal_fold f;
	uint32_t tag = 0;

	if (task->bytes == 0)
		return;
	goal_fold_begin(&f, g, task, rank, task->bytes, 1);
	v = goal_fold_own(&f);
	for (int distance = 1; distance < nprocs; distance *= 2, tag++) {
		if (rank < nprocs - distance)
			goal_fold_send(&f, v, rank + distance, tag);
		if (rank < distance)
			continue;
		received = goal_fold_receive(&f, rank - distance, tag);
		if (!task->exclusive) {
			v = goal_fold(&f, received, v);
			continue;
		}
		goal_fold_drop(&f, v);
		before = distance == 1 ? received : goal_fold(&f, received, before);
		if (rank + 2 * distance < nprocs)
			v = scan_with_own(&f, before);
		else
			v.slot = -1;	/* no process needs it */
	}
	if (!task->exclusive)
		goal_fold_end(&f, v);
	else if (rank > 0)
		goal_fold_end(&f, before);
}

static void scan_chain_segment(struct goal_fold *f, int nprocs, int rank, uint32_t tag)
{
	struct goal_value v = goal_fold_own(f), before = v;

	if (rank > 0) {
		before = goal_fold_receive(f, rank - 1, tag);
		if (!f->task->exclusive)
			v = goal_fold(f, before, v);
		else if (rank < nprocs - 1)
			v = scan_with_own(f, before);
	}
	if (rank < nprocs - 1)
		goal_fold_send(f, v, rank + 1, tag);
	if (!f->task->exclusive) {
		goal_fold_end(f, v);
		return;
	}
	goal_fold_drop(f, v);
	if (rank > 0)
		goal_fold_end(f, before);
}

static void gen_scan_chain(struct goal_graph *g, const struct goal_task *task, int nprocs, int rank)
{
	goal_fold_by_segments(g, task, nprocs, rank, scan_chain_segment);
}

const struct goal_algorithm goal_scan_algorithms[] = {
	{ .kind = GOAL_SCAN,
	  .name = "recursive-doubling",
	  .generate = gen_scan_recursive_doubling,
	  .refuses = goal_fold_refuses,
	  .summary = "ceil(log2 P) rounds of distance 2^k" },
	{ .kind = GOAL_SCAN,
	  .name = "chain",
	  .generate = gen_scan_chain,
	  .refuses = goal_fold_refuses,
	  .summary = "from each to the next" },
	{ .kind = GOAL_SCAN,
	  .name = "segmented-chain",
	  .generate = gen_scan_chain,
	  .has_segment = true,
	  .refuses = goal_fold_refuses,
	  .summary = "the same, segments are passed on as they come" },
	{ .name = NULL },
};
