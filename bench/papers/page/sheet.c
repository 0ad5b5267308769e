// SPDX-License-Identifier: BSD-3-Clause
/* sheet.c - read the CSV of a figure. */

#include "sheet.h"

#include "common/plain.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "series,x,value,low,high,unit";
enum { FIELDS = 6 };

void *sheet_grow(void *old, size_t n, size_t size)
{
	void *memory = realloc(old, (n + 1) * size);

	if (!memory) {
		fputs("paperpage: no memory\n", stderr);
		exit(1);
	}
	return memory;
}

bool sheet_number(const char *text, double *value)
{
	char *end;

	*value = plain_strtod(text, &end);
	return end != text && *end == '\0' && isfinite(*value);
}

/* NULL, or what is wrong. */
static const char *sheet_take(struct sheet_row *row, char *line)
{
	char *field[FIELDS];
	int n = 0;

	for (char *at = line; at && n < FIELDS;)
		field[n++] = strsep(&at, ",");
	if (n < FIELDS || strchr(field[FIELDS - 1], ','))
		return "expected six fields";
	if (!field[0][0] || strlen(field[0]) >= SHEET_NAME || strlen(field[5]) >= SHEET_NAME)
		return "the name of the series or the unit is empty or too long";
	if (!sheet_number(field[1], &row->x) || !sheet_number(field[2], &row->value))
		return "x and value have to be finite numbers";
	row->low = row->high = row->value;
	if ((field[3][0] && !sheet_number(field[3], &row->low)) ||
	    (field[4][0] && !sheet_number(field[4], &row->high)))
		return "low and high have to be empty or finite numbers";
	strcpy(row->series, field[0]);
	strcpy(row->unit, field[5]);
	return NULL;
}

static const char *sheet_line(struct sheet *s, char *line, bool *has_head)
{
	const char *wrong;

	if (line[0] == '#') {
		s->comment = sheet_grow(s->comment, s->comments, sizeof(*s->comment));
		strcpy(s->comment[s->comments++], line + 1 + (line[1] == ' '));
		return NULL;
	}
	if (!*has_head) {
		*has_head = strcmp(line, head) == 0;
		return *has_head ? NULL : "expected series,x,value,low,high,unit";
	}
	s->row = sheet_grow(s->row, s->n, sizeof(*s->row));
	wrong = sheet_take(&s->row[s->n], line);
	if (!wrong && sheet_find(s, s->row[s->n].series, s->row[s->n].x))
		return "this series has a value at this x already";
	s->n += !wrong;
	return wrong;
}

int sheet_read(struct sheet *s, const char *path)
{
	bool has_head = false;
	const char *wrong = NULL;
	char line[SHEET_LINE];
	int number = 0;
	FILE *in = fopen(path, "r");

	*s = (struct sheet){ .is_there = in };
	if (!in && errno == ENOENT)
		return 0;
	if (!in) {
		fprintf(stderr, "paperpage: %s: %s\n", path, strerror(errno));
		return -1;
	}
	while (!wrong && fgets(line, sizeof(line), in)) {
		number++;
		if (!strchr(line, '\n'))
			wrong = "the line is too long or does not end";
		line[strcspn(line, "\n")] = '\0';
		if (!wrong)
			wrong = sheet_line(s, line, &has_head);
	}
	fclose(in);
	if (!wrong && !has_head)
		wrong = "expected series,x,value,low,high,unit";
	if (wrong)
		fprintf(stderr, "paperpage: %s:%d: %s\n", path, number, wrong);
	return wrong ? -1 : 0;
}

void sheet_release(struct sheet *s)
{
	free(s->row);
	free(s->comment);
}

const struct sheet_row *sheet_find(const struct sheet *s, const char *series, double x)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->row[i].x == x && strcmp(s->row[i].series, series) == 0)
			return &s->row[i];
	return NULL;
}

const char *sheet_about(const struct sheet *s, const char *key)
{
	size_t len = strlen(key);

	for (size_t i = 0; i < s->comments; i++)
		if (strncmp(s->comment[i], key, len) == 0 && s->comment[i][len] == ':')
			return s->comment[i] + len + 1 + strspn(s->comment[i] + len + 1, " ");
	return "";
}

size_t sheet_panel(const char *series)
{
	const char *end = strchr(series, '/');

	return end ? (size_t)(end - series) : 0;
}
