/* SPDX-License-Identifier: BSD-3-Clause */
/* Total exchanges with busy receivers take the blocks of the model: barriers and asking first. */

/*
 * Each process puts a block to each other one, to the next ones first or to 0, 1, 2, ... on all; an
 * interface sends or receives one block after the other. Beside blocks all else is free, nearly.
 * The model is in bench/RELAXED.md.
 */
#include "../lib/relaxed.h"

enum { MOST = 10, ROUNDS = 24, BYTES = 100000 };

static double *times;		/* of each process at its end; shared with the job */
static bool zero_first;
static int rounds;

static void put_to_all(const char *from, char *to)
{
	int p = bsp_nprocs(), me = bsp_pid();

	for (int k = 0; k < p; k++) {
		int q = zero_first ? k : (me + k) % p;

		if (q != me)
			bsp_hpput(q, from + (size_t)q * BYTES, to, me * BYTES, BYTES);
	}
}

static void body(void)
{
	static char to[MOST * BYTES], from[MOST * BYTES];
	double begin;

	enter();
	publish(to, sizeof to);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	begin = bsp_time();
	for (int i = 0; i < rounds; i++) {
		put_to_all(from, to);
		bsp_sync();
		bsp_read(to, bsp_nprocs() - 1);
	}
	times[bsp_pid()] = bsp_time() - begin;
	bsp_end();
}

/* The time of an exchange, of @n of them, in those of a block. */
static double blocks_of(int procs, bool zero, int n)
{
	double last = 0;

	zero_first = zero;
	rounds = n;
	lives_ok(body, procs, "%d processes, %s first", procs, zero ? "0" : "next");
	for (int p = 0; p < procs; p++)
		if (times[p] > last)
			last = times[p];
	return last / n / (BYTES * 1e-6);
}

static void near_model(double blocks, double model, double percent, const char *what)
{
	double off = 100 * (blocks / model - 1);

	ok(-percent <= off && off <= percent, "%s: %.3f blocks, by the model %.3f", what, blocks,
	   model);
}

static void barriers(int p)
{
	setenv("BSP_SYNC", "classic", 1);
	setenv("BSP_BARRIER", "twophase", 1);
	near_model(blocks_of(p, false, 3), p - 1, 0.5, "org");
	near_model(blocks_of(p, true, 3), 2 * p - 3, 0.5, "org");
	unsetenv("BSP_BARRIER");
	unsetenv("BSP_SYNC");
}

static void asking(int p)
{
	setenv("BSP_EAGER", "0", 1);
	near_model(blocks_of(p, false, ROUNDS), 1.25 * (p - 1), 12, "rel");
	near_model(blocks_of(p, true, ROUNDS), 1.25 * (p - 1), 12, "rel");
	unsetenv("BSP_EAGER");
}

/* The first exchange begins on all processes at once, as one with barriers does. */
static void eager(int p)
{
	double blocks;

	near_model(blocks_of(p, false, ROUNDS), p - 1, 0.5, "eager");
	near_model(blocks_of(p, true, 1), 2 * p - 3, 0.5, "eager, the first");
	blocks = blocks_of(p, true, ROUNDS);
	ok(blocks >= p - 1 && blocks <= 1.01 * p, "eager: %.3f blocks, from %d to %d", blocks,
	   p - 1, p);
}

int main(void)
{
	times = mmap(NULL, MOST * sizeof *times, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (times == MAP_FAILED)
		bail("no shared memory");
	setenv("BSP_TRANSPORT", "emu", 1);
	setenv("BSP_EMULATE", "L=10us,o=1us,g=1us,G=1us,cpu=0,order=1", 1);
	for (int p = 4; p <= MOST; p += 3) {
		barriers(p);
		asking(p);
		eager(p);
	}
	return done_testing();
}
