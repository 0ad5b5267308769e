/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_abort ends all processes, wherever they are, with one message and status 1. */
#include "../lib/spmd.h"

#include <stdio.h>
#include <unistd.h>

static void by_one(void)
{
	enter();
	bsp_sync();
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_abort("%s of %d, %.2f", "value", 42, 0.25);
	bsp_sync();
	bsp_end();
}

static void while_others_compute(void)
{
	enter();
	bsp_sync();
	if (bsp_pid() == 0)
		bsp_abort("enough");
	for (;;)
		pause();
}

static void by_all(void)
{
	enter();
	bsp_abort("all of us");
}

static void before_begin(void)
{
	bsp_abort("no input: %s", "file.txt");
}

static void after_end(void)
{
	enter();
	bsp_end();
	bsp_abort("too late");
}

static void with_newline(void)
{
	enter();
	bsp_abort("a line\n");
}

__attribute__((format(printf, 1, 2)))
static void complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	bsp_abort_va(format, args);
}

static void by_list(void)
{
	enter();
	complain("%d and %s", 7, "seven");
}

static void after_output(void)
{
	enter();
	printf("half a line");
	bsp_abort("then the end");
}

int main(void)
{
	dies_ok(by_one, 3, "bsp_abort: value of 42, 0.25 (process 1, superstep 2",
		"one process of three");
	if (job_max_nprocs() >= 3)
		is_int(1, job_status(), "the status is 1");
	dies_ok(while_others_compute, 3, "bsp_abort: enough (process 0, superstep 1",
		"others compute");
	dies_ok(by_all, 4, "bsp_abort: all of us (process ", "all four processes");
	dies_ok(by_all, 1, "bsp_abort: all of us (process 0, superstep 0", "the only process");
	is_int(1, job_status(), "the status is 1");
	dies_ok(before_begin, 2, "bsp_abort: no input: file.txt", "before bsp_begin");
	is_int(1, job_status(), "the status is 1");
	dies_ok(after_end, 2, "bsp_abort: too late", "after bsp_end");
	dies_ok(with_newline, 2, "bsp_abort: a line", "a newline at the end makes no second line");
	dies_ok(by_list, 0, "bsp_abort: 7 and seven (process ", "bsp_abort_va");
	dies_ok(after_output, 1, "bsp_abort: then the end", "after output");
	is_str("half a line", job_out(), "what was printed before is not lost");
	return done_testing();
}
