/* SPDX-License-Identifier: BSD-3-Clause */
/* An empty superstep on a ring of neighbours costs each process 2 messages, however many there are,
 * and no barrier; one of all processes with a push costs logarithmically many more than without. */
#include "../lib/spmd.h"

#include "bsplib/engine/engine.h"
#include "bsplib/sync/barrier.h"

enum { SUPERSTEPS = 100 };

static int x;

/* Chunks that this process has sent, of all transports. */
static long chunks_sent(void)
{
	long n = 0;

	for (int i = 0; i < bspi_engine.ncarriers; i++)
		n += (long)bspi_engine.carriers[i]->stats.chunks_sent;
	return n;
}

static void set_ring(void)
{
	int pids[2] = { (int)left(), (int)right() };

	bsp_set_neighbors(2, pids);
	bsp_sync();
}

static long cost(int supersteps)
{
	long before = chunks_sent();

	for (int s = 0; s < supersteps; s++)
		bsp_sync();
	return chunks_sent() - before;
}

static void ring(void)
{
	int p;

	enter();
	p = (int)bsp_nprocs();
	set_ring();
	is_int(SUPERSTEPS * (p == 2 ? 1 : 2), cost(SUPERSTEPS), "one message to each neighbour");
	bsp_set_neighbors(0, NULL);
	bsp_sync();
	is_int(0, cost(SUPERSTEPS), "none without neighbours");
	bsp_end();
}

/* A put adds no message to a superstep: it travels in the one that is sent anyway. */
static void with_puts(void)
{
	long before;
	int me;

	enter();
	me = (int)bsp_pid();
	publish(&x, sizeof x);
	set_ring();
	before = chunks_sent();
	for (int s = 0; s < SUPERSTEPS; s++) {
		bsp_put(right(), &me, &x, 0, sizeof x);
		bsp_sync();
	}
	is_int(2 * SUPERSTEPS, chunks_sent() - before, "puts travel in these messages");
	is_int((int)left(), x, "and arrive");
	bsp_end();
}

static int rounds(int p)
{
	int k = 0;

	for (int d = 1; d < p; d *= 2)
		k++;
	return k;
}

/* The messages of a superstep that ends for all, beyond those that it sends without a list. */
static void for_all(void)
{
	long alone, with;
	int p;

	enter();
	p = (int)bsp_nprocs();
	bsp_push_reg(&x, sizeof x);
	alone = cost(1);
	set_ring();
	bsp_push_reg(&x, sizeof x);
	with = cost(1);
	is_int(alone + rounds(p) + 2, with, "a note in each round, and to each neighbour");
	bsp_end();
}

int main(void)
{
	static const int sizes[] = { 2, 3, 8, 16 };

	setenv("BSP_BARRIER", "dissemination", 1);
	for (int i = 0; i < 4; i++)
		lives_ok(ring, sizes[i], "a ring of %d", sizes[i]);
	lives_ok(with_puts, 5, "puts");
	for (int i = 1; i < 4; i++)
		lives_ok(for_all, sizes[i], "a push on %d", sizes[i]);
	return done_testing();
}
