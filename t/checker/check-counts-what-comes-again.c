/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsprun --check prints a violation once, with a count, and keeps its memory bounded. */
#include "../lib/checked.h"

#include <stdio.h>
#include <sys/resource.h>

enum { MANY = 1 << 20, KINDS = 3000, MIB = 32 };

static int area[64];
static char wide[KINDS];

static void again(void);
static void again_by_all(void);

static void begin(void)
{
	enter();
	bsp_push_reg(area, sizeof area);
	bsp_push_reg(wide, sizeof wide);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
}

static long resident_kib(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_maxrss;
}

/* No process reads any of a million puts that are not side by side. */
static void puts_without_end(void)
{
	long before;

	begin();
	before = resident_kib();
	for (int i = 0; i < MANY; i++) {
		bsp_put(right(), area, area, i % 2 * 8, sizeof area[0]);
		if (i % 1024 == 0)
			bsp_sync();
	}
	bsp_sync();
	/* a sanitizer keeps the memory of chunks that are freed */
	ok(SANITIZED || resident_kib() - before < MIB * 1024,
	   "a million unread puts take less than %d MiB", MIB);
	bsp_read(area, MANY);
	bsp_end();
}

/* Each n is one of its own. */
static void kinds_without_end(void)
{
	begin();
	for (int i = 0; i < KINDS; i++)
		bsp_read(area, i + 1);
	bsp_end();
}

static void count_again(void)
{
	check_run(again, 1, false);
	is_str("bsp_read: n is 2, but the true number of puts to the area registered at prog.c:4 "
	       "is 1: process 0, superstep 1, prog.c:9 (process 0, superstep 2, prog.c:11)\n"
	       "bsp_read: n is 2, but the true number of puts to the area registered at prog.c:4 "
	       "is 1: process 0, superstep 1, prog.c:9 (process 0, superstep 2, prog.c:11; 38 "
	       "times)\n"
	       "bsp: checked 40 supersteps, 38 reads, 38 puts: 38 violations, found on 1 of 1 "
	       "processes\n",
	       job_err(), "one process: at once, and at the end with a number");
	check_run(again_by_all, 5, false);
	is_str("bsp_read: n is 3, but the true number of puts to the area registered at "
	       "prog.c:104 is 0 (process 0, superstep 1, prog.c:107; 15 times, on processes 0 to "
	       "4)\n"
	       "bsp: checked 4 supersteps, 15 reads, 0 puts: 15 violations, found on 5 of 5 "
	       "processes\n",
	       job_err(), "five processes: once, with the number of all");
}

int main(void)
{
	count_again();
	check_run(puts_without_end, 2, false);
	ok(strstr(job_err(), " puts: ") && job_status() == 1, "a million puts are still counted");
	ok(!strstr(job_err(), "bsp_read: n is"), "and n is as good as ever");
	check_run(kinds_without_end, 1, false);
	ok(strstr(last_reported(), ": 3000 violations, "), "3000 different ones are counted");
	ok(strstr(job_err(), "bsp: 2900 more violations are not shown\n"),
	   "and not all are shown");
	is_int(1, job_status(), "the status");
	return done_testing();
}

/* Last in this file, because of the directives. */
#line 1 "prog.c"
static void again(void)
{
	enter();
	bsp_push_reg(area, sizeof area);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	for (int i = 0; i < 38; i++) {
		/* the same line each time, in another superstep */
		bsp_put(bsp_pid(), &i, area, 0, sizeof i);
		bsp_sync();
		bsp_read(area, 2);
	}
	bsp_end();
}

#line 101 "prog.c"
static void again_by_all(void)
{
	enter();
	bsp_push_reg(area, sizeof area);
	bsp_set_sync(BSP_RELAXED); bsp_sync();
	for (int i = 0; i < 3; i++) {
		bsp_read(area, 3);
		if (i < 2) bsp_sync();
	}
	bsp_end();
}
