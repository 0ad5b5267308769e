/* SPDX-License-Identifier: BSD-3-Clause */
/* 1024 processes communicate with neighbours, and 257 and 511; one of 1023 that dies ends all. */
#include "../lib/spmd.h"

#include <signal.h>

static int from_left, from_right;

static void put_to_both(int value)
{
	bsp_put(right(), &value, &from_left, 0, sizeof value);
	bsp_put(left(), &value, &from_right, 0, sizeof value);
}

/* Areas are pushed and popped, there are puts, gets and messages, and far peers besides. */
static void few_supersteps(void)
{
	int n, me, far, good = 0, v = 0, sent = 0;

	enter();
	n = (int)bsp_nprocs();
	me = (int)bsp_pid();
	bsp_push_reg(&from_left, sizeof from_left);
	publish(&from_right, sizeof from_right);
	for (int step = 0; step < 5; step++) {
		put_to_both(step * n + me);
		bsp_sync();
		good += from_left == step * n + (int)left() &&
			from_right == step * n + (int)right();
	}
	is_int(5, good, "supersteps in which both puts arrived");
	far = (me + n / 2) % n;
	bsp_get(far, &from_left, 0, &v, sizeof v);
	bsp_send(far, NULL, &me, sizeof me);
	bsp_pop_reg(&from_left);
	bsp_sync();
	is_int(4 * n + (far + n - 1) % n, v, "what was got from half the way around");
	bsp_move(&sent, sizeof sent);
	is_int((me + n - n / 2) % n, sent, "the message from there");
	bsp_end();
}

static void one_is_killed(void)
{
	enter();
	bsp_sync();
	if (bsp_pid() == 120)
		raise(SIGKILL);
	bsp_sync();
	bsp_end();
}

int main(void)
{
	if (job_max_nprocs() < 1024)
		skip_all("not applicable: this transport does not have so many processes");
	lives_ok(few_supersteps, 257, "257 processes");
	/* with sanitizers each takes as much memory as ten others */
	lives_ok(few_supersteps, SANITIZED ? 129 : 511, "511 processes");
	lives_ok(few_supersteps, SANITIZED ? 130 : 1024, "1024 processes");
	dies_ok(one_is_killed, SANITIZED ? 129 : 1023, "bsp: killed by signal 9", "one is killed");
	return done_testing();
}
