/* SPDX-License-Identifier: BSD-3-Clause */
/* More than 64 processes agree on what they push and pop along a tree, with the same meaning. */
#include "../lib/spmd.h"

#include "bsplib/core/state.h"

enum { PROCS = 75, LAST = PROCS - 1, AREAS = 3000, CHILDREN = 8 };

static int x, y;
static char many[AREAS];

static uint64_t chunks_of_sync(void)
{
	uint64_t before = bspi.net->stats.chunks_sent;

	bsp_sync();
	return bspi.net->stats.chunks_sent - before;
}

/* To the parent and the children, and not to each of the others. */
static int most_chunks(void)
{
	int first = CHILDREN * (int)bsp_pid() + 1, n = (int)bsp_nprocs();
	int children = first >= n ? 0 : n - first < CHILDREN ? n - first : CHILDREN;

	return children + (bsp_pid() > 0);
}

static void pushes_and_pops(void)
{
	int v, good = 0;

	enter();
	v = (int)bsp_pid();
	bsp_push_reg(&x, sizeof x);
	is_int(most_chunks(), (long)chunks_of_sync(), "chunks of a superstep with a push");
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_sync();
	is_int((long)left(), x, "a put arrives in the area");
	for (int i = 0; i < AREAS; i++)
		bsp_push_reg(&many[i], 1);
	bsp_pop_reg(&x);
	is_int(most_chunks(), (long)chunks_of_sync(), "chunks with 3000 pushes and a pop");
	for (int i = 0; i < AREAS; i++)
		bsp_put(right(), &(char){ (char)(i % 100) }, &many[i], 0, 1);
	for (int i = AREAS; i-- > 0;)
		bsp_pop_reg(&many[i]);
	bsp_sync();
	for (int i = 0; i < AREAS; i++)
		good += many[i] == i % 100;
	is_int(AREAS, good, "bytes put into areas that are popped");
	bsp_end();
}

static void *only_on_last(void *area)
{
	return bsp_pid() == LAST ? area : NULL;
}

static void push_only_on_last(void)
{
	bsp_push_reg(only_on_last(&x), bsp_pid() == LAST ? sizeof x : 0);
}

static void put_to_last(int value)
{
	if (bsp_pid() == LAST)
		bsp_put(LAST, &value, &x, 0, sizeof x);
	bsp_sync();
	if (bsp_pid() == LAST)
		is_int(value, x, "the last process puts to its area");
}

/* The area stays until its own pop, though all others push and pop NULL. */
static void nulls(void)
{
	enter();
	push_only_on_last();
	bsp_push_reg(NULL, 0);
	bsp_sync();
	put_to_last(1);
	bsp_pop_reg(NULL);
	bsp_sync();
	put_to_last(2);
	bsp_push_reg(NULL, 0);
	bsp_pop_reg(only_on_last(&x));
	bsp_pop_reg(NULL);
	bsp_sync();
	bsp_end();
}

static void null_on_all_but_one(void)
{
	enter();
	push_only_on_last();
	bsp_sync();
	bsp_pop_reg(NULL);
	bsp_sync();
	bsp_end();
}

static void two_areas(void)
{
	enter();
	bsp_push_reg(&x, sizeof x);
	publish(&y, sizeof y);
}

static void last_pops_another(void)
{
	two_areas();
	expect_site(), bsp_pop_reg(only_on_last(&y) ? &y : &x);
	bsp_sync();
	bsp_end();
}

static void last_pops_null(void)
{
	two_areas();
	expect_site(), bsp_pop_reg(bsp_pid() == LAST ? NULL : &x);
	bsp_sync();
	bsp_end();
}

int main(void)
{
	if (job_max_nprocs() < PROCS)
		skip_all("not applicable: this transport does not have so many processes");
	lives_ok(pushes_and_pops, PROCS, "pushes and pops");
	lives_ok(nulls, PROCS, "NULL where there is no area");
	dies_ok(null_on_all_but_one, PROCS, "bsp_", "all pop NULL, and one has an area");
	dies_ok(last_pops_another, PROCS, "bsp_pop_reg: ", "the last one pops another area");
	dies_ok(last_pops_null, PROCS, "bsp_pop_reg: ", "the last one pops NULL for its area");
	return done_testing();
}
