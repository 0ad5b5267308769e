// SPDX-License-Identifier: BSD-3-Clause
/* prof_predict.c - how long a recorded run would take on other networks, classic and relaxed. */

#include "prof.h"
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

static void predict_time(FILE *out, int err, uint64_t ps)
{
	if (err)
		fprintf(out, " %14s", "-");
	else
		fprintf(out, " %14.6f", (double)ps * 1e-12);
}

static int predict_on(const struct recording *r, const char *name, const struct prof_network *net,
		      FILE *out, char *why, size_t len)
{
	uint64_t ps[PROF_FORMS] = { 0 };

	for (int form = 0; form < PROF_FORMS; form++)
		if (prof_predict(r, (enum prof_form)form, net, &ps[form], why, len))
			return -1;
	fprintf(out, "%-24s", name);
	for (int form = 0; form < PROF_FORMS; form++)
		predict_time(out, 0, ps[form]);
	fprintf(out, " %11.1f %%\n", ps[PROF_CLASSIC] ? 100.0 - 100.0 * (double)ps[PROF_RELAXED] /
						   (double)ps[PROF_CLASSIC] : 0);
	return 0;
}

int prof_write_prediction(const struct recording *r, const char *networks, uint64_t measured_ns,
			  FILE *out, char *why, size_t len)
{
	struct prof_network net;
	char text[NETWORK_MOST];
	uint64_t ps;

	fprintf(out, "%-24s %14s %14s %14s %13s\n", "seconds on", "as recorded", "classic",
		"relaxed", "relaxed saves");
	if (prof_network_own(r, &net, why, len) ||
	    predict_on(r, "the same network", &net, out, why, len) ||
	    prof_predict(r, PROF_AS_RECORDED, &net, &ps, why, len))
		return -1;
	while (networks && *networks) {
		networks = next_network(networks, text, sizeof(text));
		if (prof_network_read(r, text, &net, why, len) ||
		    predict_on(r, text, &net, out, why, len))
			return -1;
	}
	fprintf(out, "the run took %.6f s, predicted is %.3f of that\n",
		(double)measured_ns * 1e-9, (double)ps * 1e-3 / (double)measured_ns);
	return 0;
}

int prof_write_goal(const struct recording *r, FILE *out, char *why, size_t len)
{
	struct prof_network net;
	struct goal_set set;

	if (prof_network_own(r, &net, why, len))
		return -1;
	net.charged = false;		/* the graph is for networks with any o */
	if (prof_graph(r, PROF_AS_RECORDED, &net, &set, why, len))
		return -1;
	goal_dump(&set, out);
	goal_set_free(&set);
	return 0;
}
