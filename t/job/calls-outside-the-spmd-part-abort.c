/* SPDX-License-Identifier: BSD-3-Clause */
/* Every call but bsp_nprocs and bsp_abort ends the program before bsp_begin and after bsp_end. */
#include "../lib/spmd.h"

static int x;
static bsp_size_t size;
static bsp_nprocs_t count;
static void *tag, *payload;

static void call_pid(void) { expect_site(), (void)bsp_pid(); }
static void call_time(void) { expect_site(), (void)bsp_time(); }
static void call_sync(void) { expect_site(), bsp_sync(); }
static void call_end(void) { expect_site(), bsp_end(); }
static void call_push_reg(void) { expect_site(), bsp_push_reg(&x, sizeof x); }
static void call_pop_reg(void) { expect_site(), bsp_pop_reg(&x); }
static void call_put(void) { expect_site(), bsp_put(0, &x, &x, 0, sizeof x); }
static void call_hpput(void) { expect_site(), bsp_hpput(0, &x, &x, 0, sizeof x); }
static void call_get(void) { expect_site(), bsp_get(0, &x, 0, &x, sizeof x); }
static void call_hpget(void) { expect_site(), bsp_hpget(0, &x, 0, &x, sizeof x); }
static void call_set_tagsize(void) { expect_site(), bsp_set_tagsize(&size); }
static void call_send(void) { expect_site(), bsp_send(0, NULL, &x, sizeof x); }
static void call_hpsend(void) { expect_site(), bsp_hpsend(0, NULL, &x, sizeof x); }
static void call_qsize(void) { expect_site(), bsp_qsize(&count, &size); }
static void call_get_tag(void) { expect_site(), bsp_get_tag(&size, NULL); }
static void call_move(void) { expect_site(), bsp_move(&x, sizeof x); }
static void call_s(void) { (void)bsp_s(); }
static void call_l(void) { (void)bsp_l(); }
static void call_g(void) { (void)bsp_g(); }
static void call_nhalf(void) { (void)bsp_nhalf(); }
static void call_hpmove(void) { expect_site(), (void)bsp_hpmove(&tag, &payload); }

static const struct {
	const char *name;
	void (*call)(void);
} calls[] = {
	{ "bsp_pid: ", call_pid },
	{ "bsp_time: ", call_time },
	{ "bsp_sync: ", call_sync },
	{ "bsp_end: ", call_end },
	{ "bsp_push_reg: ", call_push_reg },
	{ "bsp_pop_reg: ", call_pop_reg },
	{ "bsp_put: ", call_put },
	{ "bsp_hpput: ", call_hpput },
	{ "bsp_get: ", call_get },
	{ "bsp_hpget: ", call_hpget },
	{ "bsp_set_tagsize: ", call_set_tagsize },
	{ "bsp_send: ", call_send },
	{ "bsp_hpsend: ", call_hpsend },
	{ "bsp_qsize: ", call_qsize },
	{ "bsp_get_tag: ", call_get_tag },
	{ "bsp_move: ", call_move },
	{ "bsp_hpmove: ", call_hpmove },
	{ "bsp_s: ", call_s },
	{ "bsp_l: ", call_l },
	{ "bsp_g: ", call_g },
	{ "bsp_nhalf: ", call_nhalf },
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
	enter();
	bsp_end();
	calls[now].call();
}

static void nprocs_outside(void)
{
	is_int(2, (long)bsp_nprocs(), "before bsp_begin as many as there can be");
	enter();
	is_int(2, (long)bsp_nprocs(), "inside as many as there are");
	bsp_end();
	is_int(2, (long)bsp_nprocs(), "after bsp_end it still answers");
}

int main(void)
{
	for (now = 0; now < (int)(sizeof calls / sizeof *calls); now++) {
		dies_ok(before_begin, 2, calls[now].name, "%sbefore bsp_begin", calls[now].name);
		dies_ok(after_end, 1, calls[now].name, "%safter bsp_end", calls[now].name);
		dies_ok(after_end, 2, calls[now].name, "%safter bsp_end of two", calls[now].name);
	}
	lives_ok(nprocs_outside, 2, "bsp_nprocs may be called anywhere");
	return done_testing();
}
