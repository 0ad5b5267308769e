// SPDX-License-Identifier: BSD-3-Clause
/* compare_html.c - what people see of a page of comparisons: words, bars and tables. */

#include "compare.h"
#include "common/page/bars.h"
#include "common/page/page.h"
#include "common/page/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TEXT = 40, GROUPED = 80 };

static const char mark[] = "comparisons by bsprun, format 1";

static const char introduction[] =
	"Each program was run in two ways: with classic barriers, where |bsp_sync| holds every "
	"process until all have arrived and all data are there, and with relaxed ones, where it "
	"holds none and |bsp_read| waits for just those data that are needed next. The bars show "
	"how long a process spends on communication, as the mean of all processes; shorter is "
	"better, and the percentage is what relaxed barriers change. Below a bar is the range from "
	"the least to the most.";

/* For comparisons without --ways, which are of classic and eager. */
static const char usual[] =
	"Relaxed is what |bsprun --ways| calls eager, unless |BSP_EAGER| was set: data travel with "
	"their timestamp. The protocol of the paper is the way rel there: a request and an "
	"acknowledgement precede the data of each put.";

/* Text in which the words between two bars are code. */
static void write_paragraph(struct markup *m, const char *words)
{
	markup_open(m, "p");
	for (bool code = false; *words; code = !code) {
		size_t n = strcspn(words, "|");

		if (code)
			markup_element(m, "code", NULL, "%.*s", (int)n, words);
		else
			markup_text(m, "%.*s", (int)n, words);
		words += n + (words[n] == '|');
	}
	markup_close(m);
}

/* How many comparisons are of named ways. */
static size_t named_of(const struct compare_page *page)
{
	size_t n = 0;

	for (size_t i = 0; i < page->n; i++)
		n += page->all[i].ways[0] != 0;
	return n;
}

static void write_introduction(struct markup *m, const struct compare_page *page)
{
	write_paragraph(m, introduction);
	if (named_of(page) < page->n)
		write_paragraph(m, usual);
	if (named_of(page)) {
		markup_open(m, "p");
		markup_text(m, "Ways: ");
		for (const struct compare_way *way = compare_ways; way->name; way++) {
			markup_text(m, "%s, %s (", way->name, way->about);
			markup_element(m, "code", NULL, "%s", way->setting);
			markup_text(m, ")%s", way[1].name ? "; " : ".");
		}
		markup_close(m);
	}
	page_legend(m);
	page_legend_entry(m, "sync", "in bsp_sync");
	page_legend_entry(m, "read", "in bsp_read and bsp_expect");
	page_legend_entry(m, "collective", "in collective operations and schedules");
	page_legend_entry(m, "compute", "computation");
	page_legend_entry(m, "range", "least to most of all rounds");
	markup_close(m);
}

/* ---- A table --------------------------------------------------------------- */

static const struct {
	unsigned int kinds;
	const char *head;
} table_columns[] = {
	{ PAGE_WORDS, "barriers" }, { PAGE_KEPT, "communication, mean" },
	{ PAGE_FIGURES, "in bsp_sync" }, { PAGE_FIGURES, "in bsp_read" },
	{ PAGE_FIGURES, "in collectives" }, { PAGE_DETAIL, "communication, largest" },
	{ PAGE_FIGURES, "computation, mean" }, { PAGE_KEPT, "total" },
	{ PAGE_FIGURES, "supersteps" }, { PAGE_FIGURES, "puts" }, { PAGE_FIGURES, "gets" },
	{ PAGE_FIGURES, "messages" }, { PAGE_FIGURES, "sent" }, { PAGE_DETAIL, "rounds" },
};

static void write_time(struct page_table *t, double seconds, double largest)
{
	char text[TEXT];

	compare_time_text(text, sizeof(text), seconds, compare_unit_of(largest));
	page_table_cell(t, "%s", text);
}

/* With a narrow space between thousands. */
static void write_count(struct page_table *t, double count)
{
	char digits[TEXT], text[GROUPED];
	size_t n = snprintf(digits, sizeof(digits), "%.0f", count), used = 0;

	for (size_t i = 0; i < n && used < sizeof(text) - 1; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%c",
					 i > 0 && (n - i) % 3 == 0 ? "\u202f" : "", digits[i]);
	page_table_cell(t, "%s", text);
}

static void compare_write_name(struct page_table *t, const char *name, double nprocs)
{
	char processes[TEXT];

	compare_count_text(processes, sizeof(processes), nprocs, "process", "processes");
	page_table_cell(t, "%s, %s", name, processes);
}

static void write_row(struct page_table *t, const struct comparison *c, int mode)
{
	const struct compare_figures *f = &c->runs[mode], *classic = &c->runs[0];
	char text[TEXT];

	compare_write_name(t, c->choice.way[mode]->name, c->nprocs);
	write_time(t, f->communication, classic->communication);
	write_time(t, f->sync, classic->communication);
	write_time(t, f->read, classic->communication);
	write_time(t, f->collective, classic->communication);
	write_time(t, f->largest, classic->largest);
	write_time(t, f->compute, classic->compute);
	write_time(t, f->total, classic->total);
	write_count(t, f->supersteps);
	write_count(t, f->puts);
	write_count(t, f->gets);
	write_count(t, f->messages);
	compare_bytes_text(text, sizeof(text), f->bytes);
	page_table_cell(t, "%s", text);
	page_table_cell(t, "%.0f", c->rounds);
}

static void write_saved(struct page_table *t, const struct compare_spread *s)
{
	char median[TEXT], least[TEXT], most[TEXT];

	compare_part_text(median, sizeof(median), s->median);
	compare_part_text(least, sizeof(least), s->least);
	compare_part_text(most, sizeof(most), s->most);
	if (compare_is_seen(s)) {
		page_table_cell(t, "%s", median);
		page_table_class(t, s->median < 0 ? "lost" : "saved");
	} else {
		page_table_cell(t, "no difference to be seen");
	}
	if (s->least != s->most)
		page_table_note(t, "%s to %s", least, most);
}

static void write_empty(struct page_table *t, int n)
{
	for (int i = 0; i < n; i++)
		page_table_cell(t, "%s", "");
}

/* The parts that are saved stand below the times that they are of. */
static void write_saved_row(struct page_table *t, const struct comparison *c, int mode)
{
	enum { BETWEEN = 5, AFTER = 6 };
	char name[TEXT];

	snprintf(name, sizeof(name), c->choice.n > 2 ? "saved by %s" : "saved",
		 c->choice.way[mode]->name);
	compare_write_name(t, name, c->nprocs);
	page_table_class(t, "saved");
	write_saved(t, &c->saved[mode]);
	write_empty(t, BETWEEN);
	write_saved(t, &c->saved_total[mode]);
	write_empty(t, AFTER);
}

static void write_table(struct markup *m, const struct comparison *const *c, size_t n)
{
	struct page_table t;

	page_table_begin(&t, "Figures");
	for (size_t i = 0; i < sizeof(table_columns) / sizeof(table_columns[0]); i++)
		page_table_column(&t, table_columns[i].kinds, "%s", table_columns[i].head);
	for (size_t i = 0; i < n; i++) {
		for (int mode = 0; mode < c[i]->choice.n; mode++)
			write_row(&t, c[i], mode);
		for (int mode = 1; mode < c[i]->choice.n; mode++)
			write_saved_row(&t, c[i], mode);
	}
	page_say(m, PAGE_ABOUT, "Times of a process, counts of all");
	page_table_end(&t, m);
}

/* ---- Sections -------------------------------------------------------------- */

bool compare_is_alike(const struct comparison *a, const struct comparison *b)
{
	return strcmp(a->command, b->command) == 0 && strcmp(a->ways, b->ways) == 0 &&
	       strcmp(a->network, b->network) == 0 &&
	       strcmp(a->transport, b->transport) == 0;
}

static int by_processes(const void *a, const void *b)
{
	const struct comparison *x = *(const struct comparison *const *)a;
	const struct comparison *y = *(const struct comparison *const *)b;

	return (x->nprocs > y->nprocs) - (x->nprocs < y->nprocs);
}

/* Machine and command of the last comparison, with the program's name, as its path is not known. */
static void compare_write_conditions(struct markup *m, const struct comparison *c)
{
	char command[4 * COMPARE_TEXT];

	snprintf(command, sizeof(command),
		 "bsprun -n %.0f%s%s --compare%s%s --rounds %.0f --html PAGE %s", c->nprocs,
		 c->network[0] ? " --emulate " : "", c->network, c->ways[0] ? " --ways " : "",
		 c->ways, c->rounds, c->command);
	page_conditions(m, &(struct page_conditions){
		.host = c->host, .processor = c->processor, .command = command,
	});
}

static void write_section(struct markup *m, const struct comparison *const *c, size_t n)
{
	char network[2 * COMPARE_TEXT];

	page_card(m, "%s", c[0]->command);
	compare_network_text(network, sizeof(network), c[0]);
	markup_open(m, "p");
	markup_attribute(m, "class", "about");
	for (size_t i = 0; i < n; i++)
		markup_text(m, "%s%.0f", i == 0 ? "" : i + 1 < n ? ", " : " and ", c[i]->nprocs);
	markup_text(m, " %s, %s", n > 1 || c[0]->nprocs > 1 ? "processes" : "process", network);
	markup_close(m);
	markup_open(m, "div");
	markup_attribute(m, "class", "two");
	compare_bars_draw(m, COMPARE_BARS_COMMUNICATION, c, n, "Communication");
	compare_bars_draw(m, COMPARE_BARS_TOTAL, c, n, "The whole run");
	markup_close(m);
	write_table(m, c, n);
	compare_write_conditions(m, c[n - 1]);
	page_card_end(m);
}

static void write_overview(struct markup *m, const struct comparison *const *c, size_t n)
{
	page_card(m, "All programs");
	page_say(m, PAGE_ABOUT, "Each pair of bars has a scale of its own.");
	compare_bars_draw(m, COMPARE_BARS_SHARE, c, n, "Communication");
	page_card_end(m);
}

static const char footer[] =
	"The figures of a way are those of its run with the median communication time. What is "
	"saved is worked out round by round, against the way named first, as a rule classic: the "
	"median, and the least to the most. If 0 lies between these, no difference is to be seen. "
	"An emulated network has the parameters of the LogGP model: L, the latency; "
	"o, the time of a processor that sending or receiving a message costs; g, the gap between "
	"messages; G, the gap between bytes. Its times are virtual.";

static const char source[] =
	"After Fig. 3 of Kim, Ha and Jhon, Relaxed barrier synchronization for the BSP model of "
	"computation on message-passing architectures, Information Processing Letters 66 (1998) "
	"247\u2013253.";

/* The date only when it is given, so that the same figures make the same page. */
static void write_footer(struct markup *m)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	char *end = NULL, date[TEXT] = "";
	long long seconds = epoch ? strtoll(epoch, &end, 10) : 0;
	time_t t = seconds;
	struct tm tm;

	if (epoch && *epoch && !*end && gmtime_r(&t, &tm))
		strftime(date, sizeof(date), ", %Y-%m-%d", &tm);
	markup_open(m, "footer");
	page_say(m, PAGE_PLAIN, "%s", footer);
	page_say(m, PAGE_PLAIN, "%s Made by bsprun, %s%s.", source, page_version, date);
	markup_close(m);
}

/* Sections in the order in which their first comparisons were added. */
static void write_sections(struct markup *m, const struct compare_page *page,
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
		write_overview(m, sorted, n);
	for (size_t i = 0, from = 0; i < n; i++) {
		if (i + 1 < n && compare_is_alike(sorted[i], sorted[i + 1]))
			continue;
		write_section(m, sorted + from, i + 1 - from);
		from = i + 1;
	}
}

int compare_html_write(struct markup *m, FILE *out, const struct compare_page *page)
{
	const struct comparison **sorted = calloc(page->n, sizeof(struct comparison *));
	bool *taken = calloc(page->n, sizeof(*taken));
	int err = sorted && taken ? 0 : -ENOMEM;

	if (!err) {
		page_begin(m, out, "Classic and relaxed barriers", mark);
		write_introduction(m, page);
		write_sections(m, page, sorted, taken);
		write_footer(m);
		page_end_shown(m);
	}
	free(sorted);
	free(taken);
	return err;
}
