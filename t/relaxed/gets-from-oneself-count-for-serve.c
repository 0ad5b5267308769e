/* SPDX-License-Identifier: BSD-3-Clause */
/* A get from oneself is one of the gets that bsp_serve announces. */
#include "../lib/relaxed.h"

static int x;

static void body(void)
{
	int v = 2, got = 0, other = 0;

	enter_relaxed();
	publish(&x, sizeof x);
	x = 1;
	bsp_serve(&x, 1);
	bsp_get(bsp_pid(), &x, 0, &got, sizeof got);
	bsp_put(bsp_pid(), &v, &x, 0, sizeof v);
	bsp_sync();
	is_int(1, got, "a get from oneself, before the put");
	bsp_read(&x, 1);
	is_int(2, x, "then the put");
	x += (int)bsp_pid();
	bsp_serve(&x, 3);
	bsp_get(bsp_pid(), &x, 0, &got, sizeof got);
	bsp_hpget(bsp_pid(), &x, 0, &v, sizeof v);
	bsp_get(right(), &x, 0, &other, sizeof other);
	bsp_sync();
	is_int(2 + (int)bsp_pid(), got, "from oneself");
	is_int(2 + (int)bsp_pid(), v, "unbuffered");
	is_int(2 + (int)right(), other, "and from another");
	bsp_end();
}

int main(void)
{
	under_each(body, 0, "several processes");
	under_each(body, 1, "one process");
	return done_testing();
}
