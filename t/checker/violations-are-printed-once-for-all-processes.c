/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsprun --check prints a violation of many processes once, however the job ends. */
#include "../lib/checked.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int area[8];
static int one = 1;
static int well;	/* processes with a right n: the last ones */
static void (*then)(void);

static void wrong_n(void);
static void never_read(void);

/* The line of wrong_n(), with @where at its end. */
static bool says(const char *where)
{
	const char *begin = "bsp_read: n is 3, but the true number of puts to the area registered "
			    "at prog.c:4 is 1: process ";
	const char *found = strstr(job_err(), begin), *end = found ? strchr(found, '\n') : NULL;
	size_t len = strlen(where);

	if (!end || strstr(end, begin))
		return false;
	return (size_t)(end - found) > len && strncmp(end - len, where, len) == 0;
}

static void run(int nprocs, int right_ones, void (*end)(void))
{
	well = right_ones;
	then = end;
	check_run(wrong_n, nprocs, false);
}

static void ends_well(void)
{
	run(3, 0, NULL);
	ok(says("(process 0, superstep 2, prog.c:8; 6 times, on processes 0 to 2)"),
	   "three processes: once");
	is_int(2, lines_reported(), "and the verdict");
	run(5, 3, NULL);
	ok(says("(process 0, superstep 2, prog.c:8; 4 times, on processes 0 and 1)"),
	   "two of five processes: once");
	is_str("bsp: checked 5 supersteps, 10 reads, 10 puts: 4 violations, found on 2 of 5 "
	       "processes\n",
	       last_reported(), "and the verdict");
	run(7, 6, NULL);
	ok(says("(process 0, superstep 2, prog.c:8; 2 times)"), "one of seven: its number alone");
	check_run(never_read, 5, false);
	ok(reported("bsp_put: is never read: no bsp_read of process 0 depends on it before bsp_end "
		    "in superstep 2, prog.c:106 (process 1, superstep 1, prog.c:104; 4 times, on "
		    "processes 1 to 4)"),
	   "where others find it: the processes that called");
	is_int(2, lines_reported(), "once");
}

static void give_up(void)
{
	bsp_abort("no more");
}

static void die(void)
{
	raise(SIGKILL);
}

static void leave(void)
{
	_exit(5);
}

/* The first in time is in the text: any of them. */
static void ends(void (*end)(void), int status, const char *message, const char *what)
{
	run(5, 0, end);
	is_int(status, job_status(), "%s: the status", what);
	ok(strstr(job_err(), message), "%s: the message", what);
	ok(says("; 10 times, on processes 0 to 4)"), "%s: what was found is printed once", what);
	is_int(2, lines_reported(), "%s: that is all", what);
}

static void two_parts(void)
{
	then = NULL;
	well = 0;
	wrong_n();
	wrong_n();
}

static void parts(void)
{
	char *no_arguments = NULL;

	bsp_init(wrong_n, 0, &no_arguments);
	two_parts();
}

static void each_part(void)
{
	const char *transport = getenv("BSP_TRANSPORT");

	if (transport && strcmp(transport, "mpi") == 0) {
		not_applicable("a process initialises MPI only once");
		return;
	}
	check_run(parts, 3, false);
	is_int(4, lines_reported(), "two SPMD parts: each prints its own once");
	is_int(1, job_status(), "two SPMD parts: the status");
}

int main(void)
{
	ends_well();
	ends(give_up, 1, "bsp_abort: no more (process 1, superstep 4)\n", "bsp_abort");
	ends(die, 137, "killed by signal 9 (Killed) (process 1, superstep 4, ", "a process dies");
	ends(leave, 5, "exited with status 5 before bsp_end (process 1, superstep 4, ",
	     "a process leaves");
	each_part();
	return done_testing();
}

/* Last in this file, because of the directives. */
#line 1 "prog.c"
static void wrong_n(void)
{
	enter();
	bsp_push_reg(area, sizeof area); bsp_set_sync(BSP_RELAXED); bsp_sync();
	for (int i = 0; i < 2; i++) {
		bsp_put(right(), &one, area, 0, sizeof one);
		bsp_sync();
		bsp_read(area, bsp_pid() < bsp_nprocs() - well ? 3 : 1);
	}
	/* when all have found what they find */
	bsp_sync();
	if (then && bsp_pid() == 1)
		then();
	bsp_end();
}

#line 101 "prog.c"
static void never_read(void)
{
	enter(); bsp_push_reg(area, sizeof area); bsp_set_sync(BSP_RELAXED); bsp_sync();
	if (bsp_pid() > 0) bsp_put(0, &one, area, 4 * (int)bsp_pid(), sizeof one);
	bsp_sync();
	bsp_end();
}
