/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsprun --check finds three planted mistakes, and names both ends of each. */
#include "../lib/checked.h"

#include <stdio.h>

static int edge[4];
static int sums[8];

static void program(void);

/* As three processes make them. */
static const char *const mistakes[] = {
	"bsp_read: n is 2, but the true number of puts to the area registered at prog.c:8 is 3: "
	"process 0, superstep 1, prog.c:13; process 0, superstep 1, prog.c:14; process 0, "
	"superstep 1, prog.c:16 (process 1, superstep 2, prog.c:18)",
	"bsp_read: depends on two puts to bytes 8 to 11 of the area registered at prog.c:9: "
	"process 0, superstep 2, prog.c:20 and process 1, superstep 2, prog.c:20 (process 0, "
	"superstep 3, prog.c:23; 2 times)",
	"bsp_hpput: is never read: no bsp_read of process 2 depends on it before bsp_end in "
	"superstep 4, prog.c:27 (process 1, superstep 3, prog.c:25)",
	NULL,
};

static void three_processes(void)
{
	check_run(program, 3, false);
	ok(reported(mistakes[0]), "a wrong n: given, counted, and the lines of the puts");
	ok(reported(mistakes[1]), "puts that overlap: both, and that it is not the only time");
	ok(reported(mistakes[2]), "a put that is never read: the put, and where it is too late");
	is_str("bsp: checked 5 supersteps, 4 reads, 11 puts: 4 violations, found on 3 of 3 "
	       "processes\n",
	       last_reported(), "the last line says how many");
	is_int(4, lines_reported(), "these lines and no other");
	is_int(1, job_status(), "the status says that there were any");
	ok(strstr(job_out(), "0 is done") && strstr(job_out(), "1 is done") &&
	   strstr(job_out(), "2 is done"), "all processes go on to the end of the program");
}

static void other_numbers(int nprocs)
{
	check_run(program, nprocs, false);
	ok(reported(mistakes[0]), "%d processes: the wrong n", nprocs);
	ok(strstr(job_err(), "bsp_read: depends on two puts to bytes 8 to 11 "),
	   "%d processes: the overlap", nprocs);
	ok(strstr(job_err(), "bsp_hpput: is never read: "), "%d processes: the unread put", nprocs);
	is_int(1, job_status(), "%d processes: the status", nprocs);
}

static void as_it_is_without(void)
{
	unsetenv("BSP_CHECK");
	setenv("BSP_SYNC", "classic", 1);
	job_run(program, 3);
	unsetenv("BSP_SYNC");
	is_int(0, job_status(), "without --check the program runs with barriers");
	is_str("", job_err(), "and nothing is found");
}

int main(void)
{
	three_processes();
	other_numbers(2);
	other_numbers(5);
	as_it_is_without();
	return done_testing();
}

/* Last in this file, because of the directive. */
#line 1 "prog.c"
static void program(void)
{
	int me, mine;

	enter();
	me = (int)bsp_pid();
	mine = me;
	bsp_push_reg(edge, sizeof edge);
	bsp_push_reg(sums, sizeof sums);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();

	bsp_put(right(), &mine, edge, 0, sizeof mine);
	bsp_put(right(), &mine, edge, 8, sizeof mine);
	if (me == 0)
		bsp_put(1, &mine, edge, 12, sizeof mine);
	bsp_sync();
	bsp_read(edge, 2);

	bsp_put(0, &mine, sums, 8, sizeof mine);
	bsp_sync();
	if (me == 0)
		bsp_read(sums, (int)bsp_nprocs());
	if (me == 1)
		bsp_hpput(right(), &mine, edge, 0, sizeof mine);
	bsp_sync();
	bsp_end();
	printf("%d is done\n", me);
}
