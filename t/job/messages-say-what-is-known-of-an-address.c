/* SPDX-License-Identifier: BSD-3-Clause */
/* A message about an address that names no area says what is known of it, and where from. */
#include "../lib/relaxed.h"

#include <stdio.h>

static struct {
	int before[10], x, after[10];
} cells;
static int lone, v;

/* The message has @format, in which "@" is @line of this file. */
static void says(const char *format, int line)
{
	char wanted[400];
	const char *at = strchr(format, '@');

	if (at)
		snprintf(wanted, sizeof wanted, "%.*s%s:%d%s", (int)(at - format), format,
			 __FILE__, line, at + 1);
	else
		snprintf(wanted, sizeof wanted, "%s", format);
	if (!ok(strstr(job_err(), wanted), "it says: %.130s", format))
		diag("%s", job_err());
	ok(!strstr(job_err(), "nil"), "and has no address that is nil");
}

static char text[300];

static const char *with_address(const char *format, const void *at)
{
	snprintf(text, sizeof text, format, at);
	return text;
}

/* ---- Inside of an area ----------------------------------------------------------- */

static void begin_with_cells(void)
{
	enter();
	bsp_push_reg(&lone, sizeof lone);
	bsp_push_reg(&cells, sizeof cells);
	bsp_sync();
}

enum { CELLS = __LINE__ - 4 };

static void put_inside(void)
{
	begin_with_cells();
	expect_site(), bsp_put(right(), &v, &cells.x, 0, sizeof v);
	bsp_end();
}

static void hpget_inside(void)
{
	begin_with_cells();
	expect_site(), bsp_hpget(right(), &cells.x, 0, &v, sizeof v);
	bsp_end();
}

static void read_inside(void)
{
	enter_relaxed();
	publish(&cells, sizeof cells);
	expect_site(), bsp_read(&cells.x, 1);
	bsp_end();
}

static void pop_inside(void)
{
	begin_with_cells();
	expect_site(), bsp_pop_reg(&cells.x);
	bsp_end();
}

/* The message names the newer of two registrations that contain the address. */
static void put_inside_of_two(void)
{
	begin_with_cells();
	bsp_push_reg(cells.before, 11 * sizeof(int));
	bsp_sync();
	expect_site(), bsp_put(right(), &v, &cells.x, 0, sizeof v);
	bsp_end();
}

enum { NEWER = __LINE__ - 6 };

static void put_behind_the_end(void)
{
	begin_with_cells();
	expect_site(), bsp_put(right(), &v, (char *)&cells + sizeof cells, 0, sizeof v);
	bsp_end();
}

static void inside(void)
{
	char claim[300];

	dies_ok(put_inside, 2, with_address("bsp_put: %p is not registered itself: ", &cells.x),
		"a put to the middle");
	snprintf(
		claim, sizeof claim,
		"it lies 40 bytes behind the start of the 84 bytes registered at @; name the "
		"area by its start, %p (",
		(void *)&cells);
	says(claim, CELLS);
	dies_ok(hpget_inside, 2, with_address("bsp_hpget: %p is not registered itself: ", &cells.x),
		"an hpget");
	dies_ok(read_inside, 2, with_address("bsp_read: %p is not registered itself: ", &cells.x),
		"a read");
	dies_ok(pop_inside, 2, with_address("bsp_pop_reg: %p is not registered itself: ", &cells.x),
		"a pop");
	dies_ok(put_inside_of_two, 2, "bsp_put: ", "a put to the middle of two areas");
	says("it lies 40 bytes behind the start of the 44 bytes registered at @; name the area "
	     "by its start, ",
	     NEWER);
	dies_ok(put_behind_the_end, 2, "bsp_put: ", "a put to the byte behind the end");
	says("is not registered: a bsp_push_reg with this address is missing on this process", 0);
}

/* ---- Not yet, and not any more ------------------------------------------------------ */

static void put_too_early(void)
{
	enter();
	bsp_push_reg(&cells, sizeof cells);
	expect_site(), bsp_put(right(), &v, &cells, 0, sizeof v);
	bsp_end();
}

enum { EARLY = __LINE__ - 5 };

static void put_too_early_inside(void)
{
	enter();
	bsp_push_reg(&cells, sizeof cells);
	expect_site(), bsp_put(right(), &v, &cells.x, 0, sizeof v);
	bsp_end();
}

enum { EARLY_INSIDE = __LINE__ - 5 };

static void pop_twice(void)
{
	enter();
	publish(&lone, sizeof lone);
	bsp_pop_reg(&lone);
	expect_site(), bsp_pop_reg(&lone);
	bsp_end();
}

enum { FIRST_POP = __LINE__ - 5 };

static void pop_again_later(void)
{
	enter();
	publish(&lone, sizeof lone);
	bsp_pop_reg(&lone);
	bsp_sync();
	expect_site(), bsp_pop_reg(&lone);
	bsp_end();
}

enum { EARLIER_POP = __LINE__ - 6 };

static void not_yet_or_any_more(void)
{
	dies_ok(put_too_early, 2, "bsp_put: ", "a put right after the push");
	says(" was just registered, at @; that takes effect at the next bsp_sync", EARLY);
	dies_ok(put_too_early_inside, 2, "bsp_put: ", "a put to the middle right after the push");
	says("it lies 40 bytes behind the start of the 84 bytes registered at @; name",
	     EARLY_INSIDE);
	dies_ok(pop_twice, 2, "bsp_pop_reg: ", "two pops in one superstep");
	says(" has been popped as often as it was registered, last at @ in this superstep",
	     FIRST_POP);
	dies_ok(pop_again_later, 2, "bsp_pop_reg: ", "two pops in two supersteps");
	says(" is not registered any more: bsp_pop_reg withdrew it in superstep 1 at @",
	     EARLIER_POP);
}

/* ---- A push that is missing ---------------------------------------------------------- */

static void pop_without_push(void)
{
	enter();
	if (bsp_pid() == 0)
		bsp_push_reg(&lone, sizeof lone);
	expect_site(), bsp_pop_reg(&lone);
	bsp_sync();
	bsp_end();
}

static void pop_null_without_push(void)
{
	enter();
	expect_site(), bsp_pop_reg(NULL);
	bsp_end();
}

static void pushes_in_another_order(void)
{
	enter();
	bsp_push_reg(bsp_pid() == 0 ? (void *)&lone : &cells, sizeof lone);
	bsp_push_reg(bsp_pid() == 1 ? (void *)&lone : &cells, sizeof lone);
	bsp_sync();
	bsp_pop_reg(&lone);
	bsp_sync();
	bsp_end();
}

enum { SECOND = __LINE__ - 7, FIRST = SECOND - 1 };

static void missing_push(void)
{
	bool reported_by_0;

	dies_ok(pop_without_push, 2,
		with_address(
			"bsp_pop_reg: %p cannot be popped: a bsp_push_reg with this address is "
			"missing on this process (process 1, ",
			&lone),
		"process 1 pops and has not pushed");
	dies_ok(pop_null_without_push, 2,
		"bsp_pop_reg: NULL cannot be popped: a bsp_push_reg with this address is missing",
		"NULL is popped and was not pushed");
	says("NULL cannot be popped", 0);
	dies_ok(pushes_in_another_order, 2, "bsp_pop_reg: process ",
		"pushed in another order, then popped");
	reported_by_0 = strstr(job_err(), "process 1 popped");
	says(" popped the registration of @, ", reported_by_0 ? SECOND : FIRST);
	says(", this process popped @; all pop the same ones in the same order",
	     reported_by_0 ? FIRST : SECOND);
}

/* ---- Static data -------------------------------------------------------------------- */

static void store_to_null(void)
{
	int nprocs, pid;

	bspstart(0, NULL, bsp_nprocs(), &nprocs, &pid);
	tap_process(pid);
	bspstore(0, &v, NULL, 1);
	bspfinish();
}

int main(void)
{
	if (job_max_nprocs() < 2)
		skip_all("not applicable: there is one process");
	setenv("BSP_SYNC", "program", 1);
	inside();
	not_yet_or_any_more();
	missing_push();
	dies_ok(store_to_null, 2,
		"bspstore: the address NULL is not that of 1 byte of the program's static data",
		"a store to NULL");
	return done_testing();
}
