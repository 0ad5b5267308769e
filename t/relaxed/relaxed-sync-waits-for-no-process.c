/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_sync of a relaxed superstep returns while all other processes are still computing. */
#include "../lib/relaxed.h"

enum { SUPERSTEPS = 100 };

static int x[SUPERSTEPS][8];

/* Each in turn goes through all supersteps alone, the others are in the first. */
static void one_by_one(void)
{
	enter_eager();
	publish(x, sizeof x);
	await_flag(0, (int)bsp_pid());
	for (int s = 0; s < SUPERSTEPS; s++)
		bsp_sync();
	raise_flag(0);
	ok(true, "all supersteps, without the others");
	bsp_end();
}

/* The same with puts to every process, the first to read is the last to be ready. */
static void with_puts(void)
{
	int v = 1, here = 0;

	enter_eager();
	publish(x, sizeof x);
	await_flag(0, (int)bsp_pid());
	for (int s = 0; s < SUPERSTEPS; s++) {
		for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
			bsp_put((bsp_pid_t)pid, &v, x,
				(bsp_size_t)((s * 8 + (int)bsp_pid()) * (int)sizeof v), sizeof v);
		bsp_sync();
	}
	raise_flag(0);
	bsp_read(x, SUPERSTEPS * (int)bsp_nprocs());
	for (int s = 0; s < SUPERSTEPS; s++)
		for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
			here += x[s][pid];
	is_int(SUPERSTEPS * (int)bsp_nprocs(), here, "all puts are there");
	bsp_end();
}

int main(void)
{
	lives_ok(one_by_one, 2, "two processes");
	lives_ok(one_by_one, 5, "five processes");
	lives_ok(with_puts, 2, "two processes that put");
	lives_ok(with_puts, 5, "five processes that put");
	return done_testing();
}
