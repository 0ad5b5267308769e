/* SPDX-License-Identifier: BSD-3-Clause */
/* Each process registers a size of its own, and that of the target is the bound. */
#include "../lib/spmd.h"

static char area[1000], letter = 'x', got;

static int size_on(bsp_pid_t pid)
{
	return 10 * ((int)pid + 1);
}

static void register_own_size(void)
{
	enter();
	memset(area, '-', sizeof area);
	publish(area, (size_t)size_on(bsp_pid()));
}

static void last_byte(void)
{
	bool each = true;

	register_own_size();
	for (bsp_pid_t pid = 0; pid < bsp_nprocs(); pid++)
		bsp_put(pid, &letter, area, size_on(pid) - 1 - (int)bsp_pid(), 1);
	bsp_get(right(), area, size_on(right()) - 1 - (int)left(), &got, 1);
	bsp_sync();
	for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
		each = each && area[size_on(bsp_pid()) - 1 - pid] == 'x';
	ok(each, "the last bytes of every process's area can be reached");
	is_int('-', got, "what was there before the put");
	bsp_end();
}

/* Process 0 has the smallest area: what fits on the others does not fit there. */
static void too_much_for_0(void)
{
	register_own_size();
	if (bsp_pid() == 1) {
		expect_process(1);
		expect_site(), bsp_put(0, &letter, area, 10, 1);
	}
	bsp_sync();
	bsp_end();
}

static void too_much_from_0(void)
{
	register_own_size();
	if (bsp_pid() == 1) {
		expect_process(1);
		expect_site(), bsp_get(0, area, 10, &got, 1);
	}
	bsp_sync();
	bsp_end();
}

int main(void)
{
	lives_ok(last_byte, 0, "up to the size of the target");
	lives_ok(last_byte, 2, "up to the size of the target, of two");
	dies_ok(too_much_for_0, 2, "bsp_put: ", "a put beyond the size of the target");
	dies_ok(too_much_from_0, 2, "bsp_get: ", "a get beyond the size of the target");
	return done_testing();
}
