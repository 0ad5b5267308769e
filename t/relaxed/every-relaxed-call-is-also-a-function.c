/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of relaxed supersteps are functions too, and end a program that has not begun. */
#include "../lib/relaxed.h"

static int x, y;

static void in_brackets(void)
{
	int v = 6, got = 0;
	bsp_nprocs_t messages = 0;

	enter();
	is_int(BSP_CLASSIC, (bsp_set_sync)(BSP_RELAXED), "set_sync");
	publish(&x, sizeof x);
	y = 1 + (int)bsp_pid();
	(bsp_put)(right(), &v, &x, 0, sizeof v);
	(bsp_send)(right(), NULL, &v, sizeof v);
	(bsp_serve)(&x, 1);
	(bsp_get)(left(), &x, 0, &got, sizeof got);
	(bsp_sync)();
	is_int(0, got, "serve");
	(bsp_read)(&x, 1);
	is_int(6, x, "read");
	is_int(0, (bsp_read_test)(&x, 1), "read_test");
	(bsp_expect)(1);
	bsp_qsize(&messages, NULL);
	is_int(1, (long)messages, "expect");
	(bsp_end)();
}

static void through_pointers(void)
{
	int (*set_sync)(int) = &bsp_set_sync;
	void (*read)(const void *, int) = bsp_read;
	int (*read_test)(const void *, int) = &bsp_read_test;
	void (*serve)(const void *, int) = bsp_serve;
	void (*expect)(int) = &bsp_expect;
	int v = 6;

	enter();
	set_sync(BSP_RELAXED);
	publish(&x, sizeof x);
	serve(&x, 0);
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_sync();
	read(&x, 1);
	expect(0);
	is_int(0, read_test(&x, 1), "through pointers");
	bsp_end();
}

/* The plain function does not know its place, so its message names none. */
static void wrong_call(void)
{
	enter_eager();
	(bsp_read)(&x, 1);
	bsp_end();
}

static void call_set_sync(void) { expect_site(), bsp_set_sync(BSP_RELAXED); }
static void call_read(void) { expect_site(), bsp_read(&x, 0); }
static void call_read_test(void) { expect_site(), (void)bsp_read_test(&x, 0); }
static void call_serve(void) { expect_site(), bsp_serve(&x, 0); }
static void call_expect(void) { expect_site(), bsp_expect(0); }

static const struct {
	const char *name;
	void (*call)(void);
} calls[] = {
	{ "bsp_set_sync: ", call_set_sync },
	{ "bsp_read: ", call_read },
	{ "bsp_read_test: ", call_read_test },
	{ "bsp_serve: ", call_serve },
	{ "bsp_expect: ", call_expect },
};

static int now;

static void before_begin(void)
{
	calls[now].call();
	bsp_begin(bsp_nprocs());
	bsp_end();
}

static void after_end(void)
{
	bsp_begin(bsp_nprocs());
	bsp_end();
	calls[now].call();
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	lives_ok(in_brackets, 0, "in brackets");
	lives_ok(in_brackets, 1, "in brackets on one process");
	lives_ok(through_pointers, 0, "through pointers");
	dies_ok(wrong_call, 0, "bsp_read: ", "errors are found all the same");
	ok(strstr(job_err(), "superstep 0)\n"), "the message ends with the superstep");
	for (now = 0; now < 5; now++) {
		dies_ok(before_begin, 1, calls[now].name, "%s before bsp_begin", calls[now].name);
		ok(!strstr(job_err(), "process "), "no process is named");
		dies_ok(after_end, 0, calls[now].name, "%s after bsp_end", calls[now].name);
	}
	return done_testing();
}
