/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts of many supersteps add up until the superstep in which their area is read. */
#include "../lib/relaxed.h"

enum { SUPERSTEPS = 240, OFTEN = 1, SELDOM = 12, ONCE = SUPERSTEPS, MOST = 8 };

static int often, seldom[SELDOM], once[SUPERSTEPS][MOST];
static int wrong_values;

static int value(int pid, int s)
{
	return s * 1000 + pid;
}

static void put_all(int s)
{
	int v = value((int)bsp_pid(), s);

	bsp_put(right(), &v, &often, 0, sizeof v);
	bsp_put(left(), &v, seldom, (bsp_size_t)((size_t)(s % SELDOM) * sizeof v), sizeof v);
	for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
		bsp_put((bsp_pid_t)pid, &v, once,
			(bsp_size_t)(((size_t)s * MOST + (size_t)bsp_pid()) * sizeof v), sizeof v);
}

static void read_seldom(int s)
{
	bsp_read(seldom, SELDOM);
	for (int k = 0; k < SELDOM; k++)
		wrong_values += seldom[k] != value((int)right(), s - SELDOM + 1 + k);
}

static void read_once(void)
{
	bsp_read(once, SUPERSTEPS * (int)bsp_nprocs());
	for (int s = 0; s < SUPERSTEPS; s++)
		for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
			wrong_values += once[s][pid] != value(pid, s);
}

static void body(void)
{
	enter_relaxed();
	bsp_push_reg(&often, sizeof often);
	bsp_push_reg(seldom, sizeof seldom);
	publish(once, sizeof once);
	for (int s = 0; s < SUPERSTEPS; s++) {
		put_all(s);
		bsp_sync();
		if (s % SELDOM == SELDOM - 1)
			read_seldom(s);
		bsp_read(&often, OFTEN);
		wrong_values += often != value((int)left(), s);
	}
	read_once();
	is_int(0, wrong_values, "every value in its superstep");
	bsp_end();
}

int main(void)
{
	under_each(body, 0, "areas read always, now and then, and at the end");
	lives_ok(body, 6, "six processes");
	lives_ok(body, 1, "one process");
	return done_testing();
}
