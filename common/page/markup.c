// SPDX-License-Identifier: BSD-3-Clause
/* markup.c - elements, attributes and texts, as HTML and as XML. */

#include "markup.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL = 512 };	/* bytes of most texts */

/* Elements that stand inside of a line, and those that may have no end tag. */
static const char *const inline_names[] = {
	"code", "span", "strong", "title", "td", "th", "dt", "input", "label", "small", NULL,
};
static const char *const void_names[] = {
	"meta", "input", "br", "rect", "path", "circle", "line", NULL,
};

static bool markup_is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

static void markup_escape(FILE *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			putc((unsigned char)*text < 0x20 ? '?' : *text, out);
		}
}

static void markup_format(FILE *out, const char *format, va_list list)
{
	char usual[USUAL], *text = usual;
	va_list again;
	int n;

	va_copy(again, list);
	n = vsnprintf(usual, sizeof(usual), format, list);
	if (n >= USUAL && (text = malloc((size_t)n + 1)))
		vsnprintf(text, (size_t)n + 1, format, again);
	va_end(again);
	markup_escape(out, text ? text : usual);
	if (text != usual)
		free(text);
}

/* Does @name, in what is open, begin and end lines? */
static bool markup_has_lines(const struct markup *m, const char *name)
{
	for (int i = 0; i < m->depth; i++)
		if (markup_is_one_of(m->open[i], inline_names))
			return false;
	return !markup_is_one_of(name, inline_names);
}

static void markup_end_tag(struct markup *m)
{
	if (m->in_tag)
		putc('>', m->out);
	m->in_tag = false;
}

void markup_begin(struct markup *m, FILE *out)
{
	*m = (struct markup){ .out = out };
}

void markup_open(struct markup *m, const char *name)
{
	bool first = m->depth > 0 && !m->has_contents;

	assert(m->depth < MARKUP_DEPTH);
	markup_end_tag(m);
	if (first && markup_has_lines(m, name))
		putc('\n', m->out);
	fprintf(m->out, "<%s", name);
	m->open[m->depth++] = name;
	m->in_tag = true;
	m->has_contents = false;
}

void markup_attribute(struct markup *m, const char *name, const char *format, ...)
{
	va_list list;

	assert(m->in_tag);
	fprintf(m->out, " %s=\"", name);
	va_start(list, format);
	markup_format(m->out, format, list);
	va_end(list);
	putc('"', m->out);
}

static void markup_vtext(struct markup *m, const char *format, va_list list)
{
	markup_end_tag(m);
	m->has_contents = true;
	markup_format(m->out, format, list);
}

void markup_text(struct markup *m, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	markup_vtext(m, format, list);
	va_end(list);
}

void markup_close(struct markup *m)
{
	const char *name;

	assert(m->depth > 0);
	name = m->open[--m->depth];
	if (m->in_tag && markup_is_one_of(name, void_names)) {
		fputs("/>", m->out);
	} else {
		markup_end_tag(m);
		fprintf(m->out, "</%s>", name);
	}
	if (markup_has_lines(m, name))
		putc('\n', m->out);
	m->in_tag = false;
	m->has_contents = true;
}

void markup_element(struct markup *m, const char *name, const char *class, const char *format, ...)
{
	va_list list;

	markup_open(m, name);
	if (class)
		markup_attribute(m, "class", "%s", class);
	va_start(list, format);
	markup_vtext(m, format, list);
	va_end(list);
	markup_close(m);
}

void markup_close_to(struct markup *m, int depth)
{
	while (m->depth > depth)
		markup_close(m);
}

void markup_end(struct markup *m)
{
	while (m->depth > 0)
		markup_close(m);
}
