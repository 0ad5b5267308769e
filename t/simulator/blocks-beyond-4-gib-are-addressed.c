/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedules of values and blocks of many GiB are good, and use all of their buffers and no more. */
#include "../lib/collectives.h"

static bool whole(const struct goal_task *t, int nprocs, int rank)
{
	char why[200];
	size_t len;
	void *block = goal_generate(t, nprocs, rank, &len, why, sizeof why);
	struct goal_prog prog;
	bool all = true;

	if (!block) {
		diag("%s", why);
		return false;
	}
	prog = good(block, len);
	for (int which = SOURCE; which <= TARGET; which++) {
		uint32_t number = which == SOURCE ? (uint32_t)t->source : (uint32_t)t->target;

		if (t->source == t->target && which == SOURCE)
			continue;
		all &= goal_buffers(&prog)[number].bytes == buffer_bytes(t, nprocs, rank, which);
	}
	free(block);
	return all;
}

static void try_large(const struct goal_algorithm *a, int nprocs)
{
	struct goal_task t = task_of(a, false);
	bool all = true;

	t.bytes = 5ull << 30;
	t.segment = 1 << 20;
	t.function = GOAL_ADD;
	t.datatype = GOAL_U64;
	t.root = nprocs / 2;
	if (goal_refuses(&t, nprocs, 0))
		return;
	for (int rank = 0; rank < nprocs; rank++)
		all &= whole(&t, nprocs, rank);
	ok(all, "%s:%s of 5 GiB on %d processes", goal_kind_name(a->kind), a->name, nprocs);
}

/* However small segments are, there are no more than 65536. */
static void try_tiny_segments(const struct goal_algorithm *a)
{
	struct goal_task t = task_of(a, false);
	struct goal_prog prog;
	char why[200];
	size_t len;
	void *block;

	t.bytes = 1ull << 34;
	t.segment = 1;
	t.function = GOAL_ADD;
	t.datatype = GOAL_U64;
	block = goal_generate(&t, 3, 1, &len, why, sizeof why);
	if (!block) {
		ok(false, "%s: %s", a->name, why);
		return;
	}
	prog = good(block, len);
	ok(prog.header->nops <= 5 * 65536, "%s:%s in segments of a byte: %u operations",
	   goal_kind_name(a->kind), a->name, prog.header->nops);
	free(block);
}

int main(void)
{
	const struct goal_algorithm *a;

	for (enum goal_kind kind = GOAL_BARRIER + 1; kind < GOAL_KINDS; kind++)
		for (unsigned int i = 0; (a = goal_algorithm(kind, i)); i++) {
			try_large(a, 5);
			try_large(a, 8);
			if (a->has_segment)
				try_tiny_segments(a);
		}
	return done_testing();
}
