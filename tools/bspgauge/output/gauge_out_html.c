// SPDX-License-Identifier: BSD-3-Clause
/* gauge_out_html.c - a self-contained page with plots and tables of reports. */

#include "tools/bspgauge/gauge.h"
#include "common/page/page.h"
#include "common/page/table.h"

#include <string.h>

/* ---- Tables ------------------------------------------------------------------------- */

/* The columns that say of what a row is; the file only if there are several. */
static void html_origin_columns(struct page_table *t, const struct gauge_reports *all)
{
	page_table_column(t, PAGE_WORDS, "module");
	page_table_column(t, all->n > 1 ? PAGE_LONG : PAGE_LONG | PAGE_DETAIL, "file");
}

static void html_origin_cells(struct page_table *t, const struct gauge_report *report,
			      const struct gauge_result *r)
{
	page_table_cell(t, "%s", r->module);
	page_table_cell(t, "%s", report->file);
}

static void html_values_of(struct page_table *t, const struct gauge_report *report)
{
	char disturbed[GAUGE_NAME];

	for (size_t k = 0; k < report->n; k++) {
		const struct gauge_result *r = &report->result[k];

		for (const struct gauge_series *s = r->series; s < r->series + r->n; s++) {
			const struct measure_value *v = &s->at[0].v;

			if (s->plot[0] || !s->n)
				continue;
			page_table_cell(t, "%s", s->name);
			page_table_cell(t, "%.5g", v->median);
			page_table_cell(t, "%s", s->unit);
			page_table_cell(t, "%.5g to %.5g", v->low, v->high);
			page_table_cell(t, "%s", r->pattern);
			html_origin_cells(t, report, r);
			page_table_cell(t, "%s", v->flagged ? v->why :
							      gauge_disturbed(r, disturbed));
		}
	}
}

static void html_values(struct markup *m, const struct gauge_reports *all)
{
	struct page_table t;

	page_card(m, "Parameters");
	page_table_begin(&t, "Parameters");
	page_table_column(&t, PAGE_WORDS, "parameter");
	page_table_column(&t, PAGE_KEPT, "median");
	page_table_column(&t, PAGE_WORDS, "unit");
	page_table_column(&t, PAGE_KEPT, "95 %% confidence");
	page_table_column(&t, PAGE_WORDS, "pattern");
	html_origin_columns(&t, all);
	page_table_column(&t, PAGE_LONG, "note");
	for (size_t i = 0; i < all->n; i++)
		html_values_of(&t, &all->at[i]);
	page_table_end(&t, m);
	page_card_end(m);
}

/* A pattern, or a series of it. */
static void html_skipped_row(struct page_table *t, const struct gauge_report *report,
			     const struct gauge_result *r, const char *series, const char *why)
{
	if (!why[0])
		return;
	page_table_cell(t, "%s", r->pattern);
	page_table_cell(t, "%s", series);
	html_origin_cells(t, report, r);
	page_table_cell(t, "%s", why);
}

static void html_skipped(struct markup *m, const struct gauge_reports *all)
{
	struct page_table t;

	page_card(m, "Not measured");
	page_table_begin(&t, "Not measured");
	page_table_column(&t, PAGE_WORDS, "pattern");
	page_table_column(&t, PAGE_WORDS, "series");
	html_origin_columns(&t, all);
	page_table_column(&t, PAGE_LONG, "why");
	for (size_t i = 0; i < all->n; i++) {
		const struct gauge_report *report = &all->at[i];

		for (size_t k = 0; k < report->n; k++) {
			const struct gauge_result *r = &report->result[k];

			html_skipped_row(&t, report, r, "", r->skipped);
			for (size_t s = 0; s < r->n; s++)
				html_skipped_row(&t, report, r, r->series[s].name,
						 r->series[s].skipped);
		}
	}
	page_table_end(&t, m);
	page_card_end(m);
}

static bool result_has_skipped(const struct gauge_result *r)
{
	for (size_t s = 0; s < r->n; s++)
		if (r->series[s].skipped[0])
			return true;
	return r->skipped[0];
}

static bool has_skipped(const struct gauge_reports *all)
{
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->at[i].n; k++)
			if (result_has_skipped(&all->at[i].result[k]))
				return true;
	return false;
}

/* ---- The page ----------------------------------------------------------------------- */

static void html_about(struct markup *m, const struct gauge_report *r)
{
	char version[GAUGE_NAME + 4] = "";

	if (r->version[0])
		snprintf(version, sizeof(version), "bsp %s", r->version);
	page_conditions(m, &(struct page_conditions){
		.file = r->file, .host = r->host, .processor = r->processor, .kernel = r->kernel,
		.clock = r->clock, .date = r->date, .version = version, .command = r->command,
	});
}

void gauge_out_html(FILE *out, const struct gauge_reports *all)
{
	struct markup m;

	page_begin(&m, out, "What messages cost", NULL);
	page_say(&m, PAGE_PLAIN,
		 "Dots are medians; bars are intervals of 95\302\240%% confidence. A hollow dot is "
		 "a replaced value: what was measured is impossible, as a time below 0. The text "
		 "of the dot has the reason.");
	for (size_t i = 0; i < all->n; i++)
		html_about(&m, &all->at[i]);
	page_grid(&m);
	for (const struct gauge_plot *p = gauge_plots; p->name; p++)
		gauge_out_plot(&m, all, p);
	markup_close(&m);
	html_values(&m, all);
	if (has_skipped(all))
		html_skipped(&m, all);
	page_end(&m);
}
