/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts of one superstep to several areas are counted area by area, and read in any order. */
#include "../lib/relaxed.h"

enum { AREAS = 6, SUPERSTEPS = 60, MOST = 8, BIG = 40000 };

static int area[AREAS][MOST];
static unsigned char big[BIG], source[BIG];
static int wrong_values;

static int value(int pid, int a, int s)
{
	return s * 1000 + a * 10 + pid;
}

/* To area a go the puts of process 0 .. a; one area is big. */
static void put_all(int s)
{
	for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
		for (int a = (int)bsp_pid(); a < AREAS; a++) {
			int v = value((int)bsp_pid(), a, s);

			bsp_put((bsp_pid_t)pid, &v, area[a],
				(bsp_size_t)((size_t)bsp_pid() * sizeof v), sizeof v);
		}
	fill(source, BIG, (uint32_t)value((int)bsp_pid(), 9, s));
	bsp_put(right(), source, big, 0, BIG);
}

static void read_one(int a, int s)
{
	int n = a < (int)bsp_nprocs() ? a + 1 : (int)bsp_nprocs();

	if (a == AREAS) {
		bsp_read(big, 1);
		wrong_values += wrong(big, BIG, (uint32_t)value((int)left(), 9, s)) != 0;
		return;
	}
	bsp_read(area[a], n);
	for (int pid = 0; pid < n; pid++)
		wrong_values += area[a][pid] != value(pid, a, s);
}

static void body(void)
{
	enter_relaxed();
	for (int a = 0; a < AREAS; a++)
		bsp_push_reg(area[a], sizeof area[a]);
	publish(big, BIG);
	for (int s = 0; s < SUPERSTEPS; s++) {
		put_all(s);
		bsp_sync();
		for (int k = 0; k <= AREAS; k++)
			read_one((k * (1 + s % 6) + s / 6 + (int)bsp_pid()) % (AREAS + 1), s);
	}
	is_int(0, wrong_values, "every value in every superstep");
	bsp_end();
}

int main(void)
{
	under_each(body, 0, "seven areas");
	lives_ok(body, 8, "seven areas, eight processes");
	lives_ok(body, 1, "seven areas, one process");
	return done_testing();
}
