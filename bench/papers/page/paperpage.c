// SPDX-License-Identifier: BSD-3-Clause
/* paperpage.c - the page, the summary and the pictures of the papers' figures. */

/*
 * usage: paperpage SOURCES MADE. Reads SOURCES/figures and what belongs to each figure (README.md
 * beside this folder says what), and writes MADE/index.html, a summary beside it, and a picture
 * for each figure that was made. Ends with 1 if a file is malformed, or if a claim does not hold
 * for published values.
 */

#include "figure.h"
#include "figure_plot.h"

#include "common/page/page.h"
#include "common/page/table.h"
#include "common/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIGURES = 128, ROWS_SHOWN = 60, PATH_LEN = 4096 };

/* A line of SOURCES/figures; with a reason there is no script, and no more than this is shown. */
struct paper_entry {
	char name[SHEET_NAME];
	char reason[CLAIM_TEXT];
	struct figure figure;
	bool has_figure;
};

struct papers {
	struct paper_entry entry[FIGURES];
	int n;
};

static bool has_file(const char *sources, const char *name, const char *end)
{
	char path[PATH_LEN];

	snprintf(path, sizeof(path), "%s/%s%s", sources, name, end);
	return access(path, R_OK) == 0;
}

static int entry_read(struct paper_entry *e, const char *line, const char *sources,
		      const char *made)
{
	if (sscanf(line, "%95s %511[^\n]", e->name, e->reason) < 1)
		return -1;
	if (e->reason[0])
		return 0;
	if (!has_file(sources, e->name, ".sh")) {
		strcpy(e->reason, "no script yet");
		return 0;
	}
	e->has_figure = true;
	return figure_read(&e->figure, e->name, sources, made);
}

static int papers_read(struct papers *all, const char *sources, const char *made)
{
	char path[PATH_LEN], line[SHEET_LINE];
	int status = 0;
	FILE *in;

	snprintf(path, sizeof(path), "%s/figures", sources);
	in = fopen(path, "r");
	if (!in) {
		perror(path);
		return -1;
	}
	while (fgets(line, sizeof(line), in) && all->n < FIGURES)
		if (line[0] != '#' && line[0] != '\n' &&
		    entry_read(&all->entry[all->n++], line, sources, made) < 0)
			status = -1;
	fclose(in);
	return status;
}

/* ---- Verdicts ----------------------------------------------------------------------- */

static const char *const published_words[] = {
	[VERDICT_NONE] = "said in the text", [VERDICT_HOLDS] = "holds",
	[VERDICT_FAILS] = "does not hold",
};
static const char *const our_words[] = {
	[VERDICT_NONE] = "not judged", [VERDICT_HOLDS] = "agrees", [VERDICT_FAILS] = "differs",
};

/* The verdict on published values as text, with the values if there are any. */
static void published_text(const struct figure *f, const struct claim *c, char *text, size_t len)
{
	struct verdict v = claim_judge_published(f, c);

	if (v.kind == VERDICT_NONE)
		snprintf(text, len, "%s", published_words[v.kind]);
	else
		snprintf(text, len, "%s: %s", published_words[v.kind], v.text);
}

/* Published values that refute the claim are a mistake of this folder. */
static int papers_check(const struct papers *all)
{
	int status = 0;

	for (int i = 0; i < all->n; i++) {
		const struct figure *f = &all->entry[i].figure;

		for (size_t k = 0; k < f->claims; k++) {
			struct verdict v = claim_judge_published(f, &f->claim[k]);

			if (v.kind != VERDICT_FAILS)
				continue;
			fprintf(stderr, "paperpage: %s: published values refute '%s': %s\n",
				all->entry[i].name, f->claim[k].rule, v.text);
			status = -1;
		}
	}
	return status;
}

/* ---- Cards -------------------------------------------------------------------------- */

static void claim_cells(struct page_table *t, const struct figure *f, const struct claim *c)
{
	struct verdict ours = claim_judge_ours(f, c);
	char published[2 * CLAIM_TEXT];

	published_text(f, c, published, sizeof(published));
	page_table_cell(t, "%s", c->text);
	page_table_note(t, "%s", c->rule);
	page_table_cell(t, "%s", published);
	page_table_cell(t, "%s", ours.text);
	page_table_cell(t, "%s", our_words[ours.kind]);
	if (ours.kind != VERDICT_NONE)
		page_table_class(t, ours.kind == VERDICT_HOLDS ? "saved" : "lost");
	if (ours.kind == VERDICT_FAILS)
		page_table_note(t, "%s", c->why);
}

static void claim_columns(struct page_table *t)
{
	page_table_column(t, PAGE_LONG | PAGE_KEPT, "the paper's statement");
	page_table_column(t, PAGE_LONG | PAGE_KEPT, "published values");
	page_table_column(t, PAGE_LONG | PAGE_KEPT, "ours");
	page_table_column(t, PAGE_LONG | PAGE_KEPT, "verdict");
}

static void figure_claims(struct markup *m, const struct figure *f)
{
	struct page_table t;

	page_table_begin(&t, "Claims");
	claim_columns(&t);
	for (size_t i = 0; i < f->claims; i++)
		claim_cells(&t, f, &f->claim[i]);
	page_table_end(&t, m);
}

static void value_cell(struct page_table *t, const struct sheet_row *row)
{
	if (row)
		page_table_cell(t, "%.5g", row->value);
	else
		page_table_cell(t, "%s", "");
}

static void value_cells(struct page_table *t, const struct figure *f, const struct sheet_row *row)
{
	page_table_cell(t, "%s", row->series);
	page_table_cell(t, "%.6g", row->x);
	value_cell(t, sheet_find(&f->published, row->series, row->x));
	value_cell(t, sheet_find(&f->ours, row->series, row->x));
	page_table_cell(t, "%s", row->unit);
}

/* Where there are few enough; otherwise the dots have them as tips, and the CSV beside the page. */
static void figure_values(struct markup *m, const struct figure *f)
{
	struct page_table t;

	if (f->published.n + f->ours.n == 0 || f->published.n + f->ours.n > ROWS_SHOWN)
		return;
	page_table_begin(&t, "Values");
	page_table_column(&t, PAGE_WORDS, "series");
	page_table_column(&t, PAGE_KEPT, "%s", f->x.label);
	page_table_column(&t, PAGE_KEPT, "published");
	page_table_column(&t, PAGE_KEPT, "ours");
	page_table_column(&t, PAGE_WORDS, "unit");
	for (size_t i = 0; i < f->published.n; i++)
		value_cells(&t, f, &f->published.row[i]);
	for (size_t i = 0; i < f->ours.n; i++)
		if (!sheet_find(&f->published, f->ours.row[i].series, f->ours.row[i].x))
			value_cells(&t, f, &f->ours.row[i]);
	page_table_end(&t, m);
}

/* Comments that are a condition are shown as one, below. */
static bool is_condition(const char *comment)
{
	static const char *const keys[] = {
		"date: ", "commit: ", "processor: ", "kernel: ", "command: ", "load: ", "form: ",
		"SPDX-",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (strncmp(comment, keys[i], strlen(keys[i])) == 0)
			return true;
	return false;
}

static void figure_comments(struct markup *m, const char *whose, const struct sheet *s)
{
	for (size_t i = 0; i < s->comments; i++)
		if (!is_condition(s->comment[i]))
			page_say(m, PAGE_ABOUT, "%s: %s", whose, s->comment[i]);
}

static void figure_conditions(struct markup *m, const struct figure *f)
{
	const struct sheet *s = &f->ours;
	char version[2 * CLAIM_TEXT];

	if (!s->is_there)
		return;
	snprintf(version, sizeof(version), "commit %s; load average at the beginning %s",
		 sheet_about(s, "commit"), sheet_about(s, "load"));
	page_conditions(m, &(struct page_conditions){
		.processor = sheet_about(s, "processor"), .kernel = sheet_about(s, "kernel"),
		.date = sheet_about(s, "date"), .version = version,
		.command = sheet_about(s, "command"),
	});
}

static void figure_card(struct markup *m, const struct figure *f)
{
	page_card(m, "%s, %s: %s", f->paper, f->name, f->title);
	page_say(m, PAGE_ABOUT, "%s", f->source);
	for (size_t i = 0; i < f->notes; i++)
		page_say(m, PAGE_PLAIN, "%s", f->note[i]);
	if (f->skipped[0])
		page_say(m, PAGE_WARNING, "Skipped: %s", f->skipped);
	if (figure_is_short(f))
		page_say(m, PAGE_WARNING,
			 "Made in the short form: its values show that each part works, no more.");
	figure_claims(m, f);
	figure_plots(m, f);
	figure_values(m, f);
	figure_comments(m, "Published", &f->published);
	figure_comments(m, "Ours", &f->ours);
	figure_conditions(m, f);
	page_card_end(m);
}

/* ---- The page ----------------------------------------------------------------------- */

static void counts_say(struct markup *m, const struct papers *all)
{
	int count[VERDICT_FAILS + 1] = { 0 };

	for (int i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->entry[i].figure.claims; k++)
			count[claim_judge_ours(&all->entry[i].figure,
					       &all->entry[i].figure.claim[k]).kind]++;
	page_say(m, PAGE_PLAIN, "Of %d claims %d hold here, %d do not, %d were not judged.",
		 count[0] + count[1] + count[2], count[VERDICT_HOLDS], count[VERDICT_FAILS],
		 count[VERDICT_NONE]);
}

static void summary_card(struct markup *m, const struct papers *all)
{
	struct page_table t;

	page_card(m, "All figures and tables");
	counts_say(m, all);
	page_table_begin(&t, "All figures and tables");
	page_table_column(&t, PAGE_WORDS, "figure");
	claim_columns(&t);
	for (int i = 0; i < all->n; i++) {
		const struct paper_entry *e = &all->entry[i];

		for (size_t k = 0; k < e->figure.claims; k++) {
			page_table_cell(&t, "%s", e->name);
			claim_cells(&t, &e->figure, &e->figure.claim[k]);
		}
		if (e->has_figure)
			continue;
		page_table_cell(&t, "%s", e->name);
		page_table_cell(&t, "%s", e->reason);
		page_table_cell(&t, "%s", "");
		page_table_cell(&t, "%s", "");
		page_table_cell(&t, "%s", "not made");
	}
	page_table_end(&t, m);
	page_card_end(m);
}

static void papers_page(FILE *out, const struct papers *all)
{
	struct markup m;

	page_begin(&m, out, "Figures of five papers, made again", NULL);
	page_say(&m, PAGE_PLAIN,
		 "Hollow dots are published, full ones are ours; what is compared are orders, "
		 "crossings and ratios, and each verdict is computed from the values. Bars are the "
		 "intervals that the programs give.");
	summary_card(&m, all);
	for (int i = 0; i < all->n; i++)
		if (all->entry[i].has_figure)
			figure_card(&m, &all->entry[i].figure);
	page_end(&m);
}

/* ---- The summary: Markdown ---------------------------------------------------------- */

static void summary_row(FILE *out, const struct paper_entry *e, const struct claim *c)
{
	struct verdict ours = claim_judge_ours(&e->figure, c);
	char published[2 * CLAIM_TEXT];

	published_text(&e->figure, c, published, sizeof(published));
	fprintf(out, "| %s | %s | %s | %s | %s%s%s |\n", e->name, c->text, published, ours.text,
		our_words[ours.kind], ours.kind == VERDICT_FAILS && c->why[0] ? ": " : "",
		ours.kind == VERDICT_FAILS ? c->why : "");
}

static void papers_summary(FILE *out, const struct papers *all)
{
	fputs("| figure | the paper's statement | published values | ours | verdict |\n"
	      "|---|---|---|---|---|\n", out);
	for (int i = 0; i < all->n; i++) {
		const struct paper_entry *e = &all->entry[i];

		for (size_t k = 0; k < e->figure.claims; k++)
			summary_row(out, e, &e->figure.claim[k]);
		if (!e->has_figure)
			fprintf(out, "| %s | %s | | | not made |\n", e->name, e->reason);
	}
}

/* ---- Files -------------------------------------------------------------------------- */

static int write_file(const char *made, const char *name,
		      void (*write)(FILE *out, const void *what), const void *what)
{
	struct replacement file;
	char path[PATH_LEN];

	snprintf(path, sizeof(path), "%s/%s", made, name);
	errno = replace_begin(&file, path);
	if (!errno) {
		write(file.out, what);
		errno = replace_end(&file, true);
	}
	if (errno)
		perror(path);
	return errno ? -1 : 0;
}

static void write_page(FILE *out, const void *what)
{
	papers_page(out, what);
}

static void write_summary(FILE *out, const void *what)
{
	papers_summary(out, what);
}

static void write_picture(FILE *out, const void *what)
{
	figure_picture(out, what);
}

static int papers_write(const char *made, const struct papers *all)
{
	int status = write_file(made, "index.html", write_page, all);
	char name[2 * SHEET_NAME];

	if (write_file(made, "summary.md", write_summary, all) < 0)
		status = -1;
	for (int i = 0; i < all->n; i++) {
		snprintf(name, sizeof(name), "%s.svg", all->entry[i].name);
		if (all->entry[i].figure.ours.n &&
		    write_file(made, name, write_picture, &all->entry[i].figure) < 0)
			status = -1;
	}
	return status;
}

int main(int argc, char **argv)
{
	static struct papers all;
	int status;

	if (argc != 3) {
		fputs("usage: paperpage SOURCES MADE\n", stderr);
		return 1;
	}
	status = papers_read(&all, argv[1], argv[2]);
	if (papers_check(&all) < 0)
		status = -1;
	if (papers_write(argv[2], &all) < 0)
		status = -1;
	for (int i = 0; i < all.n; i++)
		figure_release(&all.entry[i].figure);
	return status < 0;
}
