/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsprun --check --suggest reports the n of every call: constant, by process, or varying. */
#include "../lib/checked.h"

static int area[64], other[64];

static void constant(void);
static void all_to_all(void);
static void exchanges_with_the_next(void);
static void sends_to_the_first(void);
static void has_lists(void);
static void by_process(void);
static void varying(void);
static void other_calls(void);

/* Standard error is @table and the verdict. */
static void suggests(void (*body)(void), int nprocs, const char *table, const char *what)
{
	const char *verdict;

	check_run(body, nprocs, true);
	is_int(0, job_status(), "%s, %d processes: the program is well-formed", what, nprocs);
	verdict = last_reported();
	ok(strncmp(verdict, "bsp: checked ", 13) == 0, "%s, %d processes: the verdict is last",
	   what, nprocs);
	if (!ok(strlen(table) == (size_t)(verdict - job_err()) &&
		strncmp(job_err(), table, strlen(table)) == 0,
		"%s, %d processes: the table", what, nprocs))
		diag("%s", job_err());
}

#define HEADING "bsp: the n that each call needs, in relaxed supersteps:\n"

static void of_constants(void)
{
	suggests(constant, 1, HEADING
		 "  prog.c:12  bsp_read    called 4 times by process 0:  n = 2\n"
		 "  prog.c:14  bsp_read    called 4 times by process 0:  n = 0\n", "constant n");
	suggests(constant, 3, HEADING
		 "  prog.c:12  bsp_read    called 12 times by all:  n = 2\n"
		 "  prog.c:14  bsp_read    called 4 times by process 0:  n = 0\n", "constant n");
}

static void of_all(void)
{
	suggests(all_to_all, 2, HEADING
		 "  prog.c:409  bsp_read    called 2 times by all:  n = 2\n"
		 "  prog.c:410  bsp_read    called 2 times by all:  n = 1\n", "two are neighbours");
	suggests(all_to_all, 3, HEADING
		 "  prog.c:409  bsp_read    called 3 times by all:  n = 3 (bsp_nprocs() here)\n"
		 "  prog.c:410  bsp_read    called 3 times by all:  n = 2\n", "all, or two others");
	suggests(all_to_all, 4, HEADING
		 "  prog.c:409  bsp_read    called 4 times by all:  n = 4 (bsp_nprocs() here)\n"
		 "  prog.c:410  bsp_read    called 4 times by all:  n = 3 (bsp_nprocs() - 1 "
		 "here)\n",
		 "all, or all others");
}

static void of_processes(void)
{
	suggests(by_process, 2, HEADING
		 "  prog.c:107  bsp_read    called 8 times by all:  process 0: 2; process 1: 1\n"
		 "  prog.c:112  bsp_read    called 1 time by process 0:  n = 2\n", "n by process");
	suggests(
		by_process, 3,
		HEADING
		"  prog.c:107  bsp_read    called 12 times by all:  process 2: 1; others: 2\n"
		"  prog.c:112  bsp_read    called 2 times by processes 0, 2:  process 0: 3 "
		"(bsp_nprocs() here); process 2: 0\n",
		"n by process");
	suggests(
		by_process, 5,
		HEADING
		"  prog.c:107  bsp_read    called 20 times by all:  processes 0, 4: 1; others: 2\n"
		"  prog.c:112  bsp_read    called 4 times by processes 0, 2-4:  process 0: 5 "
		"(bsp_nprocs() here); others: 0\n",
		"n by process");
}

static void of_neither(void)
{
	suggests(
		varying, 2,
		HEADING
		"  prog.c:207  bsp_read    called 8 times by all:  varies: 0 to 3 (see process "
		"0, superstep 2, and process 1, superstep 5)\n",
		"n that varies");
	suggests(other_calls, 3,
		 HEADING
		 "  prog.c:304  bsp_serve   called 3 times by all:  n = 1\n"
		 "  prog.c:309  bsp_expect  called 3 times by all:  process 2: 6; others: 0\n"
		 "  prog2.c:1   bsp_read    called 1 time by process 0:  n = 0\n",
		 "calls of other kinds");
}

static void of_neighbors(void)
{
	check_run(exchanges_with_the_next, 4, true);
	ok(reported("bsp: every process exchanges with the same 2 others: bsp_set_neighbors would "
		    "spare barriers; bsprun --predict '' says what that saves"),
	   "lists of neighbours, in a ring");
	check_run(sends_to_the_first, 4, true);
	ok(!strstr(job_err(), "bsp_set_neighbors"), "not if a process exchanges with all");
	check_run(exchanges_with_the_next, 3, true);
	ok(!strstr(job_err(), "bsp_set_neighbors"), "nor if each does");
	check_run(exchanges_with_the_next, 4, false);
	ok(!strstr(job_err(), "bsp_set_neighbors"), "nor without --suggest");
	check_run(constant, 5, true);
	ok(!strstr(job_err(), "bsp_set_neighbors"), "nor for relaxed supersteps");
	check_run(has_lists, 4, true);
	ok(!strstr(job_err(), "bsp_set_neighbors"), "nor if there are lists");
}

static void of_nothing(void)
{
	check_run(constant, 2, false);
	ok(!strstr(job_err(), "each call needs"), "without --suggest there is no table");
}

int main(void)
{
	of_constants();
	of_all();
	of_processes();
	of_neither();
	of_neighbors();
	of_nothing();
	return done_testing();
}

/* Last in this file, because of the directives. */
#line 50 "prog.c"
static void begin(void);

static void begin(void)
{
	enter();
	bsp_push_reg(area, sizeof area);
	bsp_push_reg(other, sizeof other);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
}

#line 1 "prog.c"
/* n is what the program says, and BSP_ANY if it does not know. */
static void constant(void)
{
	int me;

	begin();
	me = (int)bsp_pid();
	for (int i = 0; i < 4; i++) {
		bsp_put(right(), &me, area, 0, sizeof me);
		bsp_put(left(), &me, area, sizeof me, sizeof me);
		bsp_sync();
		bsp_read(area, i % 2 ? 2 : BSP_ANY);
		if (me == 0)
			bsp_read(area, BSP_ANY);
	}
	bsp_end();
}

#line 401 "prog.c"
static void all_to_all(void)
{
	int me; begin(); me = (int)bsp_pid();
	for (int p = 0; p < (int)bsp_nprocs(); p++) {
		bsp_put(p, &me, area, me * (int)sizeof me, sizeof me);
		if (p != me) bsp_put(p, &me, other, me * (int)sizeof me, sizeof me);
	}
	bsp_sync();
	bsp_read(area, BSP_ANY);
	bsp_read(other, BSP_ANY);
	bsp_end();
}

#line 101 "prog.c"
static void by_process(void)
{
	int me; begin(); me = (int)bsp_pid();
	for (int i = 0; i < 4; i++) {
		if (me > 0) bsp_put(left(), &me, area, 0, sizeof me);
		if (me < 4) bsp_put(right(), &me, area, sizeof me, sizeof me);
		bsp_sync(); bsp_read(area, BSP_ANY);
	}
	bsp_put(0, &me, other, me * (int)sizeof me, sizeof me);
	bsp_sync();
	if (me != 1)
		bsp_read(other, BSP_ANY);
	bsp_end();
}

#line 201 "prog.c"
static void varying(void)
{
	begin();
	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < i && bsp_pid() == 0; k++)
			bsp_put(1, &i, area, k * (int)sizeof i, sizeof i);
		bsp_sync(); bsp_read(area, BSP_ANY);
	}
	bsp_end();
}

#line 301 "prog.c"
static void other_calls(void)
{
	int x; begin();
	bsp_serve(area, BSP_ANY);
	bsp_get(right(), area, 0, &x, sizeof x);
	for (int i = 0; i < 2; i++)
		bsp_send(2, NULL, &i, sizeof i);
	bsp_sync();
	bsp_expect(BSP_ANY);
	if (bsp_pid() == 0)
#line 1 "prog2.c"
		bsp_read(area, BSP_ANY);
	bsp_end();
}

#line 501 "prog.c"
static void exchange(void)
{
	int me = (int)bsp_pid();

	for (int i = 0; i < 3; i++) {
		bsp_put(right(), &me, area, 0, sizeof me);
		bsp_sync();
	}
}

static void begin_classic(void)
{
	enter();
	bsp_push_reg(area, sizeof area);
	bsp_sync();
}

static void exchanges_with_the_next(void)
{
	begin_classic();
	exchange();
	bsp_end();
}

static void sends_to_the_first(void)
{
	int me;

	begin_classic();
	me = (int)bsp_pid();
	exchange();
	bsp_send(0, NULL, &me, sizeof me);
	bsp_sync();
	bsp_end();
}

static void has_lists(void)
{
	int pids[2];

	begin_classic();
	pids[0] = (int)left();
	pids[1] = (int)right();
	bsp_set_neighbors(2, pids);
	bsp_sync();
	exchange();
	bsp_end();
}
