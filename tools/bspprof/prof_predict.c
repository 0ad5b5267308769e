// SPDX-License-Identifier: BSD-3-Clause
/* prof_predict.c - how long a recorded run would take on other networks, classic and relaxed. */

#include "prof.h"
#include "prof_gain.h"
#include "prof_graph.h"

#include <ctype.h>
#include <string.h>

enum { NETWORK_MOST = 300 };

/*
 * The next network of a list: names, files and descriptions are separated by commas, which a
 * description has as well, between its parts key=value. Returns what follows.
 */
static const char *next_network(const char *list, char *text, size_t room)
{
	size_t len = 0, end;

	do {
		end = len + strcspn(list + len, ",");
		if (len > 0 && !memchr(list + len, '=', end - len))
			break;
		len = end + (list[end] == ',');
	} while (list[end] == ',');
	end = len > 0 && list[len - 1] == ',' ? len - 1 : len;
	snprintf(text, room, "%.*s", (int)end, list);
	return list + len;
}

static int predict_on(const struct recording *r, const char *name, const struct prof_network *net,
		      FILE *out, char *why, size_t len)
{
	uint64_t ps[PROF_FORMS] = { 0 };

	for (int form = 0; form < PROF_FORMS; form++) {
		struct prof_variant variant = { .form = (enum prof_form)form };

		if (prof_predict(r, &variant, net, &ps[form], why, len))
			return -1;
	}
	fprintf(out, "%-24s", name);
	for (int form = 0; form < PROF_FORMS; form++)
		fprintf(out, " %14.6f", (double)ps[form] * 1e-12);
	fprintf(out, " %11.1f %%\n", ps[PROF_CLASSIC] ? 100.0 - 100.0 * (double)ps[PROF_RELAXED] /
						   (double)ps[PROF_CLASSIC] : 0);
	return 0;
}

/* On the network of the run. */
static int predict_gains(const struct prof *p, const struct prof_network *net, FILE *out,
			 char *why, size_t len)
{
	struct prof_gain gains[PROF_GAINS];
	int n = prof_find_gains(p, net, gains, why, len);

	if (n < 0)
		return -1;
	if (n > 0)
		fprintf(out, "\n%-12s %8s  %s\n", "saves s", "saves %",
			"one call site, as recorded otherwise");
	for (int i = 0; i < n; i++) {
		const struct prof_row *row = &p->rows[gains[i].row];

		fprintf(out, "%-12.6f %8.1f  %s %s, %s\n", (double)gains[i].ps * 1e-12,
			gains[i].percent, prof_kind_name(row), row->site, prof_gain_means(row));
	}
	return 0;
}

int prof_networks_check(const char *networks, char *why, size_t len)
{
	char text[NETWORK_MOST];

	while (*networks) {
		networks = next_network(networks, text, sizeof(text));
		if (prof_network_check(text, why, len))
			return -1;
	}
	return 0;
}

int prof_write_prediction(const struct prof *p, const char *networks, FILE *out, char *why,
			  size_t len)
{
	const struct recording *r = &p->recording;
	const struct prof_variant as_recorded = { .form = PROF_AS_RECORDED };
	struct prof_network own, net;
	char text[NETWORK_MOST];
	uint64_t ps;

	if (prof_network_own(r, &own, why, len) ||
	    prof_predict(r, &as_recorded, &own, &ps, why, len))
		return -1;
	fprintf(out, "%-24s %14s %14s %14s %13s\n", "seconds on", "as recorded", "classic",
		"relaxed", "relaxed saves");
	if (predict_on(r, "the same network", &own, out, why, len))
		return -1;
	while (networks && *networks) {
		networks = next_network(networks, text, sizeof(text));
		if (prof_network_read(r, text, &net, why, len) ||
		    predict_on(r, text, &net, out, why, len))
			return -1;
	}
	fprintf(out, "the run took %.6f s, predicted is %.3f of that\n",
		(double)p->time * 1e-9, p->time ? (double)ps * 1e-3 / (double)p->time : 0);
	return predict_gains(p, &own, out, why, len);
}

int prof_write_goal(const struct recording *r, FILE *out, char *why, size_t len)
{
	const struct prof_variant as_recorded = { .form = PROF_AS_RECORDED };
	struct prof_network net;
	struct goal_set set;

	if (prof_network_own(r, &net, why, len))
		return -1;
	net.charged = false;		/* the graph is for networks with any o */
	if (prof_graph(r, &as_recorded, &net, &set, why, len))
		return -1;
	goal_dump(&set, out);
	goal_set_free(&set);
	return 0;
}
