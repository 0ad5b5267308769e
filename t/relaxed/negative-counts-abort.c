/* SPDX-License-Identifier: BSD-3-Clause */
/* A negative number of puts, gets or messages ends the job at the call. */
#include "../lib/relaxed.h"

#include <limits.h>

static int x, n;

static void begin(void)
{
	enter_eager();
	publish(&x, sizeof x);
	bsp_sync();
	expect_superstep(2);
}

static void read_negative(void)
{
	begin();
	expect_site(), bsp_read(&x, n);
	bsp_end();
}

static void read_test_negative(void)
{
	begin();
	expect_site(), (void)bsp_read_test(&x, n);
	bsp_end();
}

static void serve_negative(void)
{
	begin();
	expect_site(), bsp_serve(&x, n);
	bsp_end();
}

static void expect_negative(void)
{
	begin();
	expect_site(), bsp_expect(n);
	bsp_end();
}

int main(void)
{
	static const int numbers[] = { -1, -2, INT_MIN };

	for (int i = 0; i < 3; i++) {
		n = numbers[i];
		dies_ok(read_negative, 2, "bsp_read: ", "bsp_read of %d", n);
		dies_ok(read_test_negative, 2, "bsp_read_test: ", "bsp_read_test of %d", n);
		dies_ok(serve_negative, 2, "bsp_serve: ", "bsp_serve of %d", n);
		dies_ok(expect_negative, 2, "bsp_expect: ", "bsp_expect of %d", n);
	}
	dies_ok(read_negative, 1, "bsp_read: ", "bsp_read of %d on one process", n);
	return done_testing();
}
