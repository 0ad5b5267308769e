/* SPDX-License-Identifier: BSD-3-Clause */
/* Where longer messages take no more time, bspgauge writes the least G that can be emulated, and
 * marks it. */
#include "../../tools/bspgauge/pattern/gauge_pat_loggp.c"
#include "../../tools/measure/measure_stats.c"
#include "../../tools/measure/sample.c"
#include "../lib/tap.h"

#include <string.h>

/* ---- What the patterns call ----------------------------------------------------------------- */

static const double *gaps_measured;	/* of 1, 4, 16, ... bytes */
static int ngaps, ngiven;
static struct {
	char name[GAUGE_NAME];
	struct measure_value value;
} given[32];

void measure_plogp(struct measure *m, struct measure_machine *k, double part)
{
	(void)m;
	(void)part;
	k->npoints = ngaps;
	for (int i = 0; i < ngaps; i++) {
		double ns = gaps_measured[i];

		k->point[i].bytes = (uint64_t)1 << 2 * i;
		k->point[i].g = (struct measure_value){ .median = ns, .low = ns, .high = ns };
	}
}

double gauge_wire_bytes(const struct gauge_module *module, uint64_t bytes)
{
	(void)module;
	return (double)bytes + 32;
}

struct measure_value gauge_scaled(const struct measure_value *v, double factor)
{
	return (struct measure_value){ .median = v->median * factor };
}

void gauge_value(struct gauge_result *r, const char *name, const char *unit,
		 const struct measure_value *v)
{
	(void)r;
	(void)unit;
	snprintf(given[ngiven].name, sizeof(given[ngiven].name), "%s", name);
	given[ngiven++].value = *v;
}

struct gauge_series *gauge_series(struct gauge_result *r, const char *plot, const char *unit,
				  const char *format, ...)
{
	(void)r;
	(void)plot;
	(void)unit;
	(void)format;
	return NULL;
}

void gauge_skip(struct gauge_result *r, const char *name, const char *why)
{
	(void)r;
	(void)name;
	(void)why;
}

struct measure_value gauge_delay_overhead(struct gauge *g, uint64_t bytes, double part)
{
	(void)g;
	(void)bytes;
	(void)part;
	return (struct measure_value){ .n = 0 };
}

void measure_agree(struct measure *m, void *what, size_t bytes)
{
	(void)m;
	(void)what;
	(void)bytes;
}

void measure_say(const struct measure *m, double part, const char *format, ...)
{
	(void)m;
	(void)part;
	(void)format;
}

void gauge_add(struct gauge_series *s, double x, const struct measure_value *v)
{
	(void)s;
	(void)x;
	(void)v;
}

/* ---- Tests ---------------------------------------------------------------------------------- */

/* G of the longest messages, which is the last one that is written. */
static struct measure_value last_byte(const double *gaps, int n)
{
	struct measure_value last = { .median = -1 };
	struct gauge g = { .result = NULL };

	once.measured = false;
	gaps_measured = gaps;
	ngaps = n;
	ngiven = 0;
	loggp_add_parameters(&g, gauge_machine(&g, 1));
	for (int i = 0; i < ngiven; i++)
		if (given[i].name[0] == 'G')
			last = given[i].value;
	return last;
}

int main(void)
{
	static const double busy[] = { 70.1, 88.46, 70.1, 69.77, 1, 146.55, 1, 1930.2, 1, 1, 1 },
			    equal[] = { 500, 500, 500, 500, 500 },
			    quiet[] = { 133, 136, 148, 196, 388, 1156 };
	struct measure_value G = last_byte(busy, 11);

	ok(G.median >= BSPI_EMULATED_BYTE_LEAST && G.flagged, "less than no time: G %g, marked",
	   G.median);
	G = last_byte(equal, 5);
	ok(G.median >= BSPI_EMULATED_BYTE_LEAST && G.flagged, "no more time: G %g, marked",
	   G.median);
	G = last_byte(quiet, 6);
	is_near(1, G.median, 1e-6, "a quiet machine has its own");
	ok(!G.flagged, "without a mark");
	return done_testing();
}
