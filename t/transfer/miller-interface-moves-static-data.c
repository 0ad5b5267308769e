/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface before BSPlib: static data need no registration, other data abort. */
#include "../lib/spmd.h"

static int x, y, sum, shared, nprocs, pid;
static double initialised = 1.5;
static int table[1000];

static void start(void)
{
	bspstart(0, NULL, (int)bsp_nprocs(), &nprocs, &pid);
	tap_process(pid);
}

static void add(void *result, void *first, void *second, int nbytes)
{
	int total = nbytes == sizeof(int) ? *(int *)first + *(int *)second : -100000;

	memcpy(result, &total, sizeof total);
}

static void store_and_fetch(void)
{
	int next, v, got = -1;
	double half = 0.5;

	start();
	next = (pid + 1) % nprocs;
	v = 100 + pid;
	y = 200 + pid;
	bspsstep(1);
	bspstore(next, &v, &x, sizeof x);
	bspstore(next, &v, &table[999], sizeof v);
	bspstore(next, &half, &initialised, sizeof half);
	bspfetch(next, &y, &got, sizeof got);
	bspsstep_end(1);
	is_int(100 + (pid + nprocs - 1) % nprocs, x, "bspstore");
	is_int(100 + (pid + nprocs - 1) % nprocs, table[999], "bspstore into an array");
	ok(initialised < 1, "bspstore into initialised data");
	is_int(200 + next, got, "bspfetch");
	bspfinish();
}

static void collectives(void)
{
	int mine;

	start();
	mine = pid + 1;
	x = mine;
	bspreduce(add, &x, &sum, sizeof sum);
	is_int(nprocs * (nprocs + 1) / 2, sum, "bspreduce: every process has the sum");
	y = 100 + pid;
	for (int root = 0; root < nprocs; root++) {
		bspbroadcast(root, &y, &shared, sizeof shared);
		is_int(100 + root, shared, "bspbroadcast from %d", root);
	}
	ok(bsptime() >= 0 && bspdtime() >= 0, "times");
	bspfinish();
}

static void all_processors(void)
{
	int most = bsp_nprocs();

	bspstart(0, NULL, 0, &nprocs, &pid);
	tap_process(pid);
	is_int(most, nprocs, "0 means as many as there can be");
	bspfinish();
}

static void fewer_than_none(void)
{
	bspstart(0, NULL, -1, &nprocs, &pid);
}

static void store_to_heap(void)
{
	int *heap = malloc(sizeof *heap);

	start();
	bspstore((pid + 1) % nprocs, &x, heap, sizeof *heap);
	bspsstep_end(1);
	bspfinish();
}

static void fetch_from_stack(void)
{
	int local = 0;

	start();
	bspfetch((pid + 1) % nprocs, &local, &x, sizeof x);
	bspsstep_end(1);
	bspfinish();
}

static void store_to_no_process(void)
{
	start();
	bspstore(nprocs, &x, &y, sizeof x);
	bspfinish();
}

static void store_negative(void)
{
	start();
	bspstore(0, &x, &y, -1);
	bspfinish();
}

static void before_start(void)
{
	bspstore(0, &x, &y, sizeof x);
}

int main(void)
{
	lives_ok(store_and_fetch, 0, "bspstore and bspfetch");
	lives_ok(store_and_fetch, 1, "bspstore and bspfetch on one process");
	lives_ok(collectives, 0, "bspreduce and bspbroadcast");
	lives_ok(collectives, 1, "bspreduce and bspbroadcast on one process");
	lives_ok(collectives, 3, "bspreduce and bspbroadcast on three processes");
	lives_ok(all_processors, 0, "bspstart for all processors");
	lives_ok(all_processors, 3, "bspstart for three processes");
	dies_ok(fewer_than_none, 0, "bsp_begin: -1 processes", "bspstart for -1 processes");
	dies_ok(store_to_heap, 0, "bspstore: ", "bspstore to the heap");
	dies_ok(fetch_from_stack, 0, "bspfetch: ", "bspfetch from the stack");
	dies_ok(store_to_no_process, 0, "bspstore: ", "bspstore to a process that does not exist");
	dies_ok(store_negative, 0, "bspstore: ", "bspstore of -1 bytes");
	dies_ok(before_start, 0, "bspstore: ", "bspstore before bspstart");
	return done_testing();
}
