// SPDX-License-Identifier: BSD-3-Clause
/* prof_predict.c - how long a recorded run would take on other networks, in each form. */

#include "prof.h"
#include "prof_gain.h"
#include "prof_graph.h"

#include "common/emulated.h"

#include <ctype.h>
#include <string.h>

enum { NETWORK_MOST = 300 };

/* Some forms, and what the last of them saves of the one before it. */
struct prof_table {
	const char *head;
	int n;
	enum prof_form forms[3];
	bool is_needed;			/* else a row says why it cannot be simulated */
};

static const struct prof_table of_library = {
	"seconds on                  as recorded        classic        relaxed relaxed saves\n",
	3, { PROF_AS_RECORDED, PROF_CLASSIC, PROF_RELAXED }, true,
};
static const struct prof_table as_published = {
	"as published on                     org            rel     rel saves\n",
	2, { PROF_ORG, PROF_REL }, false,
};
static const struct prof_table among_neighbors = {
	"\nwith neighbours on              classic      neighbors neighbors save\n",
	2, { PROF_CLASSIC, PROF_NEIGHBORS }, false,
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
	int n = table->n;

	for (int i = 0; i < n; i++) {
		struct prof_variant variant = { .form = table->forms[i] };

		if (prof_predict(r, &variant, net, &ps[i], why, len) == 0)
			continue;
		if (table->is_needed)
			return -1;
		fprintf(out, "%-24s not simulated: %s\n", name, why);
		return 0;
	}
	fprintf(out, "%-24s", name);
	for (int i = 0; i < n; i++)
		fprintf(out, " %14.6f", (double)ps[i] * 1e-12);
	fprintf(out, " %11.1f %%\n", saved_percent(ps[n - 2], ps[n - 1]));
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

static void predict_suggestion(const struct prof *p, const struct prof_network *net, FILE *out)
{
	char text[PROF_SUGGESTION];
	struct prof_suggestion s;

	if (!prof_suggest_neighbors(p, net, &s))
		return;
	prof_suggestion_text(p, &s, text);
	fprintf(out, "\n%s\n", text);
}

int prof_networks_check(const char *networks, char *why, size_t len)
{
	char text[NETWORK_MOST];
	bool more = *networks;

	while (more) {
		const char *rest = next_network(networks, text, sizeof(text));

		if (!*text) {
			snprintf(why, len, "a name is empty; names stand between commas");
			return -1;
		}
		if (prof_network_check(text, why, len))
			return -1;
		more = rest > networks && rest[-1] == ',';	/* a last comma is one too many */
		networks = rest;
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

static void predict_busy(const struct prof *p, FILE *out)
{
	if (prof_is_busy(p))
		fprintf(out, "of %.6f s computed the processes had a processor for %.6f s: other "
			"programs ran, or they slept; predictions take that time\n",
			(double)p->computed * 1e-9, (double)p->processor * 1e-9);
}

/* The parameters of networks that have a name, and of that of the run if it was emulated. */
static void predict_names(const struct prof *p, const char *networks, FILE *out)
{
	const char *own = p->recording.first->emulate;
	char text[NETWORK_MOST], said[2 * NETWORK_MOST];

	emulated_describe(own, said, sizeof(said));
	if (*own)
		fprintf(out, "network %s, as in the run\n", said);
	while (networks && *networks) {
		networks = next_network(networks, text, sizeof(text));
		emulated_describe(text, said, sizeof(said));
		if (strcmp(said, text) != 0)
			fprintf(out, "network %s\n", said);
	}
}

/* How near the simulation comes to the run, of @simulated and measured ns. */
static void predict_measured(const struct prof *p, double simulated, FILE *out)
{
	double measured = (double)p->time;

	if (measured > 0)
		fprintf(out, "the run took %.6f s; simulated as recorded it takes %.1f %% of "
			"that\n", measured * 1e-9, 100 * simulated / measured);
	else
		fputs("the run took no time\n", out);
}

int prof_write_prediction(const struct prof *p, const char *networks, FILE *out, char *why,
			  size_t len)
{
	const struct prof_variant as_recorded = { .form = PROF_AS_RECORDED };
	struct prof_network own;
	uint64_t ps;

	if ((networks && prof_networks_check(networks, why, len)) ||
	    prof_network_own(&p->recording, &own, why, len) ||
	    prof_predict(&p->recording, &as_recorded, &own, &ps, why, len) ||
	    predict_table(p, &own, networks, &of_library, out, why, len))
		return -1;
	predict_measured(p, (double)ps * 1e-3, out);
	predict_busy(p, out);
	predict_names(p, networks, out);
	if (predict_table(p, &own, networks, &as_published, out, why, len) ||
	    predict_table(p, &own, networks, &among_neighbors, out, why, len))
		return -1;
	if (predict_gains(p, &own, out, why, len))
		return -1;
	predict_suggestion(p, &own, out);
	return 0;
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
