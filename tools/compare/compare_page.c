// SPDX-License-Identifier: BSD-3-Clause
/* compare_page.c - the file that keeps comparisons: add one to what is there. */

/*
 * The page is one file that needs nothing else, no script either; compare_html.c writes
 * what people see. It ends in comments, one for each comparison, that hold the figures
 * as JSON. A comparison is added by reading them and writing the whole page again.
 *
 * The page is well-formed as HTML and as XML; hence no comment may have two hyphens
 * in a row, and strings have none at all.
 */

#include "compare.h"
#include "common/complain.h"
#include "common/json.h"
#include "common/page/page.h"
#include "common/replace.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT = 40 };

/* How our pages begin, and what comes before and after the figures. */
static const char first_lines[] = "<!DOCTYPE html>\n<!-- comparisons by bsprun, format 1 -->\n";
static const char before_figures[] = "<!-- comparison ";
static const char after_figures[] = " -->";
static const char last_lines[] = "</body>\n</html>\n";

/* ---- Figures as JSON ------------------------------------------------------- */

#define FIGURE(member) { #member, offsetof(struct compare_figures, member), .whole = false }
static const struct json_field figures[] = {
	FIGURE(communication), FIGURE(largest), FIGURE(sync), FIGURE(read), FIGURE(compute),
	FIGURE(total), FIGURE(supersteps), FIGURE(puts), FIGURE(gets), FIGURE(messages),
	FIGURE(bytes),
	/* pages of older versions have none */
	{ "collective", offsetof(struct compare_figures, collective), .optional = true },
};
#undef FIGURE

static const struct json_field spreads[] = {
	{ "median", offsetof(struct compare_spread, median), .is_signed = true },
	{ "least", offsetof(struct compare_spread, least), .is_signed = true },
	{ "most", offsetof(struct compare_spread, most), .is_signed = true },
};

enum {
	NFIGURES = sizeof(figures) / sizeof(figures[0]),
	NSPREADS = sizeof(spreads) / sizeof(spreads[0]),
};

/* Further members of a comparison. */
static const struct member {
	const char *key;
	/* SOME_TEXT: pages of older versions have none; "" is not written */
	enum { A_TEXT, SOME_TEXT, WAYS, A_COUNT, FIGURES, SPREAD } kind;
	size_t offset;
	/* of any comparison, of one without names of ways, of one of at least n that have names */
	enum { ALL, USUAL = -1 } ways;
} members[] = {
	{ "command", A_TEXT, offsetof(struct comparison, command), ALL },
	{ "transport", A_TEXT, offsetof(struct comparison, transport), ALL },
	{ "network", A_TEXT, offsetof(struct comparison, network), ALL },
	{ "nprocs", A_COUNT, offsetof(struct comparison, nprocs), ALL },
	{ "rounds", A_COUNT, offsetof(struct comparison, rounds), ALL },
	{ "ways", WAYS, offsetof(struct comparison, ways), ALL },
	{ "classic", FIGURES, offsetof(struct comparison, runs[0]), USUAL },
	{ "relaxed", FIGURES, offsetof(struct comparison, runs[1]), USUAL },
	{ "classic_communication", SPREAD, offsetof(struct comparison, spread[0]), USUAL },
	{ "relaxed_communication", SPREAD, offsetof(struct comparison, spread[1]), USUAL },
	{ "saved_communication", SPREAD, offsetof(struct comparison, saved[1]), USUAL },
	{ "saved_total", SPREAD, offsetof(struct comparison, saved_total[1]), USUAL },
	{ "first", FIGURES, offsetof(struct comparison, runs[0]), 1 },
	{ "first_communication", SPREAD, offsetof(struct comparison, spread[0]), 1 },
#define LATER(name, i) \
	{ name, FIGURES, offsetof(struct comparison, runs[i]), i + 1 }, \
	{ name "_communication", SPREAD, offsetof(struct comparison, spread[i]), i + 1 }, \
	{ name "_saves_communication", SPREAD, offsetof(struct comparison, saved[i]), i + 1 }, \
	{ name "_saves_total", SPREAD, offsetof(struct comparison, saved_total[i]), i + 1 }
	LATER("second", 1), LATER("third", 2), LATER("fourth", 3),
	LATER("fifth", 4),
#undef LATER
	{ "host", SOME_TEXT, offsetof(struct comparison, host), ALL },
	{ "processor", SOME_TEXT, offsetof(struct comparison, processor), ALL },
};

enum { NMEMBERS = sizeof(members) / sizeof(members[0]) };

_Static_assert(COMPARE_WAYS_MOST == 5, "each way has its members");

/* May it have this member? */
static bool has_member(const struct comparison *c, const struct member *m)
{
	return m->ways == ALL || (m->ways == USUAL ? !c->ways[0] :
				c->ways[0] && (int)m->ways <= c->choice.n);
}

static bool is_optional(const struct member *m)
{
	return m->kind == SOME_TEXT || m->kind == WAYS;
}

static void write_fields(FILE *out, const struct json_field *fields, int n, const void *from)
{
	for (int i = 0; i < n; i++)
		fprintf(out, "%c\"%s\":%.12g", i ? ',' : '{', fields[i].key,
			*(const double *)((const char *)from + fields[i].offset));
	putc('}', out);
}

static void write_comparison(FILE *out, const struct comparison *c)
{
	fputs(before_figures, out);
	for (int i = 0; i < NMEMBERS; i++) {
		const void *from = (const char *)c + members[i].offset;

		if (!has_member(c, &members[i]) ||
		    (is_optional(&members[i]) && !*(const char *)from))
			continue;
		fprintf(out, "%c\"%s\":", i ? ',' : '{', members[i].key);
		switch (members[i].kind) {
		case A_TEXT:
		case SOME_TEXT:
		case WAYS:
			bspi_json_write(out, from);
			break;
		case A_COUNT:
			fprintf(out, "%.12g", *(const double *)from);
			break;
		case FIGURES:
			write_fields(out, figures, NFIGURES, from);
			break;
		case SPREAD:
			write_fields(out, spreads, NSPREADS, from);
			break;
		}
	}
	fprintf(out, "}%s\n", after_figures);
}

static void page_read_ways(struct json *json, struct comparison *c)
{
	bspi_json_string(json, c->ways, sizeof(c->ways));
	if (!compare_ways_read(&c->choice, c->ways))
		bspi_json_refuse(json, "no names of ways");
}

static void page_read_member(struct json *json, const struct member *member, struct comparison *c)
{
	void *into = (char *)c + member->offset;

	switch (member->kind) {
	case WAYS:
		page_read_ways(json, c);
		break;
	case A_TEXT:
	case SOME_TEXT:
		bspi_json_string(json, into, COMPARE_TEXT);
		break;
	case A_COUNT:
		*(double *)into = bspi_json_number(json);
		break;
	case FIGURES:
		bspi_json_fields(json, figures, NFIGURES, into);
		break;
	case SPREAD:
		bspi_json_fields(json, spreads, NSPREADS, into);
		break;
	}
}

/*
 * From the @i-th on the first member that may not be left out, or that has this key, without those
 * that others have; NMEMBERS: there is none.
 */
static int next_member(const struct comparison *c, const char *key, int i)
{
	while (i < NMEMBERS && (!has_member(c, &members[i]) ||
				(is_optional(&members[i]) && strcmp(key, members[i].key) != 0)))
		i++;
	return i;
}

/* We wrote them, in this order. */
static void read_comparison(struct json *json, struct comparison *c)
{
	char key[TEXT];
	int i = 0;

	compare_ways_usual(&c->choice);
	bspi_json_open(json, '{');
	while (bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		i = next_member(c, key, i);
		if (i == NMEMBERS || strcmp(key, members[i].key) != 0)
			bspi_json_refuse(json, "another member than expected");
		else
			page_read_member(json, &members[i++], c);
	}
	if (next_member(c, "", i) < NMEMBERS)
		bspi_json_refuse(json, "a member is missing");
	bspi_json_end(json);
	if (!(c->nprocs >= 1) || !(c->rounds >= 1))
		bspi_json_refuse(json, "no processes, or no rounds");
}

/* ---- Reading a page -------------------------------------------------------- */

static struct comparison *page_one_more(struct compare_page *page)
{
	struct comparison *all = realloc(page->all, (page->n + 1) * sizeof(*all));

	if (!all)
		return NULL;
	page->all = all;
	all[page->n] = (struct comparison){ .nprocs = 0 };
	return &all[page->n++];
}

/* One line of the page; what is wrong with it, or NULL. */
static const char *page_read_line(const char *line, size_t len, struct compare_page *page)
{
	size_t head = sizeof(before_figures) - 1, tail = sizeof(after_figures) - 1;
	struct comparison *c;
	struct json json;

	if (len < head || memcmp(line, before_figures, head) != 0)
		return NULL;
	if (len < head + tail || memcmp(line + len - tail, after_figures, tail) != 0)
		return "a comment that does not end";
	c = page_one_more(page);
	if (!c)
		return "no memory";
	bspi_json_begin(&json, line + head, len - head - tail);
	read_comparison(&json, c);
	return json.wrong;
}

static int page_read_text(const char *file, const char *text, size_t len, struct compare_page *page)
{
	size_t start = sizeof(first_lines) - 1, stop = sizeof(last_lines) - 1;
	const char *wrong = NULL;
	int number = 0;

	if (len == 0)
		return 0;
	if (len < start || memcmp(text, first_lines, start) != 0) {
		complain("%s is no page of bsprun; it is left as it is", file);
		return 1;
	}
	if (len < start + stop || memcmp(text + len - stop, last_lines, stop) != 0) {
		complain("%s has been cut short; it is left as it is", file);
		return 1;
	}
	for (const char *line = text; line < text + len && !wrong; number++) {
		const char *end = memchr(line, '\n', text + len - line);
		size_t n = end ? (size_t)(end - line) : (size_t)(text + len - line);

		wrong = page_read_line(line, n, page);
		line += n + 1;
	}
	if (wrong)
		complain("%s, line %d: %s; it is left as it is", file, number, wrong);
	return wrong != NULL;
}

static int page_load(const char *file, struct compare_page *page)
{
	struct stat st;
	size_t len;
	char *text;
	int status;

	*page = (struct compare_page){ .n = 0 };
	if (stat(file, &st) == 0 && !S_ISREG(st.st_mode)) {
		complain("%s is no file", file);
		return 1;
	}
	text = compare_file_read(file, &len);
	if (!text && errno == ENOENT)
		return 0;
	if (!text) {
		complain("%s: %s", file, strerror(errno));
		return 1;
	}
	status = page_read_text(file, text, len, page);
	free(text);
	return status;
}

/* Where @file really is, so that a link to it stays; its name if it is not there yet. */
static int resolve(const char *file, char *path)
{
	if (realpath(file, path))
		return 0;
	if (errno == ENOENT && strlen(file) < PATH_MAX) {
		strcpy(path, file);
		return 0;
	}
	complain("%s: %s", file, strerror(errno));
	return 1;
}

int compare_page_check(const char *file)
{
	char path[PATH_MAX], place[PATH_MAX];
	struct compare_page page;
	int status = page_load(file, &page);

	free(page.all);
	if (status == 0)
		status = resolve(file, path);
	if (status)
		return status;
	strcpy(place, path);
	if (access(dirname(place), W_OK) == 0 && (access(path, F_OK) || access(path, W_OK) == 0))
		return 0;
	complain("%s: %s", file, strerror(errno));
	return 1;
}

/* ---- Writing a page -------------------------------------------------------- */

static int write_page(FILE *out, const struct compare_page *page)
{
	struct markup m;
	int err;

	err = compare_html_write(&m, out, page);
	if (err)
		return err;
	for (size_t i = 0; i < page->n; i++)
		write_comparison(out, &page->all[i]);
	page_end(&m);
	return 0;
}

static int page_replace(const char *path, const struct compare_page *page)
{
	struct replacement r;
	int err = replace_begin(&r, path), written;

	if (err)
		return -err;
	written = write_page(r.out, page);
	err = replace_end(&r, written == 0);
	return err ? -err : written;
}

static int put_in(struct compare_page *page, const struct comparison *c)
{
	struct comparison *place = NULL;

	for (size_t i = 0; i < page->n && !place; i++)
		if (compare_is_alike(&page->all[i], c) && page->all[i].nprocs == c->nprocs)
			place = &page->all[i];
	if (!place)
		place = page_one_more(page);
	if (!place) {
		complain("no memory");
		return 1;
	}
	*place = *c;
	return 0;
}

/* Signals wait, so that no file is left half-written. */
int compare_page_add(const char *file, const struct comparison *c)
{
	char path[PATH_MAX];
	sigset_t all, before;
	struct compare_page page;
	int err = 0, status = page_load(file, &page);

	if (status == 0)
		status = resolve(file, path);
	if (status == 0)
		status = put_in(&page, c);
	if (status == 0) {
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, &before);
		err = page_replace(path, &page);
		sigprocmask(SIG_SETMASK, &before, NULL);
	}
	free(page.all);
	if (err)
		complain("%s: %s", file, strerror(-err));
	return err ? 1 : status;
}
