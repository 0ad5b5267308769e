// SPDX-License-Identifier: BSD-3-Clause
/* gauge_pattern.c - what patterns share: random orders, units, samples that are kept. */

#include "gauge.h"

#include <string.h>

/* Numbers of a linear congruence (Knuth's MMIX); its high bits are the random ones. */
unsigned int gauge_random(struct gauge *g, unsigned int n)
{
	g->random = g->random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)(g->random >> 33) % n;
}

void gauge_shuffle(struct gauge *g, int *order, int n)
{
	for (int i = 0; i < n; i++)
		order[i] = i;
	for (int i = n - 1; i > 0; i--) {
		int k = (int)gauge_random(g, (unsigned int)i + 1), was = order[i];

		order[i] = order[k];
		order[k] = was;
	}
}

static struct measure_value gauge_rate(const struct measure_value *us, double bytes)
{
	struct measure_value v = *us;

	v.median = bytes / us->median;
	v.low = bytes / us->high;
	v.high = bytes / us->low;
	return v;
}

void gauge_add_taken(struct gauge *g, struct gauge_series *s, double x,
		     const struct measure_value *v)
{
	struct gauge_point *p;

	gauge_add(s, x, v);
	if (!g->request->raw || g->m.nlast == 0)
		return;
	p = &s->at[s->n - 1];
	p->raw = gauge_memory(NULL, (size_t)g->m.nlast * sizeof(*p->raw));
	memcpy(p->raw, g->m.last, (size_t)g->m.nlast * sizeof(*p->raw));
	p->nraw = g->m.nlast;
}

void gauge_add_time_and_rate(struct gauge *g, double x, const struct measure_value *us,
			     double bytes)
{
	struct measure_value rate = gauge_rate(us, bytes);

	gauge_add_taken(g, &g->result->series[0], x, us);
	if (!us->flagged)
		gauge_add(&g->result->series[1], x, &rate);
}

double gauge_wire_bytes(const struct gauge_module *module, uint64_t bytes)
{
	size_t align = module->align_bytes ? module->align_bytes : 1;

	return (double)(module->header_bytes + (bytes + align - 1) / align * align);
}

struct measure_value gauge_scaled(const struct measure_value *v, double factor)
{
	struct measure_value w = *v;

	w.median *= factor;
	w.low *= factor;
	w.high *= factor;
	return w;
}
