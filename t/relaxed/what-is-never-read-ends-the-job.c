/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts and messages that no bsp_read and no bsp_expect covers end the job, and are named. */
#include "../lib/relaxed.h"

static int x[8], y[8];
static enum { AT_END, AT_CLASSIC, AT_POP } when;
static int reads_of_x;

static void two_puts(void);
static void three_messages(void);

/* Each process puts twice to its right neighbour, and reads too little of it. */
static void puts_left_over(void)
{
	enter_relaxed();
	publish(x, sizeof x);
	publish(y, sizeof y);
	two_puts();
	bsp_sync();
	if (reads_of_x == 2)
		bsp_read(x, 2);
	if (when == AT_POP) {
		bsp_pop_reg(x);
		bsp_pop_reg(y);
		bsp_sync();
	} else if (when == AT_CLASSIC) {
		bsp_set_sync(BSP_CLASSIC);
		bsp_sync();
	}
	bsp_end();
}

static void messages_left_over(void)
{
	enter_relaxed();
	bsp_sync();
	three_messages();
	bsp_sync();
	bsp_expect(1);
	if (when == AT_CLASSIC) {
		bsp_set_sync(BSP_CLASSIC);
		bsp_sync();
	}
	bsp_end();
}

/* Puts and messages of the superstep that a barrier ends need no read. */
static void barrier_covers(void)
{
	enter_relaxed();
	publish(x, sizeof x);
	bsp_set_sync(BSP_CLASSIC);
	two_puts();
	three_messages();
	bsp_sync();
	is_int(1, x[0], "the puts of the classic superstep are there");
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	two_puts();
	bsp_sync();
	bsp_read(x, 2);
	two_puts();
	bsp_pop_reg(x);
	bsp_sync();
	bsp_end();
}

/* In the superstep that bsp_end cuts off puts are dropped, and nothing is left over. */
static void cut_off(void)
{
	enter_relaxed();
	publish(x, sizeof x);
	two_puts();
	three_messages();
	bsp_end();
}

static void run(void (*body)(void), int nprocs, int at, int reads)
{
	when = at;
	reads_of_x = reads;
	job_run(body, nprocs);
}

static void one_end(int at, const char *call)
{
	run(puts_left_over, 0, at, 0);
	ended_with_message(call);
	ok(strstr(job_err(), call), "%s: the call is named", call);
	ok(names("two-puts.c", 101), "%s: the last put that was not read is named", call);
	ok(strstr(job_err(), "2 puts"), "%s: their number", call);
	run(puts_left_over, 1, at, 0);
	ended_with_message("the same with one process");
	run(puts_left_over, 0, at, 2);
	is_int(0, job_status(), "%s: with the bsp_read it goes well", call);
	is_str("", job_err(), "and says nothing");
	if (at == AT_POP)
		return;
	run(messages_left_over, 0, at, 0);
	ended_with_message("messages");
	ok(strstr(job_err(), call), "%s: the call is named", call);
	ok(names("three-messages.c", 200) || names("three-messages.c", 201),
	   "%s: the first message that was not expected is named", call);
	ok(strstr(job_err(), "2 messages"), "%s: their number", call);
}

static void every_end(void)
{
	one_end(AT_END, "bsp_end");
	one_end(AT_CLASSIC, "bsp_sync");
	one_end(AT_POP, "bsp_pop_reg");
}

static void other_wishes(void)
{
	setenv("BSP_UNREAD", "warn", 1);
	run(puts_left_over, 0, AT_END, 0);
	is_int(0, job_status(), "BSP_UNREAD=warn: the job goes on");
	ok(names("two-puts.c", 101), "with a warning that names the put");
	setenv("BSP_UNREAD", "ignore", 1);
	run(puts_left_over, 0, AT_POP, 0);
	is_int(0, job_status(), "BSP_UNREAD=ignore: the job goes on");
	is_str("", job_err(), "without a word");
	unsetenv("BSP_UNREAD");
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	unsetenv("BSP_UNREAD");
	every_end();
	setenv("BSP_EAGER", "0", 1);
	one_end(AT_END, "bsp_end");
	unsetenv("BSP_EAGER");
	lives_ok(barrier_covers, 0, "what a barrier covers needs no read");
	is_str("", job_err(), "and nothing is said");
	lives_ok(cut_off, 0, "what bsp_end cuts off is no left-over");
	is_str("", job_err(), "and nothing is said");
	other_wishes();
	return done_testing();
}

/* Last in this file, because of the directives. */
static void two_puts(void)
{
	int v = 1;

#line 100 "two-puts.c"
	bsp_put(right(), &v, x, 0, sizeof v);
	bsp_put(right(), &v, x, sizeof v, sizeof v);
}

static void three_messages(void)
{
	int v = 1;

#line 200 "three-messages.c"
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_send(right(), NULL, &v, sizeof v);
}
