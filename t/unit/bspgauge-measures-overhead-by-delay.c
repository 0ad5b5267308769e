/* SPDX-License-Identifier: BSD-3-Clause */
/* o by delay is what a process is busy with a message, whatever the messages take and the clock
 * costs. */
#include "../../tools/bspgauge/gauge_delay.c"
#include "../../tools/bspgauge/gauge_work.c"
#include "../../tools/measure/clock.c"
#include "../../tools/measure/measure_stats.c"
#include "../../tools/measure/sample.c"
#include "../../tools/measure/work.c"
#include "../lib/tap.h"

/* ---- A clock that moves on when it is read, and by scripts ----------------------------------- */

enum { CLOCK_NS = 5, SEND_NS = 700, ANSWER_NS = 20000, ROUNDS_LOST = 1000 };

static double now_ns;
static int rounds, lose_each = ROUNDS_LOST, messages, most;

double measure_now(const struct measure *m)
{
	(void)m;
	return now_ns += CLOCK_NS;
}

void gauge_script_round(struct gauge *g)
{
	(void)g;
	rounds++;
	messages = 0;
}

bool gauge_script_do(struct gauge *g, struct gauge_script *s)
{
	(void)g;
	if (s->step[0].send) {
		now_ns += SEND_NS;
		most = ++messages > most ? messages : most;
		return true;
	}
	now_ns += ANSWER_NS;
	return rounds % lose_each != 0;
}

static struct gauge_script scripts[3];
static int nscripts;

struct gauge_script *gauge_script(bool together)
{
	(void)together;
	scripts[nscripts % 3] = (struct gauge_script){ .n = 0 };
	return &scripts[nscripts++ % 3];
}

static void add(struct gauge_script *s, bool send)
{
	s->step[s->n++] = (struct gauge_step){ .send = send };
}

void gauge_script_send(struct gauge_script *s, int peer, uint64_t bytes)
{
	(void)peer;
	(void)bytes;
	add(s, true);
}

void gauge_script_recv(struct gauge_script *s, int peer, uint64_t bytes)
{
	(void)peer;
	(void)bytes;
	add(s, false);
}

void gauge_script_load(struct gauge *g, struct gauge_script *s)
{
	(void)g;
	(void)s;
}

void gauge_script_free(struct gauge_script *s)
{
	(void)s;
}

void measure_agree(struct measure *m, void *what, size_t bytes)
{
	(void)m;
	(void)what;
	(void)bytes;
}

struct measure_value measure_take(struct measure *m, measure_sample *take, void *what, double part)
{
	double all[8];
	int n = 0, lost = 0;
	struct measure_value v;

	(void)part;
	for (int i = 0; i < 8; i++) {
		double ns = take(m, what);

		if (isnan(ns))
			lost++;
		else
			all[n++] = ns;
	}
	v = measure_median(all, n);
	v.lost = lost;
	return v;
}

struct measure_value gauge_scaled(const struct measure_value *v, double factor)
{
	struct measure_value w = *v;

	w.median *= factor;
	return w;
}

/* ---- Tests ---------------------------------------------------------------------------------- */

int main(void)
{
	struct gauge g = { .m = { .me = 0, .nprocs = 2, .peer = 1 } };
	struct measure_value o = gauge_delay_overhead(&g, 1000, 1);

	is_near(0.7, o.median, 0.006, "o is that of a send, and a reading of the clock");
	is_int(16, most, "of 16 messages");
	is_int(16, rounds, "in samples that are rounds of their own");
	ok(!o.flagged && o.lost == 0, "without a mark");

	rounds = 0;
	lose_each = 4;
	o = gauge_delay_overhead(&g, 1000, 1);
	is_near(0.7, o.median, 0.006, "where answers are lost, o is of the others");
	is_int(4, o.lost, "and those are counted");
	return done_testing();
}
