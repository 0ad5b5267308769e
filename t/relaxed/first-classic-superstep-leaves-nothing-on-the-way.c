/* SPDX-License-Identifier: BSD-3-Clause */
/* The first classic superstep after relaxed ones has all that was sent, and no counts. */
#include "../lib/relaxed.h"

enum { MOST = 8, ROUNDS = 6, SUPERSTEPS = 5, BIG = 300000 };

static int x[SUPERSTEPS][MOST];	/* what each process puts in each superstep of a round */
static unsigned char big[BIG];
static int wrong_values, wrong_reads;

static int value(int pid, int round, int k)
{
	return round * 10000 + k * 100 + pid;
}

/* In relaxed supersteps: to every process, and no process reads it. */
static void put_all(int round, int k)
{
	for (int pid = 0; pid < (int)bsp_nprocs(); pid++) {
		int v = value((int)bsp_pid(), round, k);

		bsp_put((bsp_pid_t)pid, &v, x,
			(bsp_size_t)(((size_t)k * MOST + (size_t)bsp_pid()) * sizeof v), sizeof v);
	}
}

/* Supersteps of quite different lengths. */
static void compute(int round, int k)
{
	volatile int spun = 0;

	while (spun < ((int)bsp_pid() * 7 + round * 3 + k) % 5 * 100000)
		spun++;
}

static void check(int round)
{
	for (int k = 0; k < SUPERSTEPS; k++)
		for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
			wrong_values += x[k][pid] != value(pid, round, k);
	wrong_values += wrong(big, BIG, (uint32_t)round * 10 + (uint32_t)left()) != 0;
	wrong_reads += bsp_read_test(x, 1000) != 1 || bsp_read_test(big, 1000) != 1;
	bsp_read(x, 1000);
}

static void relaxed_part(int round)
{
	static unsigned char source[BIG];

	for (int k = 0; k < SUPERSTEPS; k++) {
		put_all(round, k);
		if (k == 2) {
			fill(source, BIG, (uint32_t)round * 10 + (uint32_t)bsp_pid());
			bsp_put(right(), source, big, 0, BIG);
		}
		compute(round, k);
		bsp_sync();
	}
}

/* No surplus of the rounds before: what is counted begins with this superstep. */
static void one_read(void)
{
	int v = 4711;

	bsp_put(right(), &v, x, 0, sizeof v);
	bsp_sync();
	wrong_reads += bsp_read_test(x, 2) != 0;
	bsp_read(x, 1);
	wrong_values += x[0][0] != 4711;
}

static void body(void)
{
	enter();
	bsp_push_reg(x, sizeof x);
	publish(big, BIG);
	for (int round = 0; round < ROUNDS; round++) {
		bsp_set_sync(BSP_RELAXED);
		relaxed_part(round);
		bsp_set_sync(BSP_CLASSIC);
		bsp_sync();
		check(round);
		bsp_set_sync(BSP_RELAXED);
		one_read();
		bsp_set_sync(BSP_CLASSIC);
		for (int k = 0; k < round; k++)
			bsp_sync();
	}
	is_int(0, wrong_values, "every value put is there");
	is_int(0, wrong_reads, "every count is as it should be");
	bsp_end();
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	setenv("BSP_UNREAD", "ignore", 1);
	lives_ok(body, 0, "classic and relaxed by turns");
	under("BSP_EAGER", "0", body, 0, "classic and relaxed by turns");
	under("BSP_EAGER", "64", body, 0, "classic and relaxed by turns");
	under("BSP_CREDIT", "256", body, 0, "classic and relaxed by turns");
	under("BSP_BARRIER", "alltoall", body, 0, "classic and relaxed by turns");
	under("BSP_BARRIER", "counting", body, 0, "classic and relaxed by turns");
	under("BSP_BARRIER", "dissemination", body, 0, "classic and relaxed by turns");
	under("BSP_BARRIER", "binomial", body, 0, "classic and relaxed by turns");
	lives_ok(body, 7, "seven processes");
	lives_ok(body, 1, "one process");
	return done_testing();
}
