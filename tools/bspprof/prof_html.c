// SPDX-License-Identifier: BSD-3-Clause
/* prof_html.c - a profile as one page that needs nothing else. */

/*
 * Well-formed as HTML and as XML, without a script. Tables scroll inside of their frames, which
 * the keyboard reaches. All texts of the recording are escaped.
 */

#include "config.h"

#include "prof.h"
#include "prof_gain.h"
#include "prof_graph.h"

#include "common/escape.h"
#include "common/page.h"

#include <stdlib.h>
#include <string.h>

enum {
	WIDTH = 900, HEIGHT = 220,	/* of the picture of h */
	COLUMNS = 450,			/* of it: supersteps are merged into so many */
	CELL = 14,			/* of the matrix */
	MATRIX_TABLE_MOST = 16,		/* more rows are a picture without figures */
};

static const char rules[] =
	"td.site, th.site { text-align: left; white-space: normal; overflow-wrap: anywhere;\n"
	"  min-width: 12rem; }\n"
	"td.bar { min-width: 6rem; }\n"
	".meter { display: block; height: .6rem; background: var(--sync); border-radius: .2rem; }\n"
	".note { border-left: .3rem solid var(--lost); padding-left: .8rem; }\n"
	"svg .h { fill: var(--sync); } svg .axis { stroke: var(--soft); }\n"
	"svg .cell { fill: var(--sync); stroke: var(--line); stroke-width: .5; }\n"
	"dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.5rem; }\n"
	"dd { margin: 0; overflow-wrap: anywhere; } dt { color: var(--soft); }\n";

static double html_percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* Three digits or more that mean something. */
static void html_time(FILE *out, double ns)
{
	if (ns >= 1e9)
		fprintf(out, "%.3f s", ns * 1e-9);
	else if (ns >= 1e6)
		fprintf(out, "%.3f ms", ns * 1e-6);
	else
		fprintf(out, "%.2f \302\265s", ns * 1e-3);
}

static void html_time_cell(FILE *out, double ns)
{
	fputs("<td>", out);
	html_time(out, ns);
	fputs("</td>", out);
}

static void html_bytes(FILE *out, double bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	int unit = 0;

	for (; bytes >= 10240 && unit < 4; unit++)
		bytes /= 1024;
	fprintf(out, "%.0f %s", bytes, units[unit]);
}

/* ---- The run ------------------------------------------------------------------------------ */

static void html_notes(const struct prof *p, FILE *out)
{
	const struct recording *r = &p->recording;

	if (r->note[0]) {
		fputs("<p class=\"note\">The run did not end well: ", out);
		html_escape(out, r->note);
		fputs("</p>\n", out);
	}
	if (r->present < r->nprocs)
		fprintf(out, "<p class=\"note\">The recording has %d of %d processes.</p>\n",
			r->present, r->nprocs);
	if (p->damage[0]) {
		fputs("<p class=\"note\">The recording is damaged, and shown as far as it can be "
		      "read: ", out);
		html_escape(out, p->damage);
		fputs("</p>\n", out);
	}
	if (p->summed)
		fprintf(out, "<p class=\"note\">%llu supersteps did not fit into the recording. "
			"They are in the sums of the call sites only, not in h, the matrix, the "
			"supersteps that repeat, the critical path and the model "
			"(BSP_RECORD_LIMIT).</p>\n", (unsigned long long)p->summed);
	if (r->first->summed)
		fprintf(out, "<p class=\"note\">Of %llu supersteps the destinations did not fit; "
			"they are not in the matrix (BSP_RECORD_LIMIT).</p>\n",
			(unsigned long long)r->first->summed);
}

static void html_run(const struct prof *p, FILE *out)
{
	const struct recording_head *h = p->recording.first;
	double all = (double)p->computed + (double)p->waited;

	fputs("<section>\n<h2>The run</h2>\n", out);
	html_notes(p, out);
	fputs("<dl>\n<dt>program</dt><dd>", out);
	html_escape(out, h->program);
	fprintf(out, "</dd>\n<dt>processes</dt><dd>%d</dd>\n<dt>transport</dt><dd>", p->nprocs);
	html_escape(out, h->transport);
	if (h->emulate[0]) {
		fputs(", an emulated network: ", out);
		html_escape(out, h->emulate);
	}
	fprintf(out, "</dd>\n<dt>supersteps</dt><dd>%llu</dd>\n<dt>time</dt><dd>",
		(unsigned long long)(p->nsteps + p->summed));
	html_time(out, (double)p->time);
	fprintf(out, "</dd>\n<dt>computed</dt><dd>%.1f %% of the time of all processes</dd>\n"
		"<dt>waited</dt><dd>%.1f %%", html_percent((double)p->computed, all),
		html_percent((double)p->waited, all));
	if (p->collective)
		fprintf(out, ", of that %.1f %% in collective operations and schedules",
			html_percent((double)p->collective, (double)p->waited));
	if (p->credit)
		fprintf(out, ", %.1f %% for credit",
			html_percent((double)p->credit, (double)p->waited));
	fprintf(out, "</dd>\n<dt>sent</dt><dd>%llu puts, gets and messages, ",
		(unsigned long long)p->sent);
	html_bytes(out, (double)p->bytes);
	fputs("</dd>\n</dl>\n</section>\n", out);
}

/* ---- Call sites --------------------------------------------------------------------------- */

static const char site_head[] =
	"<section>\n<h2>Call sites</h2>\n"
	"<p class=\"about\">Sorted by the time waited. Computed: from the call before to this\n"
	"one; imbalance: the most that a process computed over the mean; path: computing before\n"
	"this call that is on the critical path; h: the most bytes in or out of a process.</p>\n"
	"<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Call sites\">\n<table>\n"
	"<thead><tr><th scope=\"col\" class=\"site\">call</th><th scope=\"col\">calls of<br/>"
	"a process</th>\n<th scope=\"col\">waited,<br/>mean</th><th scope=\"col\">least</th>\n"
	"<th scope=\"col\">most</th><th scope=\"col\" colspan=\"2\">share of<br/>the run</th>\n"
	"<th scope=\"col\">computed,<br/>mean</th><th scope=\"col\">least</th>\n"
	"<th scope=\"col\">most</th><th scope=\"col\">imbalance</th>\n"
	"<th scope=\"col\">path</th><th scope=\"col\">transfers</th><th scope=\"col\">bytes</th>\n"
	"<th scope=\"col\">sum of h</th></tr></thead>\n<tbody>\n";

static void html_call(FILE *out, const struct prof_row *r)
{
	fputs("<code>", out);
	html_escape(out, prof_kind_name(r));
	fputs("</code> ", out);
	html_escape(out, r->site);
}

static void write_site_row(const struct prof *p, const struct prof_row *r, FILE *out)
{
	double waited = prof_mean(p, r->waited), computed = prof_mean(p, r->computed);
	double share = html_percent(waited, (double)p->time), most;
	char calls[40];
	int worst;

	most = prof_most(p, r->computed, &worst);
	prof_calls_text(p, r, calls, sizeof(calls));
	fputs("<tr><th scope=\"row\" class=\"site\">", out);
	html_call(out, r);
	fprintf(out, "</th><td>%s</td>", calls);
	html_time_cell(out, waited);
	html_time_cell(out, prof_least(p, r->waited));
	html_time_cell(out, prof_most(p, r->waited, NULL));
	fprintf(out, "<td>%.1f %%</td><td class=\"bar\"><span class=\"meter\" "
		"style=\"width:%.1f%%\"></span></td>", share, share > 100 ? 100 : share);
	html_time_cell(out, computed);
	html_time_cell(out, prof_least(p, r->computed));
	html_time_cell(out, most);
	if (computed > 0)
		fprintf(out, "<td>%.2f, process %d</td>", most / computed, worst);
	else
		fputs("<td></td>", out);
	fprintf(out, "<td>%.1f %%</td><td>%llu</td><td>",
		html_percent((double)r->on_path, (double)p->path_length),
		(unsigned long long)r->sent);
	html_bytes(out, (double)r->bytes);
	fputs("</td><td>", out);
	html_bytes(out, (double)r->h);
	fputs("</td></tr>\n", out);
}

static void html_sites(const struct prof *p, FILE *out)
{
	uint32_t *rows = prof_by_cost(p);

	fputs(site_head, out);
	for (size_t i = 0; rows && i < p->nrows; i++)
		write_site_row(p, &p->rows[rows[i]], out);
	fputs("</tbody>\n</table>\n</div>\n</section>\n", out);
	free(rows);
}

/* ---- Supersteps --------------------------------------------------------------------------- */

static void html_difference_cell(FILE *out, double ns)
{
	fputs(ns < 0 ? "<td>\342\210\222" : "<td>+", out);
	html_time(out, ns < 0 ? -ns : ns);
	fputs("</td>", out);
}

static void html_node(const struct prof *p, const struct prof_node *n, int depth, FILE *out)
{
	const struct prof_cost *c = &n->cost;

	fprintf(out, "<tr><th scope=\"row\" class=\"site\" style=\"padding-left:%drem\">",
		depth < 12 ? depth : 12);
	if (n->ninside)
		fprintf(out, "%llu times", (unsigned long long)n->times);
	else
		html_escape(out, p->signatures[n->signature]);
	fprintf(out, "</th><td>%llu</td>", (unsigned long long)c->steps);
	html_time_cell(out, (double)c->time);
	html_time_cell(out, (double)c->waited);
	fprintf(out, "<td>%.1f %%</td>", html_percent((double)c->time, (double)p->time));
	html_time_cell(out, c->model);
	html_difference_cell(out, (double)c->time - c->model);
	fputs("</tr>\n", out);
}

static void html_tree(const struct prof *p, FILE *out)
{
	uint64_t left;

	fputs("<section>\n<h2>Supersteps that repeat</h2>\n"
	      "<p class=\"about\">The same call sites in the same order are one row; what is "
	      "repeated stands under its number of times. Beside it what the cost model below "
	      "says, and what the run took beyond that.</p>\n"
	      "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Supersteps\">\n"
	      "<table>\n<thead><tr><th scope=\"col\" class=\"site\">superstep</th>"
	      "<th scope=\"col\">number</th><th scope=\"col\">time</th>"
	      "<th scope=\"col\">waited, mean</th><th scope=\"col\">share</th>"
	      "<th scope=\"col\">model</th><th scope=\"col\">beyond it</th></tr></thead>\n"
	      "<tbody>\n", out);
	left = prof_write_tree(p, html_node, out);
	fputs("</tbody>\n</table>\n</div>\n", out);
	if (left)
		fprintf(out, "<p class=\"about\">and %llu rows more</p>\n",
			(unsigned long long)left);
	fputs("</section>\n", out);
}

/* ---- The h-relation ----------------------------------------------------------------------- */

/* The most of each column, so that no peak is lost. */
static void html_h(const struct prof *p, FILE *out)
{
	uint64_t column[COLUMNS] = { 0 }, most = 0;

	for (uint64_t i = 0; i < p->nsteps; i++) {
		uint64_t at = p->time ? (uint64_t)((double)p->steps[i].finish / (double)p->time *
						   (COLUMNS - 1)) : 0;

		if (at < COLUMNS && column[at] < p->steps[i].h)
			column[at] = p->steps[i].h;
		if (most < p->steps[i].h)
			most = p->steps[i].h;
	}
	fprintf(out, "<section>\n<h2>The h-relation over time</h2>\n<p class=\"about\">The most "
		"bytes that a process sends or receives in a superstep; the highest is ");
	html_bytes(out, (double)most);
	fputs(". From left to right: ", out);
	html_time(out, (double)p->time);
	fprintf(out, ".</p>\n<figure tabindex=\"0\"><svg viewBox=\"0 0 %d %d\" role=\"img\" "
		"aria-label=\"h of the supersteps over time\">\n", WIDTH, HEIGHT + 2);
	for (int i = 0; i < COLUMNS; i++)
		if (column[i])
			fprintf(out, "<rect class=\"h\" x=\"%d\" y=\"%.1f\" width=\"%d\" "
				"height=\"%.1f\"/>\n", i * WIDTH / COLUMNS,
				HEIGHT - (double)column[i] / (double)most * HEIGHT,
				WIDTH / COLUMNS, (double)column[i] / (double)most * HEIGHT);
	fprintf(out, "<path class=\"axis\" d=\"M0 %dH%d\"/>\n</svg></figure>\n</section>\n",
		HEIGHT + 1, WIDTH);
}

/* ---- Who sends to whom -------------------------------------------------------------------- */

static void write_matrix_table(const struct prof *p, FILE *out)
{
	fputs("<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Matrix\">\n"
	      "<table>\n"
	      "<thead><tr><th scope=\"col\">from, to</th>", out);
	for (int to = 0; to < p->cells; to++)
		fprintf(out, "<th scope=\"col\">%d</th>", to);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (int from = 0; from < p->cells; from++) {
		fprintf(out, "<tr><th scope=\"row\">%d</th>", from);
		for (int to = 0; to < p->cells; to++) {
			fputs("<td>", out);
			html_bytes(out, (double)p->matrix[from * p->cells + to]);
			fputs("</td>", out);
		}
		fputs("</tr>\n", out);
	}
	fputs("</tbody>\n</table>\n</div>\n", out);
}

static void write_matrix_picture(const struct prof *p, uint64_t most, FILE *out)
{
	int size = p->cells * CELL;

	fprintf(out, "<figure tabindex=\"0\"><svg viewBox=\"0 0 %d %d\" role=\"img\" "
		"aria-label=\"bytes from each process, a row, to each\" "
		"style=\"max-width:%dpx\">\n", size, size, size);
	for (int from = 0; from < p->cells; from++)
		for (int to = 0; to < p->cells; to++)
			fprintf(out, "<rect class=\"cell\" x=\"%d\" y=\"%d\" width=\"%d\" "
				"height=\"%d\" fill-opacity=\"%.3f\"/>\n", to * CELL, from * CELL,
				CELL, CELL,
				most ? (double)p->matrix[from * p->cells + to] / (double)most : 0);
	fputs("</svg></figure>\n", out);
}

static void html_matrix(const struct prof *p, FILE *out)
{
	uint64_t most = 0;

	for (int i = 0; i < p->cells * p->cells; i++)
		if (most < p->matrix[i])
			most = p->matrix[i];
	fputs("<section>\n<h2>Who sends to whom</h2>\n"
	      "<p class=\"about\">Bytes, from rows to columns", out);
	if (p->per_cell > 1)
		fprintf(out, "; a row and a column are %d processes", p->per_cell);
	fputs(". The most is ", out);
	html_bytes(out, (double)most);
	fputs(".</p>\n", out);
	if (p->cells <= MATRIX_TABLE_MOST)
		write_matrix_table(p, out);
	else
		write_matrix_picture(p, most, out);
	fputs("</section>\n", out);
}

/* ---- Path and model ----------------------------------------------------------------------- */

static void html_path(const struct prof *p, FILE *out)
{
	fputs("<section>\n<h2>The critical path</h2>\n", out);
	if (!p->calls || !p->path_length) {
		fputs(p->calls ? "<p>There is none: no call took any time.</p>\n</section>\n" :
		      "<p>It is left out: too many calls.</p>\n</section>\n", out);
		return;
	}
	fprintf(out, "<p class=\"about\">Backwards from the last end: a wait leads to the process "
		"that sent what it waited for last. %.1f %% of it are in calls and on the network; "
		"the rest is computing of these processes, before the calls that the table above "
		"says.</p>\n<div class=\"table\" tabindex=\"0\" role=\"region\" "
		"aria-label=\"Critical path\">\n<table>\n<thead><tr><th scope=\"col\">process</th>"
		"<th scope=\"col\">computing on the path</th><th scope=\"col\">share</th></tr>"
		"</thead>\n<tbody>\n", html_percent((double)p->path_waits, (double)p->path_length));
	for (int q = 0; q < p->nprocs; q++) {
		if (p->nprocs > PROF_CELLS &&
		    html_percent((double)p->path[q], (double)p->path_length) < 0.1)
			continue;
		fprintf(out, "<tr><th scope=\"row\">%d</th>", q);
		html_time_cell(out, (double)p->path[q]);
		fprintf(out, "<td>%.1f %%</td></tr>\n",
			html_percent((double)p->path[q], (double)p->path_length));
	}
	fputs("</tbody>\n</table>\n</div>\n</section>\n", out);
}

static void html_model(const struct prof *p, FILE *out)
{
	const struct recording_head *h = p->recording.first;
	double model = 0, computed = 0, bytes = 0;

	for (uint64_t i = 0; i < p->nsteps; i++) {
		model += prof_model(p, &p->steps[i]);
		computed += (double)p->steps[i].computed_most;
		bytes += (double)p->steps[i].h;
	}
	fprintf(out, "<section>\n<h2>The cost model</h2>\n"
		"<p class=\"about\">W + g h + L, superstep by superstep, with g = %.3f ns "
		"for a byte and L = %.2f \302\265s a round of "
		"a barrier: the transport's own estimates. Relaxed supersteps have no L.</p>\n"
		"<dl>\n<dt>W</dt><dd>", h->G, (h->L + 2 * h->o) * 1e-3);
	html_time(out, computed);
	fputs("</dd>\n<dt>sum of h</dt><dd>", out);
	html_bytes(out, bytes);
	fputs("</dd>\n<dt>model</dt><dd>", out);
	html_time(out, model);
	fputs("</dd>\n<dt>the run</dt><dd>", out);
	html_time(out, (double)p->time);
	if (model > 0)
		fprintf(out, ", %.2f times the model", (double)p->time / model);
	fputs("</dd>\n</dl>\n</section>\n", out);
}

static void html_gains(const struct prof *p, const struct prof_network *net, FILE *out)
{
	struct prof_gain gains[PROF_GAINS];
	char why[300];
	int n = prof_find_gains(p, net, gains, why, sizeof(why));

	if (n <= 0)
		return;
	fputs("<p class=\"about\">And if one call site alone were changed, the rest being as it "
	      "was recorded:</p>\n<div class=\"table\" tabindex=\"0\" role=\"region\" "
	      "aria-label=\"Gains of call sites\">\n<table>\n<thead><tr>"
	      "<th scope=\"col\" class=\"site\">call site</th><th scope=\"col\">saves</th>"
	      "<th scope=\"col\">share</th></tr></thead>\n<tbody>\n", out);
	for (int i = 0; i < n; i++) {
		const struct prof_row *row = &p->rows[gains[i].row];

		fputs("<tr><th scope=\"row\" class=\"site\">", out);
		html_call(out, row);
		fprintf(out, ", %s</th>", prof_gain_means(row));
		html_time_cell(out, (double)gains[i].ps * 1e-3);
		fprintf(out, "<td>%.1f %%</td></tr>\n", gains[i].percent);
	}
	fputs("</tbody>\n</table>\n</div>\n", out);
}

/* Simulated times of the three forms, on the network of the run itself. */
static void html_prediction(const struct prof *p, FILE *out)
{
	static const char *const names[PROF_FORMS] = {
		"as recorded", "with a barrier in each superstep",
		"with relaxed barriers in all supersteps",
	};
	uint64_t ps[PROF_FORMS] = { 0 };
	struct prof_network net;
	char why[300] = "";
	int err = prof_network_own(&p->recording, &net, why, sizeof(why));

	for (int form = 0; form < PROF_FORMS && !err; form++)
		err = prof_predict(&p->recording,
				   &(struct prof_variant){ .form = (enum prof_form)form }, &net,
				   &ps[form], why, sizeof(why));
	fputs("<section>\n<h2>What other barriers would take</h2>\n<p class=\"about\">Simulated by "
	      "LogGP from this recording; other networks by bspprof predict.</p>\n", out);
	if (err) {
		fputs("<p>Not predicted: ", out);
		html_escape(out, why);
		fputs(".</p>\n</section>\n", out);
		return;
	}
	fputs("<dl>\n", out);
	for (int form = 0; form < PROF_FORMS; form++) {
		fprintf(out, "<dt>%s</dt><dd>", names[form]);
		html_time(out, (double)ps[form] * 1e-3);
		fputs("</dd>\n", out);
	}
	fprintf(out, "<dt>relaxed saves</dt><dd>%.1f %%</dd>\n</dl>\n",
		ps[PROF_CLASSIC] ? 100 - html_percent((double)ps[PROF_RELAXED],
						      (double)ps[PROF_CLASSIC]) : 0);
	html_gains(p, &net, out);
	fputs("</section>\n", out);
}

void prof_write_html(const struct prof *p, FILE *out)
{
	fputs("<!DOCTYPE html>\n", out);
	page_begin(out, "Profile of a BSP program", rules);
	html_run(p, out);
	html_sites(p, out);
	html_tree(p, out);
	html_h(p, out);
	html_matrix(p, out);
	html_path(p, out);
	html_model(p, out);
	html_prediction(p, out);
	fprintf(out, "<footer>\n<p>Made by bspprof, bsp %s.</p>\n</footer>\n</main>\n</body>\n"
		"</html>\n", PACKAGE_VERSION);
}
