// SPDX-License-Identifier: BSD-3-Clause
/* computed.c - processor time that is computed, and the library's share of it. */

/*
 * A prediction for another network takes what the program computes from a recording, and adds what
 * messages cost there. The library's work in a put, most of all the copy, is part of the second, so
 * an emulated network counts none of it as computing. Here it is counted apart, between the same
 * two moments of each call (bspi_computing()), so that a recording of real time has the same.
 *
 * Pieces are measured with the clock of the processor, which is a system call. One for each put of
 * a few bytes would change the run, so calls are measured with the clock of the system, which
 * goes on while another program has the processor. Therefore both clocks are read before a copy
 * that is long, and after a call that was: the time without a processor between two such looks is
 * taken off the call. After a short copy that was interrupted that may be time without a processor
 * from before the call, which makes the library's share too small, by no more than the call had.
 *
 * The cost of reading a clock, from one reading to the next, is measured first, and taken off.
 */

#include "bsplib/observer/computed.h"

#include "bsplib/observer/processor.h"

enum {
	LONG_COPY = 16384,	/* bytes: takes longer than to look at both clocks */
	LONG_NS = 10000,
	READINGS = 32,
};

static struct {
	bool computes;
	bool ends;		/* the call under way has ended the piece */
	uint64_t began;		/* clock of the processor when the piece began */
	uint64_t since;		/* clock of the system when the call began */
	uint64_t library;	/* in the calls of the piece */
	uint64_t seen_ns, seen_processor;	/* both clocks at the last look */
	uint64_t toll, processor_toll;		/* of reading them */
} computed;

/* The least of some means, ns, as any of them may have been interrupted. */
static uint64_t toll_of(uint64_t (*read_clock)(void))
{
	uint64_t least = UINT64_MAX;

	for (int batch = 0; batch < 4; batch++) {
		uint64_t began = read_clock(), took = 0;

		for (int i = 0; i < READINGS; i++)
			took = read_clock() - began;
		if (least > took / READINGS)
			least = took / READINGS;
	}
	return least;
}

static void look_at_clocks(void)
{
	computed.seen_ns = bspt_now_ns();
	computed.seen_processor = bspi_processor_ns();
}

void bspi_computed_open(void)
{
	computed.computes = false;
	computed.ends = true;
	computed.toll = toll_of(bspt_now_ns);
	computed.processor_toll = toll_of(bspi_processor_ns);
}

/* How much of the last @took ns the process had a processor. */
static uint64_t without_waits(uint64_t took)
{
	uint64_t ns = computed.seen_ns, processor = computed.seen_processor, waited;

	look_at_clocks();
	ns = computed.seen_ns - ns;
	processor = computed.seen_processor - processor;
	waited = ns > processor ? ns - processor : 0;
	return took > waited ? took - waited : 0;
}

static void end_call(void)
{
	uint64_t took = bspt_now_ns() - computed.since;

	if (took > LONG_NS)
		took = without_waits(took) + computed.processor_toll;
	computed.library += took + computed.toll;
}

void bspi_computed_turns(bool on)
{
	if (on == computed.computes)
		return;
	computed.computes = on;
	if (!on) {
		computed.since = bspt_now_ns();
	} else if (!computed.ends) {
		end_call();
	} else {
		computed.ends = false;
		computed.library = 0;
		look_at_clocks();
		computed.began = computed.seen_processor;
	}
}

void bspi_computed_copies(size_t nbytes)
{
	if (nbytes >= LONG_COPY)
		look_at_clocks();
}

struct bspi_computed bspi_computed_take(void)
{
	uint64_t took = bspi_processor_ns() - computed.began;
	struct bspi_computed c = {
		.processor = took > computed.processor_toll ? took - computed.processor_toll : 0,
	};

	c.library = computed.library < c.processor ? computed.library : c.processor;
	computed.ends = true;
	return c;
}
