/* SPDX-License-Identifier: BSD-3-Clause */
/* A process with a list of neighbours goes on without the others, as many supersteps as there are
 * steps to them on the graph, and no more. */
#include "../lib/relaxed.h"

enum { LINE = 5 };

static int v[2];

/* Each has the one before it and the one after it. */
static void set_line(void)
{
	int me = (int)bsp_pid(), p = (int)bsp_nprocs(), pids[2], n = 0;

	if (me > 0)
		pids[n++] = me - 1;
	if (me < p - 1)
		pids[n++] = me + 1;
	bsp_set_neighbors(n, pids);
}

/*
 * The last process of a line computes until the first one is as far ahead as it can be. The first
 * one has then ended as many supersteps as there are processes between the two.
 */
static void last_computes(void)
{
	int me, p;

	make_flags();
	enter();
	me = (int)bsp_pid();
	p = (int)bsp_nprocs();
	set_line();
	bsp_sync();
	if (me == p - 1)
		await_flag(0, p - 2);
	for (int s = 0; s < 3 * p; s++) {
		bsp_sync();
		raise_flag(me);
		/* the next one is at most one superstep behind */
		ok(me == p - 1 || raised(me + 1) + 1 >= raised(me), "the neighbour is near");
	}
	bsp_end();
}

/* Puts of a neighbour that is one superstep ahead are not seen too early. */
static void early_puts_wait(void)
{
	int me, p, wrong = 0;

	make_flags();
	enter();
	me = (int)bsp_pid();
	p = (int)bsp_nprocs();
	publish(v, sizeof v);
	set_line();
	bsp_sync();
	for (int s = 1; s < 50; s++) {
		if (me > 0)
			bsp_put(me - 1, &s, v, sizeof *v, sizeof s);
		if (me < p - 1)
			bsp_put(me + 1, &s, v, 0, sizeof s);
		bsp_sync();
		wrong += me > 0 && v[0] != s;
		wrong += me < p - 1 && v[1] != s;
	}
	is_int(0, wrong, "each superstep has its own values");
	bsp_end();
}

/* With no neighbours at all bsp_sync waits for no process. */
static void none(void)
{
	int mine = 0;

	make_flags();
	enter();
	publish(v, sizeof v);
	bsp_set_neighbors(0, NULL);
	bsp_sync();
	await_flag(0, (int)bsp_pid());
	for (int s = 1; s < 20; s++) {
		bsp_put(bsp_pid(), &s, v, 0, sizeof s);
		bsp_get(bsp_pid(), v, 0, &mine, sizeof mine);
		bsp_sync();
		is_int(s - 1, mine, "what was there before");
		is_int(s, v[0], "what was put to oneself");
	}
	raise_flag(0);
	bsp_end();
}

int main(void)
{
	if (job_max_nprocs() < 2)
		skip_all("not applicable: one process has no neighbours");
	lives_ok(last_computes, LINE, "a line");
	lives_ok(early_puts_wait, LINE, "a line with puts");
	lives_ok(none, 3, "each alone");
	return done_testing();
}
