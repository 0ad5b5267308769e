// SPDX-License-Identifier: BSD-3-Clause
/* gauge_delay.c - o of LogGP by the delay between messages. */

/*
 * Hoefler, Lichei and Rehm (2007): while a process waits longer between two sends than the network
 * is busy with a message, it is itself busy for o with each,
 *
 *	o = (PRTT(n, d, m) - PRTT(1, 0, m)) / (n - 1) - d,	d = PRTT(1, 0, m)
 *
 * The delays are those that were made, not those that were meant. Over a transport of the library
 * each message is a schedule of its own, and its start is part of o.
 */

#include "gauge.h"

#include <math.h>

enum { DELAYED = 16 };

struct delayed {
	struct gauge *g;
	struct gauge_script *each, *answer;	/* a message to the peer, and one back */
	int n;
	double delay_ns;
};

/*
 * PRTT(n, d, m) without the delays. The peer does not wait between messages, and after one that was
 * lost for no other. Runs of schedules match by their number, so all processes make as many.
 */
static double delay_sample(struct measure *m, void *what)
{
	const struct delayed *d = what;
	double began, delays = 0;
	bool all = true;

	gauge_script_round(d->g);
	began = measure_now(m);
	for (int i = 0; i < d->n && all; i++) {
		delays += i > 0 && m->me == 0 ? gauge_wait(m, d->delay_ns) : 0;
		all = gauge_script_do(d->g, d->each);
	}
	all = all && gauge_script_do(d->g, d->answer);
	return all ? measure_now(m) - began - delays : (double)NAN;
}

/* Measure it with @n messages. */
static struct measure_value delay_take(struct delayed *d, uint64_t bytes, int n, double part)
{
	struct measure *m = &d->g->m;
	struct measure_value v;

	d->n = n;
	d->each = gauge_script(false);
	d->answer = gauge_script(false);
	if (m->me == 0) {
		gauge_script_send(d->each, m->peer, bytes);
		gauge_script_recv(d->answer, m->peer, 1);
	} else if (m->me == m->peer) {
		gauge_script_recv(d->each, 0, bytes);
		gauge_script_send(d->answer, 0, 1);
	}
	gauge_script_load(d->g, d->each);
	gauge_script_load(d->g, d->answer);
	v = measure_take(m, delay_sample, d, part);
	gauge_script_free(d->each);
	gauge_script_free(d->answer);
	return v;
}

struct measure_value gauge_delay_overhead(struct gauge *g, uint64_t bytes, double part)
{
	struct delayed d = { .g = g };
	struct measure_value one = delay_take(&d, bytes, 1, part), many;

	d.delay_ns = one.median;
	measure_agree(&g->m, &d.delay_ns, sizeof(d.delay_ns));
	many = delay_take(&d, bytes, DELAYED, part);
	many = measure_difference(&many, &one, DELAYED - 1);
	measure_clamp(&many, 0);
	return gauge_scaled(&many, 1e-3);
}
