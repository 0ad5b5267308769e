/* SPDX-License-Identifier: BSD-3-Clause */
/* Each barrier ends a superstep when all that was sent in it is there, for any number of
 * processes. */

/*
 * All processes know from the same seed what each sends to each in each superstep: mostly little to
 * few, sometimes much, so that it takes several chunks, and to many. After the barrier each
 * compares what it has with what it must have. Now and then a process dawdles, so that others are a
 * barrier ahead.
 */

#include "../lib/random.h"
#include "../lib/relaxed.h"

enum {
	MOST = 33,		/* processes */
	SUPERSTEPS = 24,
	LARGE = 50000,		/* bytes */
};

/* Transfers of one superstep between two processes. */
struct deed {
	bool puts, gets, large;
	int messages;
};

static uint64_t state;
static struct deed deeds[MOST][MOST];
static int cells[MOST], wanted[MOST], own;
static unsigned char large[MOST][LARGE];
static int wrong_cells, wrong_gets, wrong_messages, wrong_large;

static unsigned int pick(unsigned int n)
{
	return (unsigned int)random_below(&state, n);
}

/* One in @rarity pairs has something to do with each other. */
static void plan_superstep(int nprocs)
{
	unsigned int rarity = 1 + pick(2 * (unsigned int)nprocs);
	bool any_large = pick(6) == 0;

	memset(deeds, 0, sizeof deeds);
	for (int from = 0; from < nprocs; from++)
		for (int to = 0; to < nprocs; to++)
			if (pick(rarity) == 0)
				deeds[from][to] = (struct deed){
					.puts = pick(3) > 0, .gets = pick(4) == 0,
					.large = any_large && pick(4) == 0,
					.messages = pick(3) ? 0 : (int)pick(4) };
}

static void do_deed(int to, const struct deed *d, int step)
{
	static unsigned char bytes[LARGE];
	int me = bsp_pid(), value = 1000 * step + me;

	if (d->puts)
		bsp_put(to, &value, cells, me * (int)sizeof value, sizeof value);
	if (d->gets)
		bsp_get(to, &own, 0, &wanted[to], sizeof own);
	for (int i = 0; i < d->messages; i++)
		bsp_send(to, NULL, &value, sizeof value);
	if (!d->large)
		return;
	memset(bytes, step, LARGE);
	bsp_put(to, bytes, large, me * LARGE, LARGE);
}

static void check_queue(int sent)
{
	int n, bytes;

	bsp_qsize(&n, &bytes);
	wrong_messages += n != sent;
}

static void check_superstep(int step, int nprocs)
{
	int me = bsp_pid(), sent = 0;

	for (int q = 0; q < nprocs; q++) {
		const struct deed *to_me = &deeds[q][me];

		sent += to_me->messages;
		wrong_cells += to_me->puts && cells[q] != 1000 * step + q;
		wrong_gets += deeds[me][q].gets && wanted[q] != 1000 * (step - 1) + q;
		wrong_large += to_me->large && (large[q][0] != step || large[q][LARGE - 1] != step);
	}
	check_queue(sent);
}

static void body(void)
{
	int nprocs, dawdler;

	enter();
	nprocs = bsp_nprocs();
	state = 4711 + (uint64_t)nprocs;
	bsp_push_reg(cells, sizeof cells);
	bsp_push_reg(large, sizeof large);
	publish(&own, sizeof own);
	for (int step = 1; step <= SUPERSTEPS; step++) {
		plan_superstep(nprocs);
		own = 1000 * (step - 1) + bsp_pid();
		for (int q = 0; q < nprocs; q++)
			do_deed(q, &deeds[bsp_pid()][q], step);
		dawdler = (int)pick((unsigned int)nprocs);
		for (int i = 0; dawdler == bsp_pid() && i < 3; i++)
			sched_yield();
		bsp_sync();
		check_superstep(step, nprocs);
	}
	is_int(0, wrong_cells, "every small put is there");
	is_int(0, wrong_large, "every large put is there");
	is_int(0, wrong_gets, "every get has the value of its superstep");
	is_int(0, wrong_messages, "every message is there");
	bsp_end();
}

int main(void)
{
	static const char *const barriers[] = {
		"alltoall", "counting",	 "dissemination", "butterfly",
		"binomial", "knomial:3", "knomial:16",	  "linear",
		"dissemination+nodes",	 "knomial:3+nodes", "twophase", "nbx",
	};
	static const int sizes[] = { 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33 };
	int most = job_max_nprocs() < MOST ? job_max_nprocs() : MOST;
	char claim[40];

	if (job_networked())
		most = 9;
	for (size_t b = 0; b < sizeof barriers / sizeof *barriers; b++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++) {
			snprintf(claim, sizeof claim, "%d processes", sizes[i]);
			under("BSP_BARRIER", barriers[b], body, sizes[i], claim);
		}
	return done_testing();
}
