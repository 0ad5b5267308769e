/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes to the same bytes take place in the order of source processes, then of the program. */
#include "../lib/random.h"
#include "../lib/spmd.h"

enum { SIZE = 300000, ROUNDS = 25, MOST = 12 };

/* One transfer of a plan that all processes know. */
struct transfer {
	int process;			/* which puts it, or from which it is got */
	int offset, length, seed;
};

static struct transfer plans[8 * MOST];
static unsigned char model[SIZE], area[SIZE], got[SIZE], source[SIZE];
static uint64_t state;

static uint32_t pick(uint32_t n)
{
	return (uint32_t)random_below(&state, n);
}

/* In a chunk, more than a chunk of some transport, in bulk. */
static int some_length(void)
{
	static const uint32_t most[] = { 40, 3000, 40000, 200000 };

	return 1 + (int)pick(most[pick(4)]);
}

static void make_plan(int transfers, int processes)
{
	for (int k = 0; k < transfers; k++) {
		int length = some_length();

		plans[k] = (struct transfer){ (int)pick((uint32_t)processes),
					      (int)pick((uint32_t)(SIZE - length)), length,
					      (int)pick(1u << 30) };
	}
}

/* Runs the plan on the model: one process after the other, each in the order of its calls. */
static void run_model(int transfers, int processes)
{
	memset(model, 0, SIZE);
	for (int q = 0; q < processes; q++)
		for (int k = 0; k < transfers; k++)
			if (plans[k].process == q)
				fill(model + plans[k].offset, (size_t)plans[k].length,
				     (uint32_t)plans[k].seed);
}

/* All put what the plan says to the last process. */
static bool puts_are_in_order(int transfers)
{
	int me = (int)bsp_pid(), p = (int)bsp_nprocs();

	make_plan(transfers, p);
	run_model(transfers, p);
	memset(area, 0, SIZE);
	bsp_sync();
	for (int k = 0; k < transfers; k++) {
		if (plans[k].process != me)
			continue;
		fill(source, (size_t)plans[k].length, (uint32_t)plans[k].seed);
		bsp_put(p - 1, source, area, plans[k].offset, plans[k].length);
	}
	bsp_sync();
	return me != p - 1 || memcmp(area, model, SIZE) == 0;
}

/* Each process gets what the plan says, from where @store of a process has its part. */
static bool gets_are_in_order(int transfers)
{
	static unsigned char store[MOST * 200001];
	static int at[8 * MOST];
	int me = (int)bsp_pid(), p = (int)bsp_nprocs(), used = 0;
	bool right;

	make_plan(transfers, p);
	run_model(transfers, p);
	for (int q = 0; q < p; q++) {
		used = 0;
		for (int k = 0; k < transfers; k++) {
			if (plans[k].process != q)
				continue;
			if (used + plans[k].length > (int)sizeof store)
				bsp_abort("the plan is too large");
			at[k] = used;
			if (q == me)
				fill(store + used, (size_t)plans[k].length,
				     (uint32_t)plans[k].seed);
			used += plans[k].length;
		}
	}
	memset(got, 0, SIZE);
	bsp_push_reg(store, sizeof store);
	bsp_sync();
	for (int k = 0; k < transfers; k++)
		bsp_get(plans[k].process, store, at[k], got + plans[k].offset, plans[k].length);
	bsp_sync();
	right = memcmp(got, model, SIZE) == 0;
	bsp_pop_reg(store);
	bsp_sync();
	return right;
}

static void body(void)
{
	int right_puts = 0, right_gets = 0;

	enter();
	publish(area, SIZE);
	state = 12345;
	for (int round = 0; round < ROUNDS; round++)
		right_puts += puts_are_in_order(MOST * (1 + (int)pick(4)));
	is_int(ROUNDS, right_puts, "puts");
	for (int round = 0; round < ROUNDS; round++)
		right_gets += gets_are_in_order(MOST);
	is_int(ROUNDS, right_gets, "gets");
	bsp_end();
}

int main(void)
{
	static const char *const barriers[] = { "auto", "alltoall", "dissemination", "counting" };

	for (int processes = 1; processes < 8; processes += processes < 4 ? 1 : 3)
		lives_ok(body, processes, "%d process%s", processes, processes == 1 ? "" : "es");
	for (size_t i = 1; i < sizeof barriers / sizeof *barriers; i++) {
		setenv("BSP_BARRIER", barriers[i], 1);
		lives_ok(body, 3, "three processes, barrier %s", barriers[i]);
	}
	setenv("BSP_BARRIER", "auto", 1);
	setenv("BSP_CHECK", "1", 1);
	lives_ok(body, 3, "three processes, under BSP_CHECK");
	return done_testing();
}
