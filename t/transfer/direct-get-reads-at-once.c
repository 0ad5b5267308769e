/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_direct_get: the value is there when the call returns, and no process waits for ever because
 * of it. */
#include "../lib/relaxed.h"

#include <bsp_coll.h>

#include <unistd.h>

enum { LARGE = 3 << 20, STEPS = 12 };

static char *large_areas(void)
{
	char *area = malloc(2 * LARGE);

	if (!area)
		bail("no memory");
	fill(area, LARGE, (uint32_t)bsp_pid());
	return area;
}

/* All read from each other in each superstep, some before the owner has left the last one. */
static void values_and_pieces(void)
{
	int value, got = -1, bad = 0;
	char *area;

	enter();
	area = large_areas();
	value = (int)bsp_pid();
	bsp_push_reg(area, LARGE);
	publish(&value, sizeof value);
	for (int i = 0; i < STEPS; i++) {
		bsp_pid_t q = (bsp_pid_t)((bsp_pid() + (bsp_pid_t)i) % bsp_nprocs());

		bsp_direct_get(q, &value, 0, &got, sizeof got);
		bad += got != (int)q + 100 * i;
		bsp_sync();
		value += 100;
		bsp_sync();
	}
	is_int(0, bad, "each value is that of the superstep");
	bsp_direct_get(left(), area, 5, area + LARGE, LARGE - 5);
	is_int(0, wrong_from(area + LARGE, LARGE - 5, (uint32_t)left(), 5),
	       "3 MiB but for 5 bytes");
	bsp_sync();
	free(area);
	bsp_end();
}

/* Puts of the superstep before are visible, puts of this one are not. */
static void between_supersteps(void)
{
	int value = -1, mine, got, bad = 0;

	enter();
	publish(&value, sizeof value);
	for (int i = 0; i < STEPS; i++) {
		mine = 1000 * i + (int)bsp_pid();
		bsp_put(right(), &mine, &value, 0, sizeof mine);
		bsp_get(right(), &value, 0, &got, sizeof got);
		bsp_direct_get(right(), &value, 0, &got, sizeof got);
		bad += got != (i ? 1000 * (i - 1) + (int)bsp_pid() : -1);
		got = -2;
		bsp_sync();
		bad += got != (i ? 1000 * (i - 1) + (int)bsp_pid() : -1);
	}
	is_int(0, bad, "puts before it are seen, those of its superstep are not");
	bsp_end();
}

/* The others have long been in bsp_sync, or in bsp_end. */
static void while_others_wait(void)
{
	int value, got, sum = 0;

	enter();
	value = 10 + (int)bsp_pid();
	publish(&value, sizeof value);
	if (bsp_pid() == 0)
		for (int i = 0; i < STEPS; i++)
			for (bsp_pid_t q = 0; q < (bsp_pid_t)bsp_nprocs(); q++) {
				bsp_direct_get(q, &value, 0, &got, sizeof got);
				sum += got == 10 + (int)q;
			}
	bsp_sync();
	if (bsp_pid() == 0) {
		for (bsp_pid_t q = 0; q < (bsp_pid_t)bsp_nprocs(); q++) {
			bsp_direct_get(q, &value, 0, &got, sizeof got);
			sum += got == 10 + (int)q;
		}
		is_int((STEPS + 1) * (long)bsp_nprocs(), sum,
		       "bsp_sync and bsp_end go on answering");
	}
	bsp_end();
}

/* With messages that are kept, collective operations under way, registrations that come and go. */
static void amid_all_else(void)
{
	int value, got, bad = 0, all, area;
	bsp_request r;

	enter();
	value = (int)bsp_pid();
	publish(&value, sizeof value);
	for (int i = 0; i < STEPS; i++) {
		bsp_push_reg(&area, sizeof area);
		bsp_send(right(), NULL, &i, sizeof i);
		r = bsp_iallreduce(BSP_SUM, BSP_INT, &value, &all, 1);
		bsp_direct_get(right(), &value, 0, &got, sizeof got);
		bad += got != (int)right();
		bsp_wait(&r);
		bsp_sync();
		bsp_direct_get(left(), &value, 0, &got, sizeof got);
		bad += got != (int)left();
		bsp_move(&got, sizeof got);
		bad += got != i;
		bsp_pop_reg(&area);
		bsp_direct_get(right(), &area, 0, &got, sizeof got);
		bsp_sync();
	}
	is_int(0, bad, "with messages, collective operations and registrations");
	bsp_end();
}

static void in_relaxed_supersteps(void)
{
	int value, got, bad = 0, halo = -1;

	enter_relaxed();
	value = (int)bsp_pid();
	bsp_push_reg(&halo, sizeof halo);
	publish(&value, sizeof value);
	for (int i = 0; i < STEPS; i++) {
		bsp_put(right(), &i, &halo, 0, sizeof i);
		bsp_direct_get((bsp_pid_t)(i % (int)bsp_nprocs()), &value, 0, &got, sizeof got);
		bad += got != i % (int)bsp_nprocs();
		bsp_sync();
		bsp_read(&halo, 1);
		bad += halo != i;
	}
	is_int(0, bad, "in relaxed supersteps");
	bsp_end();
}

static int area[2], other;

static void beyond(void)
{
	int got[3];

	enter();
	publish(area, sizeof area);
	if (bsp_pid() == 1)
		expect_site(), bsp_direct_get(0, area, 4, got, 8);
	bsp_end();
}

static void null_there(void)
{
	int got;

	enter();
	publish(bsp_pid() == 0 ? NULL : area, bsp_pid() == 0 ? 0 : sizeof area);
	if (bsp_pid() == 1)
		expect_site(), bsp_direct_get(0, area, 0, &got, 4);
	bsp_end();
}

static void of_no_process(void)
{
	enter();
	publish(area, sizeof area);
	expect_site(), bsp_direct_get((bsp_pid_t)4711, area, 0, &other, 4);
	bsp_end();
}

static void unregistered(void)
{
	enter();
	publish(area, sizeof area);
	expect_site(), bsp_direct_get(0, &other, 0, &other, 4);
	bsp_end();
}

static void nowhere(void)
{
	enter();
	publish(area, sizeof area);
	expect_site(), bsp_direct_get(0, area, 0, NULL, 4);
	bsp_end();
}

static void outside(void)
{
	expect_site(), bsp_direct_get(0, area, 0, &other, 4);
}

/* The owner leaves without a word while the caller waits for it. */
static void owner_dies(void)
{
	int got;

	enter();
	publish(area, sizeof area);
	if (bsp_pid() == 0)
		_exit(3);
	for (;;)
		bsp_direct_get(0, area, 0, &got, 4);
}

static void reads_of_0_bytes(void)
{
	enter();
	bsp_direct_get((bsp_pid_t)4711, NULL, 7, NULL, 0);
	ok(1, "0 bytes: nothing is checked");
	bsp_end();
}

/* One process to five, or every @step-th of these numbers. */
static void right_ones(const char *how, int step)
{
	for (int n = 1; n <= 5; n += step) {
		lives_ok(values_and_pieces, n, "%s: values and pieces, %d processes", how, n);
		lives_ok(between_supersteps, n, "%s: between supersteps, %d processes", how, n);
		lives_ok(while_others_wait, n, "%s: while others wait, %d processes", how, n);
		lives_ok(amid_all_else, n, "%s: amid all else, %d processes", how, n);
		lives_ok(in_relaxed_supersteps, n, "%s: in relaxed supersteps, %d processes", how,
			 n);
	}
}

static void under_each_barrier(void)
{
	static const char *const barriers[] = { "alltoall", "dissemination", "binomial" };

	for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++) {
		setenv("BSP_BARRIER", barriers[i], 1);
		right_ones(barriers[i], tap_is_long() ? 2 : 3);
	}
	unsetenv("BSP_BARRIER");
}

static void wrong_ones(void)
{
	dies_ok(beyond, 2,
		"bsp_direct_get: offset 4 + 8 bytes is beyond the 8 bytes registered on process 0",
		"beyond the area");
	dies_ok(null_there, 2, "bsp_direct_get: process 0 has registered NULL for this area",
		"NULL there");
	dies_ok(of_no_process, 2, "bsp_direct_get: process 4711 does not exist, there are 2",
		"no such process");
	dies_ok(unregistered, 2, "bsp_direct_get: 0x", "not registered");
	dies_ok(nowhere, 2, "bsp_direct_get: the destination is NULL", "NULL here");
	dies_ok(outside, 2, "bsp_direct_get: called before bsp_begin", "outside the SPMD part");
	dies_ok(owner_dies, 2, "bsp", "the owner dies");
	lives_ok(reads_of_0_bytes, 2, "0 bytes");
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	tap_set_limit("BSP_WATCHDOG", 60);
	under_each_barrier();
	setenv("BSP_PROGRESS", "thread", 1);
	right_ones("BSP_PROGRESS=thread", tap_is_long() ? 1 : 2);
	unsetenv("BSP_PROGRESS");
	wrong_ones();
	return done_testing();
}
