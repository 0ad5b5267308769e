/* SPDX-License-Identifier: BSD-3-Clause */
/* In relaxed supersteps too a transfer beyond the area of its target ends the job. */
#include "../lib/relaxed.h"

static int x[8], v[8];
static bool early;

/* Process 0 is ahead of process 1, or behind. */
static void begin(void)
{
	enter_eager();
	publish(x, bsp_pid() == 0 ? sizeof x : sizeof x / 2);
	if (bsp_pid() == (early ? 1 : 0))
		await_flag(0, 1);
}

static void finish(void)
{
	for (int s = 0; s < 3; s++) {
		bsp_sync();
		raise_flag(0);
	}
	bsp_end();
}

static void put(void)
{
	begin();
	if (bsp_pid() == 0)
		expect_site(), bsp_put(1, v, x, 4, sizeof x / 2);
	finish();
}

static void hpput(void)
{
	begin();
	if (bsp_pid() == 0)
		expect_site(), bsp_hpput(1, v, x, sizeof x / 2, 1);
	finish();
}

/* The gets that come before are answered. */
static void get(void)
{
	enter_eager();
	publish(x, bsp_pid() == 0 ? sizeof x : sizeof x / 2);
	if (bsp_pid() == 1)
		bsp_serve(x, 2);
	if (bsp_pid() == 0) {
		bsp_get(1, x, 0, v, sizeof x / 2);
		expect_site(), bsp_get(1, x, 1, v + 4, sizeof x / 2);
	}
	bsp_sync();
	bsp_sync();
	bsp_end();
}

int main(void)
{
	for (int i = 0; i < 2; i++, early = !early) {
		dies_ok(put, 2, "bsp_put: ", "put, the target is %s", early ? "behind" : "ahead");
		dies_ok(hpput, 2, "bsp_hpput: ", "hpput, it is %s", early ? "behind" : "ahead");
	}
	dies_ok(get, 2, "bsp_get: ", "get that is announced");
	return done_testing();
}
