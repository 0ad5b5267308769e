// SPDX-License-Identifier: BSD-3-Clause
/* gauge_out_html.c - a self-contained page with plots and tables of reports. */

#include "tools/bspgauge/gauge.h"
#include "common/escape.h"
#include "common/page.h"

#include <string.h>

/* Beside those of all pages. */
static const char rules[] =
	":root {\n"
	"  --c0: #2b66b1; --c1: #c25a00; --c2: #1a7a42; --c3: #a3246b; --c4: #6a4fb3; --c5: "
	"#0d7f86;\n"
	"  --c6: #8a6d00; --c7: #b3261e; --c8: #4a5568; --c9: #3d8f00;\n"
	"}\n"
	"@media (prefers-color-scheme: dark) {\n"
	"  :root {\n"
	"    --c0: #6aa5ea; --c1: #f2a155; --c2: #6fd396; --c3: #f08cc0; --c4: #b39df0; --c5: "
	"#5ecbd3;\n"
	"    --c6: #dcc04a; --c7: #ff9d92; --c8: #a9b4c4; --c9: #a3dc6a;\n"
	"  }\n"
	"}\n"
	"h2 { margin: 2rem 0 .5rem; }\n"
	".plots { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, "
	"minmax(min(34rem, 100%), 1fr)); }\n"
	"figure { margin: 0; max-width: none; background: var(--card); border: 1px solid "
	"var(--line);\n"
	"  border-radius: .6rem; padding: 1.1rem 1.25rem; }\n"
	"figure p { color: var(--soft); font-size: .85rem; margin: 0 0 .5rem; }\n"
	"svg.plot { min-width: 28rem; }\n"
	"svg text { font-size: 12px; fill: var(--soft); }\n"
	"svg .grid { stroke: var(--line); fill: none; }\n"
	"svg .axis { stroke: var(--soft); fill: none; }\n"
	"svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }\n"
	"svg .curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; }\n"
	"svg .spread { stroke-width: 1; opacity: .55; fill: none; }\n"
	"svg .flagged { fill: var(--card); }\n"
	".legend { gap: .15rem 1.25rem; margin: .5rem 0 0; font-size: .85rem; }\n"
	".legend svg { width: 1.6rem; height: .8rem; margin-right: .4rem; }\n"
	"table { min-width: 0; }\n"
	"th, td { padding: .3rem .8rem .3rem 0; text-align: left; }\n"
	"thead th { vertical-align: baseline; border-top: 1px solid var(--line); }\n"
	"th { font-weight: 600; } td.n { text-align: right; }\n";

static const char about_dots[] =
	"<p>Dots are medians; bars are intervals of 95&#160;% confidence. A hollow dot was not "
	"what can be, as a time below 0,\n"
	"and was replaced; the dot tells why.</p>\n";

/* ---- Tables ------------------------------------------------------------------------- */

static void print_cell(FILE *out, const char *text)
{
	fputs("<td>", out);
	html_escape(out, text);
	fputs("</td>", out);
}

static void html_print_value(FILE *out, const struct gauge_report *report,
			     const struct gauge_result *r, const struct gauge_series *s)
{
	const struct measure_value *v = &s->at[0].v;
	char disturbed[GAUGE_NAME];

	fputs("<tr>", out);
	print_cell(out, report->file);
	print_cell(out, r->module);
	print_cell(out, r->pattern);
	print_cell(out, s->name);
	fprintf(out, "<td class=\"n\">%.5g</td>", v->median);
	print_cell(out, s->unit);
	fprintf(out, "<td>%.5g to %.5g</td>", v->low, v->high);
	print_cell(out, v->flagged ? v->why : gauge_disturbed(r, disturbed));
	fputs("</tr>\n", out);
}

static void print_values(FILE *out, const struct gauge_reports *all)
{
	fputs("<h2>Parameters</h2>\n<div "
	      "class=\"table\"><table>\n<thead><tr><th>file</th><th>module</th><th>pattern</th>"
	      "<th>parameter</th><th>median</th><th>unit</th><th>95&#160;%</th><th></th></tr>"
	      "</thead>\n<tbody>\n",
	      out);
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->at[i].n; k++) {
			const struct gauge_result *r = &all->at[i].result[k];

			for (size_t s = 0; s < r->n; s++)
				if (!r->series[s].plot[0] && r->series[s].n)
					html_print_value(out, &all->at[i], r, &r->series[s]);
		}
	fputs("</tbody>\n</table></div>\n", out);
}

/* A pattern, or a series of it. */
static void print_skipped_row(FILE *out, const struct gauge_report *report,
			      const struct gauge_result *r, const char *series, const char *why)
{
	if (!why[0])
		return;
	fputs("<tr>", out);
	print_cell(out, report->file);
	print_cell(out, r->module);
	print_cell(out, r->pattern);
	print_cell(out, series);
	print_cell(out, why);
	fputs("</tr>\n", out);
}

static void print_skipped(FILE *out, const struct gauge_reports *all)
{
	fputs("<h2>Not measured</h2>\n<div "
	      "class=\"table\"><table>\n<thead><tr><th>file</th><th>module</th><th>pattern</th>"
	      "<th></th><th>why</th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->at[i].n; k++) {
			const struct gauge_result *r = &all->at[i].result[k];

			print_skipped_row(out, &all->at[i], r, "", r->skipped);
			for (size_t s = 0; s < r->n; s++)
				print_skipped_row(out, &all->at[i], r, r->series[s].name,
						  r->series[s].skipped);
		}
	fputs("</tbody>\n</table></div>\n", out);
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

static void print_about(FILE *out, const struct gauge_report *r)
{
	const char *parts[] = { r->file,  r->host, r->processor, r->kernel,
				r->clock, r->date, r->command };

	const char *between = "";

	fputs("<p class=\"about\">", out);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i][0]) {
			fputs(between, out);
			html_escape(out, parts[i]);
			between = " · ";
		}
	fputs("</p>\n", out);
}

void gauge_out_html(FILE *out, const struct gauge_reports *all)
{
	fputs("<!DOCTYPE html>\n", out);
	page_front(out, "What messages cost", rules);
	fputs(about_dots, out);
	for (size_t i = 0; i < all->n; i++)
		print_about(out, &all->at[i]);
	fputs("<div class=\"plots\">\n", out);
	for (const struct gauge_plot *p = gauge_plots; p->name; p++)
		gauge_out_plot(out, all, p);
	fputs("</div>\n", out);
	print_values(out, all);
	if (has_skipped(all))
		print_skipped(out, all);
	fputs("</main>\n</body>\n</html>\n", out);
}
