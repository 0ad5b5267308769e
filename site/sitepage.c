// SPDX-License-Identifier: BSD-3-Clause
/* sitepage.c - puts a document that is HTML already into a page with the look of all pages. */

/*
 *	sitepage STYLE NAVIGATION ROOT HERE TITLE <document >page
 *
 * STYLE is a style sheet behind that of all pages. NAVIGATION has a line for each entry, the page
 * and its words, with a tab between them; ROOT is the way from this page to the folder in which
 * these are ("../", or ""), HERE the entry that this page belongs to, or "".
 */
#include "config.h"

#include "common/page/markup.h"
#include "common/page/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STYLE_MOST = 1 << 14, LINE_MOST = 1024 };

struct place {
	const char *root, *here;
};

static FILE *open_file(const char *name)
{
	FILE *file = fopen(name, "r");

	if (!file) {
		perror(name);
		exit(1);
	}
	return file;
}

/* The text of a style sheet, which fits, or the page would be without its end. */
static const char *read_style(const char *name)
{
	static char text[STYLE_MOST];
	FILE *file = open_file(name);
	size_t len = fread(text, 1, sizeof(text), file);

	if (len == sizeof(text)) {
		fprintf(stderr, "sitepage: %s has more than %d bytes\n", name, STYLE_MOST - 1);
		exit(1);
	}
	text[len] = '\0';
	fclose(file);
	return text;
}

static void write_entry(struct markup *m, const struct place *p, const char *page,
			const char *words)
{
	markup_open(m, "a");
	markup_attribute(m, "href", "%s%s", p->root, page);
	if (strcmp(page, p->here) == 0)
		markup_attribute(m, "aria-current", "page");
	markup_text(m, "%s", words);
	markup_close(m);
}

static void write_navigation(struct markup *m, const struct place *p, const char *name)
{
	FILE *file = open_file(name);
	char line[LINE_MOST];

	markup_open(m, "nav");
	markup_attribute(m, "aria-label", "Pages");
	while (fgets(line, sizeof(line), file)) {
		char *page = strtok(line, "\t"), *words = strtok(NULL, "\n");

		if (page && words)
			write_entry(m, p, page, words);
	}
	markup_close(m);
	fclose(file);
}

/* As it is: cmark and mandoc have escaped it. */
static void copy_document(struct markup *m, FILE *in)
{
	char part[1 << 14];
	size_t len;

	markup_text(m, "%s", "");
	putc('\n', m->out);
	while ((len = fread(part, 1, sizeof(part), in)) > 0)
		fwrite(part, 1, len, m->out);
}

int main(int argc, char **argv)
{
	struct place p;
	struct markup m;

	if (argc != 6) {
		fputs("usage: sitepage STYLE NAVIGATION ROOT HERE TITLE <document\n", stderr);
		return 2;
	}
	p = (struct place) { .root = argv[3], .here = argv[4] };
	page_head(&m, stdout, argv[5], NULL, read_style(argv[1]));
	write_navigation(&m, &p, argv[2]);
	markup_open(&m, "main");
	markup_element(&m, "h1", NULL, "%s", argv[5]);
	copy_document(&m, stdin);
	page_end_shown(&m);
	page_end(&m);
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
