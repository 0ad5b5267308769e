/* SPDX-License-Identifier: BSD-3-Clause */
/* Where processes did not do the same, the message says which of them did what, and where. */
#include "../lib/relaxed.h"

#include <stdio.h>

static int x, y;
static int line;	/* of the call that is to be named */

/* The message has @text, in which @ is the line of the call in this file. */
static void says(const char *text)
{
	char wanted[300];
	const char *at = strchr(text, '@');

	if (at)
		snprintf(wanted, sizeof wanted, "%.*s%s:%d%s", (int)(at - text), text, __FILE__,
			 line, at + 1);
	else
		snprintf(wanted, sizeof wanted, "%s", text);
	if (!ok(strstr(job_err(), wanted), "it says: %.120s", text))
		diag("%s", job_err());
}

static void one_push(void)
{
	enter();
	if (bsp_pid() == 1)
		bsp_push_reg(&x, sizeof x);
	expect_site(), bsp_sync();
	bsp_end();
}
enum { ONE_PUSH = __LINE__ - 4 };

static void three_kinds_of_push(void)
{
	enter();
	if (bsp_pid() > 0)
		bsp_push_reg(&x, sizeof x);
	if (bsp_pid() == 2)
		bsp_push_reg(&y, sizeof y);
	bsp_sync();
	bsp_end();
}

static void pops(void)
{
	enter();
	bsp_push_reg(&x, sizeof x);
	publish(&y, sizeof y);
	if (bsp_pid() != 3)
		bsp_pop_reg(&y);
	if (bsp_pid() != 3)
		bsp_pop_reg(&x);
	bsp_sync();
	bsp_end();
}
enum { LAST_POP = __LINE__ - 4 };

static void tag_sizes(void)
{
	bsp_size_t size;

	enter();
	size = bsp_pid() < 2 ? 1 : 0;
	bsp_set_tagsize(&size);
	bsp_sync();
	bsp_end();
}
enum { TAG_SIZE = __LINE__ - 4 };

static void modes(void)
{
	enter();
	if (bsp_pid() == 1)
		bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	bsp_end();
}
enum { MODE = __LINE__ - 4 };

static void ends(void)
{
	enter();
	if (bsp_pid() != 1)
		bsp_end();
	else
		bsp_sync();
	exit(0);
}
enum { END = __LINE__ - 5, SYNC = __LINE__ - 3 };

/* Process 0 is in a barrier of superstep 3, the others come to one when they end. */
static void barriers_apart(void)
{
	enter_relaxed();
	bsp_sync();
	bsp_sync();
	if (bsp_pid() == 0)
		bsp_push_reg(&x, sizeof x);
	bsp_sync();
	bsp_end();
}

int main(void)
{
	if (job_max_nprocs() < 2)
		skip_all("not applicable: there is one process");
	setenv("BSP_SYNC", "program", 1);
	line = ONE_PUSH;
	dies_ok(one_push, 2, "bsp_push_reg: process 1 registered 1 area in this superstep (",
		"one push");
	says("process 1 registered 1 area in this superstep (@), process 0 none; all processes "
	     "register alike (process 0, superstep 0, ");
	dies_ok(one_push, 4, "bsp_push_reg: process 1 registered 1 area in this superstep (",
		"one push of four");
	says("(@), processes 0, 2 and 3 none; ");
	dies_ok(three_kinds_of_push, 6,
		"bsp_push_reg: processes 1 and 3 to 5 registered 1 area in this superstep (",
		"no, one and two pushes");
	says("), process 2 registered 2 (");
	says("), process 0 none; ");
	line = LAST_POP;
	dies_ok(pops, 4, "bsp_pop_reg: processes 0 to 2 popped 2 registrations in this superstep (",
		"pops");
	says("popped 2 registrations in this superstep (@), process 3 none; all processes pop "
	     "alike");
	line = TAG_SIZE;
	dies_ok(tag_sizes, 3, "bsp_set_tagsize: processes 0 and 1 set tags of 1 byte (",
		"tag sizes");
	says("set tags of 1 byte (@), process 2 of 0 (");
	line = MODE;
	dies_ok(modes, 2, "bsp_set_sync: process 1 ended the superstep in mode BSP_RELAXED (",
		"modes");
	says("(@), process 0 in BSP_CLASSIC; all processes set the same mode");
	line = END;
	dies_ok(ends, 3, "bsp_end: processes 0 and 2 called bsp_end (", "bsp_end and bsp_sync");
	says("processes 0 and 2 called bsp_end (@), process 1 bsp_sync (");
	line = SYNC;
	says(", process 1 bsp_sync (@); all processes call the same");
	dies_ok(barriers_apart, 2, "bsp_", "barriers in different supersteps");
	says("bsp_push_reg");
	return done_testing();
}
