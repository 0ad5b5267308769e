// SPDX-License-Identifier: BSD-3-Clause
/* prof_html.c - a profile as one page that needs nothing else. */

#include "prof.h"
#include "prof_gain.h"
#include "prof_graph.h"
#include "prof_html.h"
#include "prof_words.h"

#include "common/emulated.h"
#include "common/page/heat.h"
#include "common/page/page.h"
#include "common/page/picture.h"
#include "common/page/plot.h"
#include "common/page/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	TEXT = PROF_TEXT,
	WIDTH = 840, HEIGHT = 280,	/* of the picture of h */
	LEFT = 80, RIGHT = 20, TOP = 10, BOTTOM = 46,	/* around its curve */
	COLUMNS = 370,			/* of it: supersteps are merged into so many */
	H_WIDE = 256,			/* times the least h: the axis is logarithmic */
	MATRIX_TABLE_MOST = 16,		/* more rows are a picture without figures */
};

static void html_bytes_cell(struct page_table *t, double bytes)
{
	char text[TEXT];

	page_table_cell(t, "%s", prof_bytes_text(text, bytes));
}

/* ---- In words ----------------------------------------------------------------------------- */

static void html_sentence(struct markup *m, const char *head, const char *text)
{
	if (text[0])
		page_term(m, head, "%s", text);
}

static void html_words(const struct prof *p, const struct prof_help *help, struct markup *m)
{
	struct prof_words w;

	prof_words_make(p, help, &w);
	if (!w.where[0] && !w.help[0])
		return;
	page_card(m, "In words");
	page_terms(m);
	html_sentence(m, "where the time goes", w.where);
	html_sentence(m, "what it is", w.what);
	html_sentence(m, "what would help", w.help);
	page_terms_end(m);
	page_say(m, PAGE_ABOUT, "Shares are of the time of all processes; bytes and latency are "
		 "the transport's own estimates. What would help is from the simulation below, "
		 "but for equal work, which is a bound.");
	page_card_end(m);
}

/* ---- The run ------------------------------------------------------------------------------ */

static void html_notes(const struct prof *p, struct markup *m)
{
	const struct recording *r = &p->recording;

	if (r->note[0])
		page_say(m, PAGE_WARNING, "The run did not end well: %s", r->note);
	if (r->present < r->nprocs)
		page_say(m, PAGE_WARNING, "The recording has %d of %d processes.", r->present,
			 r->nprocs);
	if (prof_is_busy(p))
		page_say(m, PAGE_WARNING, "The processes had a processor for %.1f %% of the time "
			 "computed: other programs ran, or they slept. Predictions take that time.",
			 prof_percent((double)p->processor, (double)p->computed));
	if (p->damage[0])
		page_say(m, PAGE_WARNING, "The recording is damaged, and shown as far as it can be "
			 "read: %s", p->damage);
	if (prof_is_part() && p->recording.first->full)
		page_say(m, PAGE_WARNING, "The rest of the run did not fit into the recording, and "
			 "is in no figure (BSP_RECORD_LIMIT).");
	if (p->summed)
		page_say(m, PAGE_WARNING, "%llu supersteps did not fit into the recording. "
			 "They are in the sums of the call sites only, not in h, the matrix, the "
			 "supersteps that repeat, the critical path and the model "
			 "(BSP_RECORD_LIMIT).", (unsigned long long)p->summed);
	if (r->first->summed)
		page_say(m, PAGE_WARNING, "Of %llu supersteps the destinations did not fit; "
			 "they are not in the matrix (BSP_RECORD_LIMIT).",
			 (unsigned long long)r->first->summed);
}

static void html_waited(const struct prof *p, struct markup *m)
{
	double all = (double)p->computed + (double)p->waited;
	char collective[TEXT] = "", credit[TEXT] = "";

	if (p->collective)
		snprintf(collective, TEXT, "%.1f %% in collective operations and schedules",
			 prof_percent((double)p->collective, (double)p->waited));
	if (p->credit)
		snprintf(credit, TEXT, ", %.1f %% for credit",
			 prof_percent((double)p->credit, (double)p->waited));
	page_term(m, "computed", "%.1f %% of the time of all processes",
		  prof_percent((double)p->computed, all));
	page_term(m, "waited", "%.1f %%%s%s%s", prof_percent((double)p->waited, all),
		  p->collective ? ", of that " : "", collective, credit);
}

static void html_run(const struct prof *p, struct markup *m)
{
	const struct recording_head *h = p->recording.first;
	char text[TEXT], network[PROF_NETWORK];

	emulated_describe(h->emulate, network, sizeof(network));
	page_card(m, "The run");
	html_notes(p, m);
	page_terms(m);
	page_term(m, "program", "%s", h->program);
	page_term(m, "processes", "%d", p->nprocs);
	page_term(m, "transport", "%s%s%s", h->transport,
		  h->emulate[0] ? ", an emulated network: " : "", network);
	page_term(m, "supersteps", "%llu", (unsigned long long)(p->nsteps + p->summed));
	page_term(m, "time", "%s", prof_time_text(text, (double)p->time));
	if (prof_is_part())
		page_term(m, "counted", "%s section %s, of a run of %s",
			  prof_choice.only ? "only" : "all but",
			  prof_choice.only ? prof_choice.only : prof_choice.without,
			  prof_time_text(text, (double)p->length));
	html_waited(p, m);
	page_term(m, "sent", "%llu puts, gets and messages, %s", (unsigned long long)p->sent,
		  prof_bytes_text(text, (double)p->bytes));
	page_terms_end(m);
	page_card_end(m);
}

/* ---- Call sites --------------------------------------------------------------------------- */

static const struct {
	unsigned int kinds;
	const char *head;
} site_columns[] = {
	{ PAGE_LONG, "call" }, { PAGE_FIGURES, "calls of a process" },
	{ PAGE_KEPT, "waited, mean" }, { PAGE_DETAIL, "waited, least" },
	{ PAGE_DETAIL, "waited, most" }, { PAGE_KEPT, "share of the run" },
	{ PAGE_KEPT, "computed, mean" }, { PAGE_DETAIL, "computed, least" },
	{ PAGE_DETAIL, "computed, most" }, { PAGE_FIGURES, "imbalance" }, { PAGE_FIGURES, "path" },
	{ PAGE_FIGURES, "transfers" }, { PAGE_FIGURES, "bytes" }, { PAGE_FIGURES, "sum of h" },
};

/* A row of a call site, or below it one of a caller. */
static void html_site_row(const struct prof *p, const struct prof_row *r, int depth,
			  struct page_table *t)
{
	double waited = prof_mean(p, r->waited), computed = prof_mean(p, r->computed);
	double share = prof_percent(waited, (double)p->time), most;
	char calls[40];
	int worst;

	most = prof_most(p, r->computed, &worst);
	prof_calls_text(p, r, calls, sizeof(calls));
	page_table_cell(t, "%s%s", depth ? "called from " : "", r->site);
	page_table_indent(t, depth);
	if (depth == 0)
		page_table_code(t, prof_kind_name(r));
	if (r->ncallers > PROF_CALLERS_SHOWN)
		page_table_note(t, "and %zu callers more", r->ncallers - PROF_CALLERS_SHOWN);
	page_table_cell(t, "%s", calls);
	prof_time_cell(t, waited);
	prof_time_cell(t, prof_least(p, r->waited));
	prof_time_cell(t, prof_most(p, r->waited, NULL));
	page_table_cell(t, "%.1f %%", share);
	page_table_meter(t, share);
	prof_time_cell(t, computed);
	prof_time_cell(t, prof_least(p, r->computed));
	prof_time_cell(t, most);
	if (computed > 0)
		page_table_cell(t, "%.2f, process %d", most / computed, worst);
	else
		page_table_cell(t, "%s", "");
	page_table_cell(t, "%.1f %%", prof_percent((double)r->on_path, (double)p->path_length));
	page_table_cell(t, "%llu", (unsigned long long)r->sent);
	html_bytes_cell(t, (double)r->bytes);
	html_bytes_cell(t, (double)r->h);
}

static void html_sites(const struct prof *p, struct markup *m)
{
	uint32_t *rows = prof_by_cost(p);
	struct page_table t;

	page_card(m, "Call sites");
	page_say(m, PAGE_ABOUT,
		 "Sorted by the time waited. Computed: from the call before to this one; "
		 "imbalance: the most that a process computed over the mean; path: computing "
		 "before this call that is on the critical path; h: the most bytes in or out of a "
		 "process. Where a function with a call has several callers, each has a row below "
		 "it.");
	if (p->rebuilt[0])
		page_say(m, PAGE_WARNING, "Built again since this run, so that its callers are "
			 "shown by address, without lines: %s", p->rebuilt);
	page_table_begin(&t, "Call sites");
	for (size_t i = 0; i < sizeof(site_columns) / sizeof(site_columns[0]); i++)
		page_table_column(&t, site_columns[i].kinds, "%s", site_columns[i].head);
	for (size_t i = 0; rows && i < p->nrows; i++) {
		const struct prof_row *r = &p->rows[rows[i]];

		html_site_row(p, r, 0, &t);
		for (size_t k = 0; k < r->ncallers && k < PROF_CALLERS_SHOWN; k++)
			html_site_row(p, &r->callers[k], 1, &t);
	}
	page_table_end(&t, m);
	page_card_end(m);
	free(rows);
}

/* ---- Supersteps --------------------------------------------------------------------------- */

static void html_node(const struct prof *p, const struct prof_node *n, int depth, void *table)
{
	const struct prof_cost *c = &n->cost;
	double beyond = (double)c->time - c->model;
	struct page_table *t = table;
	char text[TEXT];

	if (n->ninside)
		page_table_cell(t, "%llu times", (unsigned long long)n->times);
	else
		page_table_cell(t, "%s", p->signatures[n->signature]);
	page_table_indent(t, depth);
	page_table_cell(t, "%llu", (unsigned long long)c->steps);
	prof_time_cell(t, (double)c->time);
	prof_time_cell(t, (double)c->waited);
	page_table_cell(t, "%.1f %%", prof_percent((double)c->time, (double)p->time));
	prof_time_cell(t, c->model);
	page_table_cell(t, "%s%s", beyond < 0 ? "\342\210\222" : "+",
			prof_time_text(text, fabs(beyond)));
}

static void html_tree(const struct prof *p, struct markup *m)
{
	static const char *const heads[] = {
		"number", "time", "waited, mean", "share", "model", "beyond it"
	};
	struct page_table t;
	uint64_t left;

	page_card(m, "Supersteps that repeat");
	page_say(m, PAGE_ABOUT,
		 "The same call sites in the same order are one row; what is repeated stands under "
		 "its number of times. Beside it what the cost model below says, and what the run "
		 "took beyond that.");
	page_table_begin(&t, "Supersteps");
	page_table_column(&t, PAGE_LONG, "superstep");
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		page_table_column(&t, PAGE_KEPT, "%s", heads[i]);
	left = prof_write_tree(p, html_node, &t);
	page_table_end(&t, m);
	if (left)
		page_say(m, PAGE_ABOUT, "and %llu rows more", (unsigned long long)left);
	page_card_end(m);
}

/* ---- The h-relation ----------------------------------------------------------------------- */

/* The most of each column, so that no peak is lost; the highest. */
static uint64_t html_columns(const struct prof *p, uint64_t *column)
{
	uint64_t most = 0;

	for (uint64_t i = 0; i < p->nsteps; i++) {
		uint64_t at = p->length ? (uint64_t)((double)p->steps[i].finish /
						     (double)p->length * (COLUMNS - 1)) : 0;

		if (at < COLUMNS && column[at] < p->steps[i].h)
			column[at] = p->steps[i].h;
		if (most < p->steps[i].h)
			most = p->steps[i].h;
	}
	return most;
}

/* The unit of the axis of time, in ns, and the label that says it. */
static double html_time_unit(double ns, const char **label)
{
	*label = ns >= 1e9 ? "time, s" : ns >= 1e6 ? "time, ms" : "time, \302\265s";
	return ns >= 1e9 ? 1e9 : ns >= 1e6 ? 1e6 : 1e3;
}

/* So that small supersteps are seen beside large ones, h has a logarithmic axis. */
static bool html_h_is_wide(const uint64_t *column, uint64_t most, double *low)
{
	uint64_t least = most;

	for (int i = 0; i < COLUMNS; i++)
		if (column[i] && column[i] < least)
			least = column[i];
	*low = (double)least / 2;
	return most / H_WIDE > least;
}

static void html_h_picture(const struct prof *p, const uint64_t *column, uint64_t most,
			   struct markup *m)
{
	const char *label;
	double unit = html_time_unit((double)p->length, &label);
	double end = (double)p->length / unit, low;
	bool is_wide = html_h_is_wide(column, most, &low);
	struct plot plot = plot_begin((struct plot_axis){ .label = label },
				      (struct plot_axis){ .label = "h, bytes", .is_binary = true,
							  .is_log = is_wide });

	plot_reach(&plot, end, (double)most);
	plot_reach(&plot, 0, is_wide ? low : 0);
	plot_place(&plot, LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
	svg_begin(m, WIDTH, HEIGHT, "h of the supersteps over time");
	plot_axes(m, &plot, true);
	plot_labels(m, &plot);
	for (int i = 0; i < COLUMNS; i++) {
		double x = plot_x(&plot, end * i / (COLUMNS - 1));
		double y = plot_y(&plot, (double)column[i]);
		char text[TEXT];

		if (!column[i])
			continue;
		svg_rect(m, "sync", x - 1, y, 2, plot_y(&plot, 0) - y);
		svg_tip(m, "%s", prof_bytes_text(text, (double)column[i]));
		markup_close(m);
	}
	svg_end(m);
}

static void html_h(const struct prof *p, struct markup *m)
{
	uint64_t column[COLUMNS] = { 0 }, most = html_columns(p, column);
	char bytes[TEXT], time[TEXT];

	page_card(m, "The h-relation over time");
	page_say(m, PAGE_ABOUT, "The most bytes that a process sends or receives in a superstep; "
		 "the highest is %s. From left to right: %s.", prof_bytes_text(bytes, (double)most),
		 prof_time_text(time, (double)p->length));
	html_h_picture(p, column, most, m);
	page_card_end(m);
}

/* ---- Traffic by pair --------------------------------------------------------------------- */

static void html_matrix_table(const struct prof *p, struct markup *m)
{
	struct page_table t;

	page_table_begin(&t, "Matrix");
	page_table_column(&t, PAGE_WORDS, "from, to");
	for (int to = 0; to < p->cells; to++)
		page_table_column(&t, PAGE_KEPT, "%d", to);
	for (int from = 0; from < p->cells; from++) {
		page_table_cell(&t, "%d", from);
		for (int to = 0; to < p->cells; to++)
			html_bytes_cell(&t, (double)p->matrix[from * p->cells + to]);
	}
	page_table_end(&t, m);
}

static double html_cell(const void *of, int from, int to)
{
	const struct prof *p = of;

	return (double)p->matrix[from * p->cells + to];
}

static const char *html_cell_text(double bytes, char *text, size_t len)
{
	char all[TEXT];

	snprintf(text, len, "%.*s", (int)len - 1, prof_bytes_text(all, bytes));
	return text;
}

static void html_matrix(const struct prof *p, struct markup *m)
{
	const struct page_heat heat = {
		.label = "bytes from each process, a row, to each", .rows = "from", .columns = "to",
		.n = p->cells, .values = p, .value = html_cell, .value_text = html_cell_text,
		.name = prof_cell_name,
	};
	char several[TEXT] = "", text[TEXT];
	uint64_t most = 0;

	for (int i = 0; i < p->cells * p->cells; i++)
		if (most < p->matrix[i])
			most = p->matrix[i];
	if (p->per_cell > 1)
		snprintf(several, TEXT, "; a row and a column are %d processes", p->per_cell);
	page_card(m, "Who sends to whom");
	page_say(m, PAGE_ABOUT, "Bytes, from rows to columns%s. The most is %s.", several,
		 prof_bytes_text(text, (double)most));
	if (p->cells <= MATRIX_TABLE_MOST)
		html_matrix_table(p, m);
	else
		page_heat(m, &heat);
	page_card_end(m);
}

/* ---- Path and model ----------------------------------------------------------------------- */

static void html_path_table(const struct prof *p, struct markup *m)
{
	struct page_table t;

	page_table_begin(&t, "Critical path");
	page_table_column(&t, PAGE_WORDS, "process");
	page_table_column(&t, PAGE_KEPT, "computing on the path");
	page_table_column(&t, PAGE_KEPT, "share");
	for (int q = 0; q < p->nprocs; q++) {
		double share = prof_percent((double)p->path[q], (double)p->path_length);

		if (p->nprocs > PROF_CELLS && share < 0.1)
			continue;
		page_table_cell(&t, "%d", q);
		prof_time_cell(&t, (double)p->path[q]);
		page_table_cell(&t, "%.1f %%", share);
	}
	page_table_end(&t, m);
}

static void html_path(const struct prof *p, struct markup *m)
{
	page_card(m, "The critical path");
	if (!p->calls) {
		page_say(m, PAGE_PLAIN, "It is left out: too many calls.");
	} else if (!p->path_length) {
		page_say(m, PAGE_PLAIN, "There is none: no call took any time.");
	} else {
		page_say(m, PAGE_ABOUT, "Backwards from the last end: a wait leads to the process "
			 "that sent what it waited for last. %.1f %% of it are in calls and on the "
			 "network; the rest is computing of these processes, before the calls that "
			 "the table above says.",
			 prof_percent((double)p->path_waits, (double)p->path_length));
		html_path_table(p, m);
	}
	page_card_end(m);
}

static void html_model(const struct prof *p, struct markup *m)
{
	const struct recording_head *h = p->recording.first;
	double model = 0, computed = 0, bytes = 0;
	char text[TEXT], times[TEXT] = "";

	for (uint64_t i = 0; i < p->nsteps; i++) {
		model += prof_model(p, &p->steps[i]);
		computed += (double)p->steps[i].computed_most;
		bytes += (double)p->steps[i].h;
	}
	if (model > 0)
		snprintf(times, TEXT, ", %.2f times the model", (double)p->time / model);
	page_card(m, "The cost model");
	page_say(m, PAGE_ABOUT, "W + g h + L, superstep by superstep, with g = %.3f ns for a byte "
		 "and L = %.2f \302\265s a round of a barrier: the transport's own estimates. "
		 "Relaxed supersteps have no L.", h->G, (h->L + 2 * h->o) * 1e-3);
	page_terms(m);
	page_term(m, "W", "%s", prof_time_text(text, computed));
	page_term(m, "sum of h", "%s", prof_bytes_text(text, bytes));
	page_term(m, "model", "%s", prof_time_text(text, model));
	page_term(m, "the run", "%s%s", prof_time_text(text, (double)p->time), times);
	page_terms_end(m);
	page_card_end(m);
}

static void html_gains(const struct prof *p, const struct prof_help *help, struct markup *m)
{
	const struct prof_gain *gains = help->gains;
	struct page_table t;

	if (!help->ngains)
		return;
	page_say(m, PAGE_ABOUT, "And if one call site alone were changed, the rest being as it "
		 "was recorded:");
	page_table_begin(&t, "Gains of call sites");
	page_table_column(&t, PAGE_LONG, "call site");
	page_table_column(&t, PAGE_KEPT, "saves");
	page_table_column(&t, PAGE_KEPT, "share");
	for (int i = 0; i < help->ngains; i++) {
		const struct prof_row *row = &p->rows[gains[i].row];

		page_table_cell(&t, "%s, %s", row->site, prof_gain_means(row));
		page_table_code(&t, prof_kind_name(row));
		prof_time_cell(&t, (double)gains[i].ps * 1e-3);
		page_table_cell(&t, "%.1f %%", gains[i].percent);
	}
	page_table_end(&t, m);
}

static void html_suggestion(const struct prof *p, const struct prof_help *help,
			    struct markup *m)
{
	char text[PROF_SUGGESTION];

	if (!help->has_lists)
		return;
	prof_suggestion_text(p, &help->lists, text);
	page_say(m, PAGE_PLAIN, "%s.", text);
}

static void html_forms(const uint64_t *ps, struct markup *m)
{
	static const char *const names[PROF_OWN_FORMS] = {
		"as recorded", "with a barrier in each superstep",
		"with relaxed barriers in all supersteps", "among neighbours where that can be",
	};
	char text[TEXT];

	page_terms(m);
	for (int form = 0; form < PROF_OWN_FORMS; form++)
		if (form != PROF_NEIGHBORS || ps[form])
			page_term(m, names[form], "%s",
				  prof_time_text(text, (double)ps[form] * 1e-3));
	page_term(m, "relaxed saves", "%.1f %%", ps[PROF_CLASSIC] ?
		  100 - prof_percent((double)ps[PROF_RELAXED], (double)ps[PROF_CLASSIC]) : 0);
	page_terms_end(m);
}

/* Simulated times of the three forms, on the network of the run itself. */
static void html_prediction(const struct prof *p, const struct prof_help *help, struct markup *m)
{
	uint64_t ps[PROF_OWN_FORMS] = { 0 };
	struct prof_network net;
	char why[300] = "";
	int err = prof_network_own(&p->recording, &net, why, sizeof(why));

	for (int form = 0; form < PROF_OWN_FORMS && !err; form++) {
		struct prof_variant variant = { .form = (enum prof_form)form };

		err = prof_predict(&p->recording, &variant, &net, &ps[form], why, sizeof(why));
		/* where each process exchanges with all others there is none */
		err = form == PROF_NEIGHBORS ? 0 : err;
	}
	page_card(m, "What other barriers would take");
	page_say(m, PAGE_ABOUT, "Simulated by LogGP from this recording; other networks by bspprof "
		 "predict.");
	if (err) {
		page_say(m, PAGE_PLAIN, "Not predicted: %s.", why);
	} else {
		html_forms(ps, m);
		html_suggestion(p, help, m);
		html_gains(p, help, m);
	}
	page_card_end(m);
}

/* The same recording makes the same page, so it says neither when it was made nor in which file. */
static void html_conditions(const struct prof *p, struct markup *m)
{
	const struct recording_head *h = p->recording.first;
	char network[PROF_NETWORK];
	const struct page_conditions c = {
		.program = h->program, .network = h->emulate[0] ? network : h->transport,
		.version = page_version,
		.command = "bspprof html -o PAGE RECORDING, or bsprun --profile PAGE PROGRAM",
	};

	emulated_describe(h->emulate, network, sizeof(network));
	markup_open(m, "footer");
	page_conditions(m, &c);
	markup_close(m);
}

void prof_write_html(const struct prof *p, FILE *out)
{
	struct prof_help help;
	struct markup m;

	prof_help_find(p, &help);
	page_begin(&m, out, "Profile of a BSP program", NULL);
	html_words(p, &help, &m);
	html_run(p, &m);
	prof_write_timeline(p, &m);
	html_sites(p, &m);
	prof_write_sections(p, &m);
	prof_write_processes(p, &m);
	html_tree(p, &m);
	html_h(p, &m);
	html_matrix(p, &m);
	html_path(p, &m);
	html_model(p, &m);
	if (!prof_is_part())
		html_prediction(p, &help, &m);
	html_conditions(p, &m);
	page_end(&m);
}
