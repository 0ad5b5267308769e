/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_scan.c - process p gets the fold of the values of 0 .. p. */
#include "goal/gen/goal_gen_fold.h"

/*
 * Before a round of distance d a value is of the d processes that end here, or of all from 0 on
 * (Hillis and Steele, 1986).
 */
static void gen_scan_recursive_doubling(struct goal_graph *g, const struct goal_task *task,
					int nprocs, int rank)
{
	struct goal_fold f;
	struct goal_value v;
	uint32_t tag = 0;

	if (task->bytes == 0)
		return;
	goal_fold_begin(&f, g, task, rank, task->bytes, 1);
	v = goal_fold_own(&f);
	for (int distance = 1; distance < nprocs; distance *= 2, tag++) {
		if (rank < nprocs - distance)
			goal_fold_send(&f, v, rank + distance, tag);
		if (rank >= distance)
			v = goal_fold(&f, goal_fold_receive(&f, rank - distance, tag), v);
	}
	goal_fold_end(&f, v);
}

static void scan_chain_segment(struct goal_fold *f, int nprocs, int rank, uint32_t tag)
{
	struct goal_value v = goal_fold_own(f);

	if (rank > 0)
		v = goal_fold(f, goal_fold_receive(f, rank - 1, tag), v);
	if (rank < nprocs - 1)
		goal_fold_send(f, v, rank + 1, tag);
	goal_fold_end(f, v);
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
