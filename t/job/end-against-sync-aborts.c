/* SPDX-License-Identifier: BSD-3-Clause */
/* A process in bsp_end while another is in bsp_sync ends the job, it never hangs. */
#include "../lib/spmd.h"

static int x;

static void end_on_0(void)
{
	enter();
	if (bsp_pid() != 0)
		bsp_sync();
	bsp_end();
}

static void sync_on_0(void)
{
	enter();
	if (bsp_pid() == 0)
		bsp_sync();
	bsp_end();
}

static void after_some_supersteps(void)
{
	enter();
	publish(&x, sizeof x);
	for (int i = 0; i < 3; i++)
		bsp_put(right(), &i, &x, 0, sizeof i), bsp_sync();
	bsp_put(right(), &x, &x, 0, sizeof x);
	if (bsp_pid() == 1)
		bsp_sync();
	bsp_end();
}

/* Operations called just before bsp_end are dropped, and that is no error. */
static void end_with_traffic(void)
{
	static char data[1 << 20];

	enter();
	publish(data, sizeof data);
	bsp_put(right(), data, data, 0, sizeof data);
	bsp_send(right(), NULL, data, sizeof data);
	bsp_get(right(), data, 0, data, sizeof data);
	bsp_hpput(left(), data, data, 0, 1);
	bsp_push_reg(&x, sizeof x);
	bsp_end();
}

int main(void)
{
	dies_ok(end_on_0, 2, "bsp_", "process 0 of 2 ends, the other synchronises");
	dies_ok(sync_on_0, 2, "bsp_", "process 1 of 2 ends, the other synchronises");
	dies_ok(end_on_0, 4, "bsp_", "process 0 of 4 ends");
	dies_ok(sync_on_0, 4, "bsp_", "process 0 of 4 synchronises");
	dies_ok(after_some_supersteps, 3, "bsp_", "one more superstep on process 1");
	lives_ok(end_with_traffic, 0, "traffic without a last bsp_sync");
	lives_ok(end_with_traffic, 1, "traffic without a last bsp_sync on one process");
	return done_testing();
}
