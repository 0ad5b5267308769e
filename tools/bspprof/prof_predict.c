// SPDX-License-Identifier: BSD-3-Clause
/* prof_predict.c - how long a recorded run would take on other networks, in each form. */

#include "prof.h"
#include "prof_gain.h"
#include "prof_graph.h"

#include <ctype.h>
#include <string.h>

enum { NETWORK_MOST = 300 };

/* Forms from @first to @last, and what the last saves of @whole. */
struct prof_table {
	const char *head;
	int first, last, whole;
	bool is_needed;			/* else a row says why it cannot be simulated */
};

static const struct prof_table of_library = {
	"seconds on                  as recorded        classic        relaxed relaxed saves\n",
	PROF_AS_RECORDED, PROF_RELAXED, PROF_CLASSIC, true,
};
static const struct prof_table as_published = {
	"as published on                     org            rel     rel saves\n",
	PROF_ORG, PROF_REL, PROF_ORG, false,
};

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

static double saved_percent(uint64_t whole, uint64_t ps)
{
	return whole ? 100.0 - 100.0 * (double)ps / (double)whole : 0;
}

static int predict_on(const struct recording *r, const char *name, const struct prof_network *net,
		      const struct prof_table *table, FILE *out, char *why, size_t len)
{
	uint64_t ps[PROF_FORMS] = { 0 };

	for (int form = table->first; form <= table->last; form++) {
		struct prof_variant variant = { .form = (enum prof_form)form };

		if (prof_predict(r, &variant, net, &ps[form], why, len) == 0)
			continue;
		if (table->is_needed)
			return -1;
		fprintf(out, "%-24s not simulated: %s\n", name, why);
		return 0;
	}
	fprintf(out, "%-24s", name);
	for (int form = table->first; form <= table->last; form++)
		fprintf(out, " %14.6f", (double)ps[form] * 1e-12);
	fprintf(out, " %11.1f %%\n", saved_percent(ps[table->whole], ps[table->last]));
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

static int predict_table(const struct prof *p, const struct prof_network *own,
			 const char *networks, const struct prof_table *table, FILE *out,
			 char *why, size_t len)
{
	const struct recording *r = &p->recording;
	struct prof_network net;
	char text[NETWORK_MOST];

	fputs(table->head, out);
	if (predict_on(r, "the same network", own, table, out, why, len))
		return -1;
	while (networks && *networks) {
		networks = next_network(networks, text, sizeof(text));
		if (prof_network_read(r, text, &net, why, len) ||
		    predict_on(r, text, &net, table, out, why, len))
			return -1;
	}
	return 0;
}

int prof_write_prediction(const struct prof *p, const char *networks, FILE *out, char *why,
			  size_t len)
{
	const struct prof_variant as_recorded = { .form = PROF_AS_RECORDED };
	struct prof_network own;
	uint64_t ps;

	if (prof_network_own(&p->recording, &own, why, len) ||
	    prof_predict(&p->recording, &as_recorded, &own, &ps, why, len) ||
	    predict_table(p, &own, networks, &of_library, out, why, len))
		return -1;
	fprintf(out, "the run took %.6f s, predicted is %.3f of that\n",
		(double)p->time * 1e-9, p->time ? (double)ps * 1e-3 / (double)p->time : 0);
	if (predict_table(p, &own, networks, &as_published, out, why, len))
		return -1;
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
