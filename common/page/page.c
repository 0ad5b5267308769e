// SPDX-License-Identifier: BSD-3-Clause
/* page.c - a page of a tool: the frame, cards, paragraphs, terms, conditions. */

#include "config.h"

#include "page.h"

#include "style.h"

#include <stdarg.h>
#include <string.h>

enum { CONDITIONS = 10 };

const char page_version[] = "bsp " PACKAGE_VERSION;

static void page_meta(struct markup *m, const char *name, const char *value)
{
	markup_open(m, "meta");
	markup_attribute(m, "name", "%s", name);
	markup_attribute(m, "content", "%s", value);
	markup_close(m);
}

void page_head(struct markup *m, FILE *out, const char *title, const char *mark,
	       const char *style)
{
	fputs("<!DOCTYPE html>\n", out);
	if (mark)
		fprintf(out, "<!-- %s -->\n", mark);
	markup_begin(m, out);
	markup_open(m, "html");
	markup_attribute(m, "lang", "en");
	markup_open(m, "head");
	markup_open(m, "meta");
	markup_attribute(m, "charset", "utf-8");
	markup_close(m);
	page_meta(m, "viewport", "width=device-width, initial-scale=1");
	page_meta(m, "color-scheme", "light dark");
	markup_element(m, "title", NULL, "%s", title);
	style_write(m, style);
	markup_close(m);
	markup_open(m, "body");
}

void page_begin(struct markup *m, FILE *out, const char *title, const char *mark)
{
	page_head(m, out, title, mark, NULL);
	markup_open(m, "main");
	markup_element(m, "h1", NULL, "%s", title);
}

enum { AROUND_SHOWN = 2 };	/* html and body */

void page_end_shown(struct markup *m)
{
	markup_close_to(m, AROUND_SHOWN);
}

void page_end(struct markup *m)
{
	markup_end(m);
}

static void page_vtext(struct markup *m, const char *format, va_list list)
{
	char text[2048];

	vsnprintf(text, sizeof(text), format, list);
	markup_text(m, "%s", text);
}

void page_card(struct markup *m, const char *format, ...)
{
	va_list list;

	markup_open(m, "section");
	markup_open(m, "h2");
	va_start(list, format);
	page_vtext(m, format, list);
	va_end(list);
	markup_close(m);
}

void page_card_end(struct markup *m)
{
	markup_close(m);
}

void page_grid(struct markup *m)
{
	markup_open(m, "div");
	markup_attribute(m, "class", "grid");
}

void page_say(struct markup *m, enum page_tone tone, const char *format, ...)
{
	static const char *const classes[] = { NULL, "about", "warning" };
	va_list list;

	markup_open(m, "p");
	if (classes[tone])
		markup_attribute(m, "class", "%s", classes[tone]);
	va_start(list, format);
	page_vtext(m, format, list);
	va_end(list);
	markup_close(m);
}

void page_terms(struct markup *m)
{
	markup_open(m, "dl");
}

void page_term(struct markup *m, const char *term, const char *format, ...)
{
	va_list list;

	markup_element(m, "dt", NULL, "%s", term);
	markup_open(m, "dd");
	va_start(list, format);
	page_vtext(m, format, list);
	va_end(list);
	markup_close(m);
}

void page_terms_end(struct markup *m)
{
	markup_close(m);
}

/* ---- Conditions --------------------------------------------------------------------------- */

struct condition {
	const char *name, *value;
};

/* Find the conditions that are known; how many. */
static int conditions_known(const struct page_conditions *c, struct condition *known)
{
	const struct condition all[CONDITIONS] = {
		{ "file", c->file }, { "program", c->program }, { "host", c->host },
		{ "processor", c->processor }, { "kernel", c->kernel }, { "clock", c->clock },
		{ "network", c->network }, { "date", c->date }, { "version", c->version },
		{ "made by", c->command },
	};
	int n = 0;

	for (int i = 0; i < CONDITIONS; i++)
		if (all[i].value && all[i].value[0])
			known[n++] = all[i];
	return n;
}

void page_conditions(struct markup *m, const struct page_conditions *c)
{
	struct condition known[CONDITIONS];
	int n = conditions_known(c, known);

	if (n == 0)
		return;
	markup_open(m, "dl");
	markup_attribute(m, "class", "conditions");
	for (int i = 0; i < n; i++)
		page_term(m, known[i].name, "%s", known[i].value);
	markup_close(m);
}

void page_conditions_text(const struct page_conditions *c, char *text, size_t len)
{
	struct condition known[CONDITIONS];
	int n = conditions_known(c, known);
	size_t used = 0;

	text[0] = '\0';
	for (int i = 0; i < n && used < len; i++)
		used += (size_t)snprintf(text + used, len - used, "%s%s %s", i ? ", " : "",
					 known[i].name, known[i].value);
}
