/* SPDX-License-Identifier: BSD-3-Clause */
/* A sample of LogGP in which a module has lost a message is discarded, its answer is not sent, and
 * the next sample begins anew: all have given up the datagrams of the one before. */
#define bsp_sync_at stub_sync_at
#include "../../tools/bspgauge/gauge_script.c"
#include "../../tools/bspgauge/gauge_work.c"
#include "../../tools/measure/clock.c"
#include "../../tools/measure/work.c"
#include "../lib/tap.h"

#include <string.h>

enum { TRAIN = 4, SAMPLES = 12, CLOCK_NS = 1, SEND_NS = 1000, RECEIVE_NS = 3000 };

/* ---- A module that loses each n-th message, and a clock that calls move on ---------------- */

static int sent, received, lose_each, syncs;
static double now_ns;

static void lossy_send(struct gauge_job *job, int to, size_t bytes)
{
	(void)job;
	(void)to;
	(void)bytes;
	sent++;
	now_ns += SEND_NS;
}

static bool lossy_receive(struct gauge_job *job, int from, size_t bytes)
{
	(void)job;
	(void)from;
	(void)bytes;
	now_ns += RECEIVE_NS;
	return ++received % lose_each != 0;
}

static const struct gauge_module lossy = { .name = "lossy", .send = lossy_send,
					   .recv = lossy_receive };
static const struct gauge_module sure = { .name = "sure", .can = GAUGE_RELIABLE,
					  .send = lossy_send, .recv = lossy_receive };

void stub_sync_at(const char *site)
{
	(void)site;
	syncs++;
}

double measure_now(const struct measure *m)
{
	(void)m;
	return now_ns += CLOCK_NS;
}

void measure_fail(const char *format, ...)
{
	bail("%s", format);
}

void *gauge_memory(void *old, size_t bytes)
{
	return realloc(old, bytes);
}

struct goal_schedule *measure_load(struct goal_graph *g)
{
	(void)g;
	return NULL;
}

/* ---- Tests ---------------------------------------------------------------------------------- */

/* Samples of process @me of two; how many were lost, and the time of one that was not. */
static int samples(const struct gauge_module *module, int me, enum measure_way way, int each,
		   double *took)
{
	struct gauge g = { .m = { .me = me, .nprocs = 2, .peer = 1 }, .module = module };
	void *loaded = gauge_messages.load(&g.m, way, TRAIN, 100);
	int lost = 0;

	sent = received = syncs = 0;
	lose_each = each;
	for (int i = 0; i < SAMPLES; i++) {
		double ns = gauge_messages.sample(&g.m, loaded);

		lost += isnan(ns);
		*took = isnan(ns) ? *took : ns;
	}
	gauge_messages.unload(&g.m, loaded);
	is_int(SAMPLES, (long)g.job.round, "each sample is a round");
	return lost;
}

int main(void)
{
	double took = 0;

	is_int(SAMPLES / 3, samples(&lossy, 0, MEASURE_PRTT, 3, &took),
	       "every third answer is lost: so many samples are");
	is_near(TRAIN * SEND_NS + RECEIVE_NS, took, 10 * CLOCK_NS,
		"the others are until the answer");
	is_int(SAMPLES * TRAIN, sent, "and each had its train");
	is_int(SAMPLES, syncs, "with a superstep before it, so that nothing of another comes");

	/* Three samples are 4 + 4 + 2 receives, and the third is lost in its second. */
	is_int(SAMPLES / 3, samples(&lossy, 0, MEASURE_RECEIVES, 10, &took),
	       "every tenth message is lost: so many samples are");
	is_int(SAMPLES * 2 / 3, sent, "and their trains have no answer");
	is_near(TRAIN * RECEIVE_NS, took, 10 * CLOCK_NS, "the others are without the answer");

	/* The peer of a train to it: likewise. */
	is_int(0, samples(&lossy, 1, MEASURE_PRTT, 10, &took), "the peer has no times");
	is_int(SAMPLES * 2 / 3, sent, "and answers only trains that came");

	is_int(0, samples(&sure, 0, MEASURE_SENDS, 1000, &took), "without loss all count");
	is_near(TRAIN * SEND_NS, took, 10 * CLOCK_NS, "as sends alone");
	is_int(0, syncs, "and need no supersteps");
	return done_testing();
}
