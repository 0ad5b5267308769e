/* SPDX-License-Identifier: BSD-3-Clause */
/* Each call has a plain function, to be called in brackets or through a pointer. */
#include "../lib/spmd.h"

static int x, y;

static void in_brackets(void)
{
	bsp_size_t size = 4, length;
	bsp_nprocs_t messages;
	void *tag, *payload;
	int v;

	(bsp_begin)((bsp_nprocs)());
	tap_process((int)(bsp_pid)());
	v = 100 + (int)(bsp_pid)();
	(bsp_push_reg)(&x, sizeof x);
	(bsp_push_reg)(&y, sizeof y);
	(bsp_set_tagsize)(&size);
	(bsp_sync)();
	(bsp_put)(right(), &v, &x, 0, sizeof v);
	(bsp_send)(right(), "abcd", &v, sizeof v);
	(bsp_hpsend)(right(), "abcd", &v, sizeof v);
	(bsp_sync)();
	is_int(100 + (int)left(), x, "put");
	(bsp_qsize)(&messages, &size);
	(bsp_get_tag)(&length, &y);
	(bsp_move)(&y, sizeof y);
	is_int(100 + (int)left(), y, "send and move");
	is_int(sizeof v, (long)(bsp_hpmove)(&tag, &payload), "hpmove");
	is_int(2, (long)messages, "qsize");
	(bsp_get)(left(), &x, 0, &v, sizeof v);
	(bsp_pop_reg)(&y);
	(bsp_sync)();
	is_int(100 + (int)((bsp_pid() + 2 * bsp_nprocs() - 2) % bsp_nprocs()), v, "get");
	(bsp_hpput)(right(), &v, &x, 0, sizeof v);
	(bsp_sync)();
	(bsp_hpget)(right(), &x, 0, &y, sizeof v);
	(bsp_sync)();
	is_int(v, y, "hpput and hpget");
	y = -1;
	(bsp_direct_get)(right(), &x, 0, &y, sizeof v);
	is_int(v, y, "direct_get");
	(bsp_set_neighbors)(BSP_ALL, NULL);
	ok((bsp_time)() >= 0, "time");
	(bsp_end)();
}

static void relaxed_in_brackets(void)
{
	int v;

	enter();
	(bsp_section)("relaxed");
	v = 200 + (int)bsp_pid();
	is_int(BSP_CLASSIC, (bsp_set_sync)(BSP_RELAXED), "set_sync");
	publish(&x, sizeof x);
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_sync();
	while (!(bsp_read_test)(&x, 1))
		continue;
	(bsp_read)(&x, 1);
	is_int(200 + (int)left(), x, "read_test and read");
	(bsp_expect)(1);
	bsp_move(&y, sizeof y);
	is_int(200 + (int)left(), y, "expect");
	bsp_get(left(), &x, 0, &y, sizeof y);
	(bsp_serve)(&x, 1);
	bsp_sync();
	is_int(200 + (int)((bsp_pid() + 2 * bsp_nprocs() - 2) % bsp_nprocs()), y, "serve");
	(bsp_section_end)("relaxed");
	bsp_end();
}

static void announced(void)
{
	(bsp_init)(in_brackets, 0, NULL);
	in_brackets();
}

static void through_pointers(void)
{
	void (*begin)(bsp_nprocs_t) = &bsp_begin;
	void (*end)(void) = bsp_end;
	void (*sync)(void) = &bsp_sync;
	void (*push)(const void *, bsp_size_t) = bsp_push_reg;
	void (*put)(bsp_pid_t, const void *, void *, bsp_size_t, bsp_size_t) = &bsp_put;
	bsp_pid_t (*pid)(void) = bsp_pid;
	int v = 5;

	begin(bsp_nprocs());
	tap_process((int)pid());
	push(&x, sizeof x);
	sync();
	put(right(), &v, &x, 0, sizeof v);
	sync();
	is_int(5, x, "put through a pointer");
	end();
}

/* The plain function does not know its place, so its message names none. */
static void wrong_call(void)
{
	enter();
	(bsp_put)(4711, &x, &x, 0, sizeof x);
	bsp_end();
}

int main(void)
{
	lives_ok(in_brackets, 0, "in brackets");
	lives_ok(in_brackets, 1, "in brackets on one process");
	lives_ok(relaxed_in_brackets, 0, "in brackets, relaxed");
	lives_ok(announced, 0, "in brackets, behind bsp_init");
	lives_ok(through_pointers, 0, "through pointers");
	dies_ok(wrong_call, 0, "bsp_put: process 4711 does not exist",
		"errors are found all the same");
	ok(strstr(job_err(), "superstep 0)\n"), "the message ends with the superstep");
	return done_testing();
}
