// SPDX-License-Identifier: BSD-3-Clause
/* compare_html.c - what people see of a page of comparisons: words, bars and tables. */

#include "config.h"

#include "compare.h"
#include "common/escape.h"
#include "common/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TEXT = 40 };

static const char rules[] =
	"svg .name, svg .saved { font-weight: 600; }\n"
	"svg .mode { text-anchor: end; fill: var(--soft); }\n"
	"svg .note { fill: var(--soft); }\n"
	"svg .inside { font-size: 12px; }\n"
	"svg .saved { fill: var(--saved); }\n"
	"svg .lost { fill: var(--lost); font-weight: 600; }\n"
	"svg .base { stroke: var(--soft); fill: none; }\n"
	"svg .halo { stroke: var(--card); stroke-width: 4.5; fill: none; }\n"
	"svg .spread { stroke: var(--ink); stroke-width: 1.5; fill: none; }\n"
	"th:first-child, th:nth-child(2) { text-align: left; padding-left: 0; }\n"
	".gain td, .gain th { color: var(--saved); font-weight: 600; border-top: 0; }\n"
	".gain .lost { color: var(--lost); }\n";

static const char introduction[] =
	"<p>Each program was run in two ways: with classic barriers, where <code>bsp_sync</code>\n"
	"holds every process until all have arrived and all data are there, and with relaxed\n"
	"ones, where it holds none and <code>bsp_read</code> waits for just those data that are\n"
	"needed next. The bars show how long a process spends on communication, as the mean\n"
	"of all processes; shorter is better, and the percentage is what relaxed barriers\n"
	"change.</p>\n"
	"<ul class=\"legend\">\n"
	"<li><svg class=\"sync\" viewBox=\"0 0 24 14\" aria-hidden=\"true\">"
	"<rect width=\"24\" height=\"14\"/></svg>in <code>bsp_sync</code></li>\n"
	"<li><svg class=\"read\" viewBox=\"0 0 24 14\" aria-hidden=\"true\">"
	"<rect width=\"24\" height=\"14\"/></svg>"
	"in <code>bsp_read</code> and <code>bsp_expect</code></li>\n"
	"<li><svg class=\"collective\" viewBox=\"0 0 24 14\" aria-hidden=\"true\">"
	"<rect width=\"24\" height=\"14\"/></svg>in collective operations and schedules</li>\n"
	"<li><svg class=\"compute\" viewBox=\"0 0 24 14\" aria-hidden=\"true\">"
	"<rect width=\"24\" height=\"14\"/></svg>computation</li>\n"
	"<li><svg viewBox=\"0 0 24 14\" aria-hidden=\"true\">"
	"<path class=\"spread\" d=\"M1 3V11M1 7H23M23 3V11\"/></svg>"
	"least to most of all rounds</li>\n"
	"</ul>\n";

/* ---- A table --------------------------------------------------------------- */

static void write_time(FILE *out, double seconds, double largest)
{
	char text[TEXT];

	compare_time_text(text, sizeof(text), seconds, compare_unit_of(largest));
	fprintf(out, "<td>%s</td>", text);
}

/* With a narrow space between thousands. */
static void write_count(FILE *out, double count)
{
	char digits[TEXT];
	size_t n = snprintf(digits, sizeof(digits), "%.0f", count);

	fputs("<td>", out);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			fputs("\u202f", out);
		putc(digits[i], out);
	}
	fputs("</td>", out);
}

static void write_row(FILE *out, const struct comparison *c, enum compare_mode mode)
{
	const struct compare_figures *f = &c->runs[mode], *classic = &c->runs[COMPARE_CLASSIC];
	char text[TEXT];

	fprintf(out, "<tr><th scope=\"row\">%.0f</th><th scope=\"row\">%s</th>", c->nprocs,
		compare_name[mode]);
	write_time(out, f->communication, classic->communication);
	write_time(out, f->sync, classic->communication);
	write_time(out, f->read, classic->communication);
	write_time(out, f->collective, classic->communication);
	write_time(out, f->largest, classic->largest);
	write_time(out, f->compute, classic->compute);
	write_time(out, f->total, classic->total);
	write_count(out, f->supersteps);
	write_count(out, f->puts);
	write_count(out, f->gets);
	write_count(out, f->messages);
	compare_bytes_text(text, sizeof(text), f->bytes);
	fprintf(out, "<td>%s</td><td>%.0f</td></tr>\n", text, c->rounds);
}

static void write_saved(FILE *out, const struct compare_spread *s, int columns)
{
	char median[TEXT], least[TEXT], most[TEXT];

	compare_part_text(median, sizeof(median), s->median);
	compare_part_text(least, sizeof(least), s->least);
	compare_part_text(most, sizeof(most), s->most);
	fprintf(out, "<td colspan=\"%d\"%s>%s", columns,
		s->median < 0 ? " class=\"lost\"" : "", median);
	if (s->least != s->most)
		fprintf(out, " (%s to %s)", least, most);
	fputs("</td>", out);
}

static const char table_head[] =
	"<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Figures\">\n<table>\n"
	"<caption>Times of a process, counts of all</caption>\n"
	"<thead><tr><th scope=\"col\">processes</th><th scope=\"col\">barriers</th>\n"
	"<th scope=\"col\">communication,<br/>mean</th><th scope=\"col\">in<br/>bsp_sync</th>\n"
	"<th scope=\"col\">in<br/>bsp_read</th><th scope=\"col\">in<br/>collectives</th>\n"
	"<th scope=\"col\">communication,<br/>largest</th>\n"
	"<th scope=\"col\">computation,<br/>mean</th><th scope=\"col\">total</th>\n"
	"<th scope=\"col\">supersteps</th><th scope=\"col\">puts</th><th scope=\"col\">gets</th>\n"
	"<th scope=\"col\">messages</th><th scope=\"col\">sent</th>\n"
	"<th scope=\"col\">rounds</th></tr></thead>\n<tbody>\n";

static void write_table(FILE *out, const struct comparison *const *c, size_t n)
{
	fputs(table_head, out);
	for (size_t i = 0; i < n; i++) {
		write_row(out, c[i], COMPARE_CLASSIC);
		write_row(out, c[i], COMPARE_RELAXED);
		fprintf(out, "<tr class=\"gain\"><th scope=\"row\">%.0f</th>"
			"<th scope=\"row\">saved</th>", c[i]->nprocs);
		write_saved(out, &c[i]->saved, 4);
		write_saved(out, &c[i]->saved_total, 3);
		fputs("<td colspan=\"6\"></td></tr>\n", out);
	}
	fputs("</tbody>\n</table>\n</div>\n", out);
}

/* ---- Sections -------------------------------------------------------------- */

bool compare_is_alike(const struct comparison *a, const struct comparison *b)
{
	return strcmp(a->command, b->command) == 0 && strcmp(a->network, b->network) == 0 &&
	       strcmp(a->transport, b->transport) == 0;
}

static int by_processes(const void *a, const void *b)
{
	const struct comparison *x = *(const struct comparison *const *)a;
	const struct comparison *y = *(const struct comparison *const *)b;

	return (x->nprocs > y->nprocs) - (x->nprocs < y->nprocs);
}

static void write_figure(FILE *out, enum compare_bars what, const struct comparison *const *c,
			 size_t n, const char *caption)
{
	char title[2 * COMPARE_TEXT];

	snprintf(title, sizeof(title), "Bars: %s. The figures are in the table.", caption);
	fprintf(out, "<figure>\n<figcaption>%s</figcaption>\n", caption);
	compare_bars_draw(out, what, c, n, title);
	fputs("</figure>\n", out);
}

static void write_about(FILE *out, const struct comparison *const *c, size_t n)
{
	char network[2 * COMPARE_TEXT];

	compare_network_text(network, sizeof(network), c[0]);
	fputs("<p class=\"about\">", out);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%.0f", i == 0 ? "" : i + 1 < n ? ", " : " and ", c[i]->nprocs);
	fputs(n > 1 || c[0]->nprocs > 1 ? " processes, " : " process, ", out);
	html_escape(out, network);
	fputs("</p>\n", out);
}

static void write_section(FILE *out, const struct comparison *const *c, size_t n)
{
	fputs("<section>\n<h2>", out);
	html_escape(out, c[0]->command);
	fputs("</h2>\n", out);
	write_about(out, c, n);
	fputs("<div class=\"two\">\n", out);
	write_figure(out, COMPARE_BARS_COMMUNICATION, c, n, "Communication");
	write_figure(out, COMPARE_BARS_TOTAL, c, n, "The whole run");
	fputs("</div>\n", out);
	write_table(out, c, n);
	fputs("</section>\n", out);
}

static void write_overview(FILE *out, const struct comparison *const *c, size_t n)
{
	fputs("<section>\n<h2>All programs</h2>\n"
	      "<p class=\"about\">Each pair of bars has a scale of its own.</p>\n", out);
	write_figure(out, COMPARE_BARS_SHARE, c, n, "Communication");
	fputs("</section>\n", out);
}

/* Takes version and date. */
static const char footer[] =
	"<footer>\n"
	"<p>Figures are those of the run whose communication time is the median of all rounds.\n"
	"What is saved is worked out round by round, classic against relaxed: the median, and\n"
	"the least to the most. An emulated network has the parameters of the LogGP model:\n"
	"L, the latency; o, what sending or receiving a message costs a processor; g, the gap\n"
	"between messages; G, the gap between bytes. Its times are virtual.</p>\n"
	"<p>After Fig. 3 of Kim, Ha and Jhon, Relaxed barrier synchronization for the BSP model\n"
	"of computation on message-passing architectures, Information Processing Letters 66\n"
	"(1998) 247–253. Made by bsprun, bsp %s%s.</p>\n"
	"</footer>\n";

/* The date only when it is given, so that the same figures make the same page. */
static void write_footer(FILE *out)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	char *end = NULL, date[TEXT] = "";
	long long seconds = epoch ? strtoll(epoch, &end, 10) : 0;
	time_t t = seconds;
	struct tm tm;

	if (epoch && *epoch && !*end && gmtime_r(&t, &tm))
		strftime(date, sizeof(date), ", %Y-%m-%d", &tm);
	fprintf(out, footer, PACKAGE_VERSION, date);
}

/* Sections in the order in which their first comparisons were added. */
static void write_sections(FILE *out, const struct compare_page *page,
			   const struct comparison **sorted, bool *taken)
{
	size_t n = 0;

	for (size_t i = 0; i < page->n; i++) {
		size_t from = n;

		for (size_t j = i; j < page->n; j++) {
			if (taken[j] || !compare_is_alike(&page->all[i], &page->all[j]))
				continue;
			taken[j] = true;
			sorted[n++] = &page->all[j];
		}
		qsort(sorted + from, n - from, sizeof(*sorted), by_processes);
	}
	if (!compare_is_alike(sorted[0], sorted[n - 1]))
		write_overview(out, sorted, n);
	for (size_t i = 0, from = 0; i < n; i++) {
		if (i + 1 < n && compare_is_alike(sorted[i], sorted[i + 1]))
			continue;
		write_section(out, sorted + from, i + 1 - from);
		from = i + 1;
	}
}

int compare_html_write(FILE *out, const struct compare_page *page)
{
	const struct comparison **sorted = calloc(page->n, sizeof(struct comparison *));
	bool *taken = calloc(page->n, sizeof(*taken));
	int err = sorted && taken ? 0 : -ENOMEM;

	if (!err) {
		page_front(out, "Classic and relaxed barriers", rules);
		fputs(introduction, out);
		write_sections(out, page, sorted, taken);
		write_footer(out);
		fputs("</main>\n", out);
	}
	free(sorted);
	free(taken);
	return err;
}
