/* SPDX-License-Identifier: BSD-3-Clause */
/* 100 processes, and 256, communicate all with all on any machine. */
#include "../lib/spmd.h"

static int from[256];

static void total_exchange(int rounds)
{
	int good = 0, last = -1;

	enter();
	publish(from, sizeof from);
	for (int round = 0; round < rounds; round++) {
		for (int pid = 0; pid < (int)bsp_nprocs(); pid++) {
			int v = 1000 * round + (int)bsp_pid();

			bsp_put(pid, &v, from, (bsp_size_t)((int)bsp_pid() * (int)sizeof v),
				sizeof v);
		}
		bsp_send(right(), NULL, &round, sizeof round);
		bsp_sync();
		for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
			good += from[pid] == 1000 * round + pid;
		bsp_move(&last, sizeof last);
		good += last == round;
	}
	is_int(rounds * ((long)bsp_nprocs() + 1), good, "all that was sent has arrived");
	bsp_end();
}

static void few_rounds(void)
{
	total_exchange(3);
}

static void one_round(void)
{
	total_exchange(1);
}

static void one_aborts(void)
{
	enter();
	bsp_sync();
	if (bsp_pid() == 77)
		bsp_abort("no more");
	bsp_sync();
	bsp_end();
}

int main(void)
{
	if (job_max_nprocs() < 100)
		skip_all("not applicable: this transport does not have so many processes");
	lives_ok(few_rounds, 100, "100 processes");
	dies_ok(one_aborts, 100, "bsp_abort: no more (process 77, superstep 1",
		"one of 100 aborts");
	lives_ok(one_round, 256, "256 processes");
	return done_testing();
}
