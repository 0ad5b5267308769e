// SPDX-License-Identifier: BSD-3-Clause
/* figure.c - read what belongs to a figure. */

#include "figure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is @line "WORD REST"? Then REST, without the blanks before it. */
static const char *line_of(const char *line, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(line, word, len) != 0 || line[len] != ' ')
		return NULL;
	return line + len + strspn(line + len, " ");
}

static const char *axis_of(struct figure_axis *axis, const char *text)
{
	const char *label = NULL;

	axis->is_log = axis->is_binary = false;
	if ((label = line_of(text, "binary")))
		axis->is_log = axis->is_binary = true;
	else if ((label = line_of(text, "log")))
		axis->is_log = true;
	else
		label = line_of(text, "linear");
	if (!label)
		return "expected linear, log or binary, and a label";
	strcpy(axis->label, label);
	return NULL;
}

static const char *figure_statement(struct figure *f, const char *line)
{
	const char *rest;

	if ((rest = line_of(line, "title")))
		return strcpy(f->title, rest), NULL;
	if ((rest = line_of(line, "source")))
		return strcpy(f->source, rest), NULL;
	if ((rest = line_of(line, "x")))
		return axis_of(&f->x, rest);
	if ((rest = line_of(line, "y")))
		return axis_of(&f->y, rest);
	if ((rest = line_of(line, "note"))) {
		f->note = sheet_grow(f->note, f->notes, sizeof(*f->note));
		return strcpy(f->note[f->notes++], rest), NULL;
	}
	if ((rest = line_of(line, "claim"))) {
		f->claim = sheet_grow(f->claim, f->claims, sizeof(*f->claim));
		return claim_parse(&f->claim[f->claims++], rest);
	}
	if ((rest = line_of(line, "why")) && f->claims)
		return strcpy(f->claim[f->claims - 1].why, rest), NULL;
	return "expected title, source, x, y, note, claim or why";
}

static int figure_statements(struct figure *f, const char *path)
{
	char line[CLAIM_TEXT];
	const char *wrong = NULL;
	int number = 0;
	FILE *in = fopen(path, "r");

	if (!in) {
		perror(path);
		return -1;
	}
	while (!wrong && fgets(line, sizeof(line), in)) {
		number++;
		if (!strchr(line, '\n'))
			wrong = "the line is too long or does not end";
		line[strcspn(line, "\n")] = '\0';
		if (!wrong && line[0] && line[0] != '#')
			wrong = figure_statement(f, line);
	}
	fclose(in);
	if (!wrong && !(f->title[0] && f->source[0] && f->x.label[0] && f->y.label[0] && f->claims))
		wrong = "expected title, source, x, y and a claim";
	if (wrong)
		fprintf(stderr, "paperpage: %s:%d: %s\n", path, number, wrong);
	return wrong ? -1 : 0;
}

/* The runner leaves the reason in NAME.skipped. */
static void figure_skipped(struct figure *f, const char *made)
{
	char path[4096];
	FILE *in;

	snprintf(path, sizeof(path), "%s/%s/%s.skipped", made, f->paper, f->name);
	in = fopen(path, "r");
	if (!in || !fgets(f->skipped, sizeof(f->skipped), in))
		snprintf(f->skipped, sizeof(f->skipped), "%s",
			 f->ours.is_there ? "" : "not made yet");
	f->skipped[strcspn(f->skipped, "\n")] = '\0';
	if (in)
		fclose(in);
}

int figure_read(struct figure *f, const char *paper_and_name, const char *sources,
		const char *made)
{
	char path[4096];

	*f = (struct figure){ .x = { .is_log = false } };
	if (sscanf(paper_and_name, "%95[^/]/%95[^/]", f->paper, f->name) != 2) {
		fprintf(stderr, "paperpage: %s: expected PAPER/FIGURE\n", paper_and_name);
		return -1;
	}
	snprintf(path, sizeof(path), "%s/%s/%s.claims", sources, f->paper, f->name);
	if (figure_statements(f, path) < 0)
		return -1;
	snprintf(path, sizeof(path), "%s/%s/%s.published.csv", sources, f->paper, f->name);
	if (sheet_read(&f->published, path) < 0)
		return -1;
	if (!f->published.is_there) {
		fprintf(stderr, "paperpage: no %s\n", path);
		return -1;
	}
	snprintf(path, sizeof(path), "%s/%s/%s.csv", made, f->paper, f->name);
	if (sheet_read(&f->ours, path) < 0)
		return -1;
	figure_skipped(f, made);
	return 0;
}

void figure_release(struct figure *f)
{
	free(f->note);
	free(f->claim);
	sheet_release(&f->published);
	sheet_release(&f->ours);
}

bool figure_is_short(const struct figure *f)
{
	return strcmp(sheet_about(&f->ours, "form"), "short") == 0;
}
