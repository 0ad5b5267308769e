// SPDX-License-Identifier: BSD-3-Clause
/* prof_words.c - the sentences with which a profile begins. */

/*
 * Shares are of the time of all processes, as those of computing and waiting are. Only call sites
 * with a twentieth of it or more are named, three at most; of helps those of 1 % or more.
 */

#include "prof_words.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SITES_NAMED = 3, HELPS_NAMED = 3 };
static const double NAMED_LEAST = 5, HELP_LEAST = 1;	/* % */

/* Something with a share, as "waiting in bsp_sync heat.c:41". */
struct words_item {
	double percent;
	char text[PROF_SUGGESTION];
};

__attribute__((format(printf, 2, 3)))
static void words_add(char text[PROF_SENTENCE], const char *format, ...)
{
	size_t len = strlen(text);
	va_list list;

	va_start(list, format);
	vsnprintf(text + len, PROF_SENTENCE - len, format, list);
	va_end(list);
}

static double words_percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static int by_percent(const void *a, const void *b)
{
	const struct words_item *x = a, *y = b;

	if (x->percent != y->percent)
		return x->percent < y->percent ? 1 : -1;
	return strcmp(x->text, y->text);
}

/* ---- Simulation --------------------------------------------------------------------------- */

void prof_help_find(const struct prof *p, struct prof_help *help)
{
	struct prof_network net;

	*help = (struct prof_help){ .ngains = 0 };
	if (prof_is_part()) {
		snprintf(help->why, sizeof(help->why), "this is a section alone");
		return;
	}
	if (prof_network_own(&p->recording, &net, help->why, sizeof(help->why)))
		return;
	help->ngains = prof_find_gains(p, &net, help->gains, help->why, sizeof(help->why));
	if (help->ngains < 0) {
		help->ngains = 0;
		return;
	}
	help->why[0] = '\0';
	help->has_lists = prof_suggest_neighbors(p, &net, &help->lists);
}

/* ---- Where -------------------------------------------------------------------------------- */

static double time_of_all(const struct prof *p)
{
	return (double)p->computed + (double)p->waited;
}

static double words_sum(const struct prof *p, const uint64_t *of_each)
{
	double sum = 0;

	for (int q = 0; q < p->nprocs; q++)
		sum += (double)of_each[q];
	return sum;
}

/* Waits and computing of each call site, the most first. */
static size_t words_sites(const struct prof *p, struct words_item *items)
{
	for (size_t i = 0; i < p->nrows; i++) {
		const struct prof_row *r = &p->rows[i];
		struct words_item *waited = &items[2 * i], *computed = &items[2 * i + 1];

		waited->percent = words_percent(words_sum(p, r->waited), time_of_all(p));
		computed->percent = words_percent(words_sum(p, r->computed), time_of_all(p));
		snprintf(waited->text, sizeof(waited->text), "waiting in %s %s",
			 prof_kind_name(r), r->site);
		snprintf(computed->text, sizeof(computed->text), "computing before %s %s",
			 prof_kind_name(r), r->site);
	}
	qsort(items, 2 * p->nrows, sizeof(*items), by_percent);
	return 2 * p->nrows;
}

/* The time that each process computes, over all call sites. */
static uint64_t *words_computed(const struct prof *p)
{
	uint64_t *sum = calloc((size_t)p->nprocs, sizeof(*sum));

	for (size_t i = 0; sum && i < p->nrows; i++)
		for (int q = 0; q < p->nprocs; q++)
			sum[q] += p->rows[i].computed[q];
	return sum;
}

static void words_imbalance(const struct prof *p, char text[PROF_SENTENCE])
{
	uint64_t *computed = words_computed(p);
	double mean = computed ? prof_mean(p, computed) : 0, most;
	int which;

	if (mean > 0) {
		most = prof_most(p, computed, &which);
		if (most >= 1.05 * mean)
			words_add(text, "; process %d computes %.2f times the mean", which,
				  most / mean);
	}
	free(computed);
}

static void words_where(const struct prof *p, char text[PROF_SENTENCE])
{
	struct words_item *items = calloc(2 * p->nrows + 1, sizeof(*items));
	size_t n = items ? words_sites(p, items) : 0, named = 0;

	for (; named < n && named < SITES_NAMED && items[named].percent >= NAMED_LEAST; named++)
		words_add(text, "%s%.1f %% %s", named ? ", " : "", items[named].percent,
			  items[named].text);
	if (!named)
		words_add(text, "no call site has %.0f %% of it", NAMED_LEAST);
	words_imbalance(p, text);
	free(items);
}

/* ---- What --------------------------------------------------------------------------------- */

static void words_late(const struct prof *p, char text[PROF_SENTENCE])
{
	double all = time_of_all(p), late = (double)p->loss.late, most;
	int which;

	words_add(text, "%.1f %% for processes that come late", words_percent(late, all));
	if (late <= 0)
		return;
	most = prof_most(p, p->loss.late_by, &which);
	words_add(text, " (%s process %d: %.1f %%)", most >= 0.5 * late ? "mostly" : "most often",
		  which, words_percent(most, all));
}

static void words_what(const struct prof *p, char text[PROF_SENTENCE])
{
	const struct prof_loss *loss = &p->loss;
	double all = time_of_all(p);

	if (!(loss->late + loss->bytes + loss->latency + loss->beyond))
		return;
	words_add(text, "the processes wait ");
	words_late(p, text);
	words_add(text, ", %.1f %% for bytes, %.1f %% for latency, and %.1f %% beyond these: for "
		  "the library, the operating system or a processor",
		  words_percent((double)loss->bytes, all),
		  words_percent((double)loss->latency, all),
		  words_percent((double)loss->beyond, all));
}

/* ---- Help --------------------------------------------------------------------------------- */

/* The most of a process beyond the mean, over all supersteps with barriers. */
static void words_balance(const struct prof *p, struct words_item *item)
{
	double *beyond = calloc(p->nrows + 1, sizeof(*beyond)), sum = 0;
	size_t most = 0;

	for (uint64_t i = 0; beyond && i < p->nsteps; i++) {
		const struct prof_step *s = &p->steps[i];
		double ns = (double)s->computed_most -
			    (double)s->computed_sum / p->recording.present;

		if (s->relaxed || s->row >= p->nrows)
			continue;
		beyond[s->row] += ns;
		sum += ns;
		if (beyond[s->row] > beyond[most])
			most = s->row;
	}
	item->percent = words_percent(sum, (double)p->time);
	if (p->nrows)
		snprintf(item->text, sizeof(item->text), "equal work for all processes, above all "
			 "before %s %s, would save at most", prof_kind_name(&p->rows[most]),
			 p->rows[most].site);
	free(beyond);
}

static void words_gain(const struct prof *p, const struct prof_gain *g, struct words_item *item)
{
	const struct prof_row *row = &p->rows[g->row];

	item->percent = g->percent;
	if (row->kind == RECORDING_SYNC)
		snprintf(item->text, sizeof(item->text), "relaxed barriers in %s would save",
			 row->site);
	else
		snprintf(item->text, sizeof(item->text), "to %s earlier what %s %s waits for would "
			 "save", row->kind == RECORDING_READ ? "put" : "send",
			 prof_kind_name(row), row->site);
}

static void words_help(const struct prof *p, const struct prof_help *help,
		       char text[PROF_SENTENCE])
{
	struct words_item items[PROF_GAINS + 2] = { { .percent = 0 } };
	int n = 0, named = 0;

	words_balance(p, &items[n++]);
	for (int i = 0; i < help->ngains; i++)
		words_gain(p, &help->gains[i], &items[n++]);
	if (help->has_lists) {
		items[n].percent = help->lists.percent;
		snprintf(items[n++].text, PROF_SUGGESTION, "lists of neighbours "
			 "(bsp_set_neighbors) would save");
	}
	qsort(items, (size_t)n, sizeof(*items), by_percent);
	for (; named < n && named < HELPS_NAMED && items[named].percent >= HELP_LEAST; named++)
		words_add(text, "%s%s %.0f %%", named ? "; " : "", items[named].text,
			  items[named].percent);
	if (help->why[0])
		words_add(text, "%sother barriers cannot be simulated: %s", named ? "; " : "",
			  help->why);
	else if (!named)
		words_add(text, "neither other barriers nor equal work would save 1 %%");
}

void prof_words_make(const struct prof *p, const struct prof_help *help, struct prof_words *w)
{
	w->where[0] = w->what[0] = w->help[0] = '\0';
	if (time_of_all(p) > 0)
		words_where(p, w->where);
	words_what(p, w->what);
	if (p->nsteps)
		words_help(p, help, w->help);
}
