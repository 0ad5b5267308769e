/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of neighbours that are wrong, or not those of the others, end the job, as does each
 * transfer to a process that is no neighbour. */
#include "../lib/spmd.h"

static int x, y, which;

/* ---- The list ----------------------------------------------------------------- */

static void wrong_list(void)
{
	static const int seven[] = { 0, 7 }, minus[] = { -1 };

	enter();
	expect_superstep(0);
	switch (which) {
	case 0: expect_site(), bsp_set_neighbors(2, seven); break;
	case 1: expect_site(), bsp_set_neighbors(1, minus); break;
	case 2: expect_site(), bsp_set_neighbors(1, NULL); break;
	case 3: expect_site(), bsp_set_neighbors(-2, seven); break;
	default: expect_site(), bsp_set_neighbors(INT32_MAX, seven); break;
	}
	bsp_end();
}

static const char *const wrong_lists[] = {
	"bsp_set_neighbors: process 7 does not exist",
	"bsp_set_neighbors: process -1 does not exist",
	"bsp_set_neighbors: the list of neighbours is NULL",
	"bsp_set_neighbors: the number of neighbours -2 is negative, and not BSP_ALL (-1)",
	"bsp_set_neighbors: 2147483647 neighbours are more than 16777216",
	NULL,
};

/* ---- Lists that differ ----------------------------------------------------------- */

static const int zero[] = { 0 }, one[] = { 1 };

static void not_mutual(void)
{
	enter();
	if (bsp_pid() == 0)
		bsp_set_neighbors(1, one);
	else
		bsp_set_neighbors(0, NULL);
	expect_process(1);
	bsp_sync();
	if (bsp_pid() < 2)
		ok(false, "neither of the two goes on");
	bsp_end();
}

/* Each names the next one, so all of them are named without naming in turn. */
static void all_one_way(void)
{
	int next;

	enter();
	next = right();
	bsp_set_neighbors(1, &next);
	expect_process(0);
	expect_process(1);
	expect_process(2);
	bsp_sync();
	bsp_end();
}

static void some_only(void)
{
	enter();
	if (bsp_pid() != 1)
		bsp_set_neighbors(0, NULL);
	bsp_sync();
	bsp_end();
}

static void all_and_list(void)
{
	enter();
	bsp_set_neighbors(bsp_pid() ? 0 : BSP_ALL, NULL);
	bsp_sync();
	bsp_end();
}

/* ---- Others ------------------------------------------------------------------------ */

/* 0 and 1 are neighbours, 2 is alone. */
static void set_pair(void)
{
	if (bsp_pid() == 2)
		bsp_set_neighbors(0, NULL);
	else
		bsp_set_neighbors(1, bsp_pid() ? zero : one);
}

static void reach_other(int w)
{
	bsp_pid_t pid = bsp_pid() == 2 ? 0 : 2;

	switch (w) {
	case 0: expect_site(), bsp_put(pid, &y, &x, 0, sizeof x); break;
	case 1: expect_site(), bsp_hpput(pid, &y, &x, 0, sizeof x); break;
	case 2: expect_site(), bsp_get(pid, &x, 0, &y, sizeof x); break;
	case 3: expect_site(), bsp_hpget(pid, &x, 0, &y, sizeof x); break;
	case 4: expect_site(), bsp_direct_get(pid, &x, 0, &y, sizeof x); break;
	case 5: expect_site(), bsp_send(pid, &y, &y, sizeof y); break;
	default: expect_site(), bsp_hpsend(pid, &y, &y, sizeof y); break;
	}
}

/* All have sent to all before, and chunks may be open ahead. */
static void others(void)
{
	static int large[64];

	enter();
	publish(&x, sizeof x);
	publish(large, sizeof large);
	for (int s = 0; s < 3; s++) {
		for (int q = 0; q < 3; q++)
			bsp_put((bsp_pid_t)q, large, large, 0, sizeof large);
		bsp_put((bsp_pid_t)right(), &y, &x, 0, sizeof x);
		bsp_sync();
	}
	set_pair();
	/* still under the old list */
	bsp_put((bsp_pid_t)right(), &y, &x, 0, sizeof x);
	bsp_sync();
	if (which >= 10)
		bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_put(0, &y, &x, 0, sizeof x);
	reach_other(which % 10);
	bsp_sync();
	bsp_end();
}

static const char *const names[] = { "bsp_put", "bsp_hpput", "bsp_get", "bsp_hpget",
				     "bsp_direct_get", "bsp_send", "bsp_hpsend", NULL };

/* The list is one again that has all. */
static void all_again(void)
{
	enter();
	publish(&x, sizeof x);
	set_pair();
	bsp_sync();
	bsp_sync();
	bsp_set_neighbors(BSP_ALL, NULL);
	bsp_sync();
	y = (int)bsp_pid() + 1;
	bsp_put(right(), &y, &x, 0, sizeof x);
	bsp_sync();
	is_int((int)left() + 1, x, "a put to a process that was no neighbour");
	bsp_end();
}

/* ---- Supersteps that are for all on some processes alone ------------------------------ */

/* A line of four; the first one does something that all do. */
static void for_all_on_one(void)
{
	int me, pids[2], n = 0;
	bsp_size_t size = 8;

	enter();
	me = (int)bsp_pid();
	if (me > 0)
		pids[n++] = me - 1;
	if (me < 3)
		pids[n++] = me + 1;
	publish(&x, sizeof x);
	bsp_set_neighbors(n, pids);
	bsp_sync();
	for (int s = 0; s < 4; s++)
		bsp_sync();
	if (me == 0)
		switch (which) {
		case 0: bsp_push_reg(&y, sizeof y); break;
		case 1: bsp_pop_reg(&x); break;
		case 2: bsp_set_tagsize(&size); break;
		case 3: bsp_set_sync(BSP_RELAXED); break;
		case 4: bsp_set_neighbors(BSP_ALL, NULL); break;
		default: bsp_end(); return;
		}
	for (int s = 0; s < 9; s++)
		bsp_sync();
	bsp_end();
}

static const char *const reasons[] = {
	"process 0 called bsp_push_reg in superstep 6 (", "process 0 called bsp_pop_reg in superst",
	"process 0 called bsp_set_tagsize in superstep 6 (", "process 0 called bsp_set_sync in sup",
	"process 0 called bsp_set_neighbors in superstep 6 (", "process 0 called bsp_end in supers",
	NULL,
};

/* Two groups, of which one ends before the other. */
static void groups_apart(void)
{
	enter();
	set_pair();
	bsp_sync();
	if (bsp_pid() == 2)
		bsp_sync();
	bsp_end();
}

/* ---- Running ---------------------------------------------------------------------------- */

static void run_lists(void)
{
	for (which = 0; wrong_lists[which]; which++)
		dies_ok(wrong_list, 1, wrong_lists[which], "%s", wrong_lists[which]);
	dies_ok(not_mutual, 3, "bsp_set_neighbors: process 0 names 1 (", "0 names 1, 1 not 0");
	ok(job_max_nprocs() < 3 || strstr(job_err(), "1 does not name 0 ("), "both are named");
	dies_ok(all_one_way, 3, "bsp_set_neighbors: process ", "a ring of one direction");
	ok(job_max_nprocs() < 3 || strstr(job_err(), " does not name "), "two are named");
	dies_ok(some_only, 3, "bsp_set_neighbors: processes 0 and 2 called it with a list (",
		"not all call it");
	dies_ok(all_and_list, 3, "bsp_set_neighbors: process 0 called it with BSP_ALL (",
		"BSP_ALL and lists");
}

static void run_others(void)
{
	for (int relaxed = 0; relaxed < 2; relaxed++)
		for (int w = 0; names[w]; w++) {
			which = 10 * relaxed + w;
			dies_ok(others, 3, names[w], "%s to a process that is none%s", names[w],
				relaxed ? ", relaxed" : "");
			ok(job_max_nprocs() < 3 || strstr(job_err(), " is no neighbour: "),
			   "the message says so");
		}
	lives_ok(all_again, 3, "with all again");
}

static void run_for_all(void)
{
	for (which = 0; reasons[which]; which++) {
		dies_ok(for_all_on_one, 4, "bsp_", "%s", reasons[which]);
		ok(job_max_nprocs() < 4 || strstr(job_err(), reasons[which]),
		   "the call is named: %s", job_err());
	}
	/* by the first one of them that finds it */
	dies_ok(groups_apart, 3, "bsp_", "groups that end in other supersteps");
	ok(job_max_nprocs() < 3 || strstr(job_err(), " called bsp_end in superstep "),
	   "bsp_end is named: %s", job_err());
}

int main(void)
{
	run_lists();
	run_others();
	run_for_all();
	return done_testing();
}
