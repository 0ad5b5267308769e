/* SPDX-License-Identifier: BSD-3-Clause */
/* mtx.c - reads sparse matrices in the Matrix Market format. */

/*
 * Nothing that a file says is believed: memory grows with the entries that are
 * really there, not with the number that the size line announces.
 *
 * The format: Boisvert, Pozo and Remington, The Matrix Market exchange formats:
 * initial design, NISTIR 5935, 1996.
 */
#include "mtx.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum field { REAL, INTEGER, PATTERN };
enum symmetry { GENERAL, SYMMETRIC, SKEW };

struct reader {
	FILE *file;
	enum field field;
	enum symmetry symmetry;
	int64_t announced;		/* entries, by the size line */
	size_t room;			/* entries for which there is memory */
	struct mtx *matrix;
	struct mtx_error *error;	/* its line is that in text */
	char text[1024 + 1];		/* the longest line that the format allows */
	char *rest;			/* of text, not yet parsed */
};

/* Sets the reason, without what could confuse a terminal; returns -1. */
static int fault(struct reader *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(r->error->reason, sizeof r->error->reason, format, args);
	va_end(args);
	for (char *c = r->error->reason; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
	return -1;
}

/* ---- Lines and words ----------------------------------------------------- */

/* Reads the next line into text: 1, 0 at the end of the file, -1 if there is a fault. */
static int read_line(struct reader *r)
{
	size_t length = 0;
	int c = getc(r->file);

	if (c != EOF)
		r->error->line++;
	for (; c != EOF && c != '\n'; c = getc(r->file)) {
		if (c == '\0')
			return fault(r, "this is not text");
		if (length == sizeof r->text - 1)
			return fault(r, "the line is longer than %zu characters", length);
		r->text[length++] = (char)c;
	}
	if (ferror(r->file))
		return fault(r, "cannot be read: %s", strerror(errno));
	r->text[length] = '\0';
	r->rest = r->text;
	return c == '\n' || length > 0;
}

/* Returns the next word of the line, NULL if there is none. CR is white space. */
static char *next_word(struct reader *r)
{
	char *word = r->rest;

	while (isspace((unsigned char)*word))
		word++;
	r->rest = word;
	while (*r->rest && !isspace((unsigned char)*r->rest))
		r->rest++;
	if (*r->rest)
		*r->rest++ = '\0';
	return *word ? word : NULL;
}

static int end_of_line(struct reader *r, const char *what)
{
	const char *word = next_word(r);

	return word ? fault(r, "'%.32s' after %s", word, what) : 0;
}

/* As read_line(), for the next line that is neither empty nor a comment. */
static int read_data_line(struct reader *r)
{
	int got;

	do
		got = read_line(r);
	while (got == 1 && (r->text[0] == '%' || r->text[strspn(r->text, " \t\r\f\v")] == '\0'));
	return got;
}

/* Reads a whole number from @least to @most; @what is its name. */
static int read_number(struct reader *r, const char *what, int64_t least, int64_t most,
		       int64_t *number)
{
	const char *word = next_word(r);
	char *end;

	if (!word)
		return fault(r, "the %s is missing", what);
	errno = 0;
	*number = strtoll(word, &end, 10);
	if (*end)
		return fault(r, "the %s '%.32s' is not a whole number", what, word);
	if (errno || *number < least || *number > most)
		return fault(r, "the %s %.32s is not from %lld to %lld", what, word,
			     (long long)least, (long long)most);
	return 0;
}

static int read_value(struct reader *r, double *value)
{
	int64_t number;
	const char *word;
	char *end;

	*value = 1;
	if (r->field == PATTERN)
		return 0;
	if (r->field == INTEGER) {
		if (read_number(r, "value", INT64_MIN, INT64_MAX, &number))
			return -1;
		*value = (double)number;
		return 0;
	}
	word = next_word(r);
	if (!word)
		return fault(r, "the value is missing");
	*value = strtod(word, &end);
	if (*end)
		return fault(r, "the value '%.32s' is not a number", word);
	if (!isfinite(*value))
		return fault(r, "the value %.32s is not finite", word);
	return 0;
}

/* ---- The three parts of a file ------------------------------------------- */

/* Finds the next word of the banner among @words, which end in NULL. */
static int read_choice(struct reader *r, const char *what, const char *const *words, int *choice)
{
	const char *word = next_word(r);

	if (!word)
		return fault(r, "the %s is missing in the banner", what);
	for (*choice = 0; words[*choice]; ++*choice)
		if (strcasecmp(word, words[*choice]) == 0)
			return 0;
	return fault(r, "the %s '%.32s' is not supported", what, word);
}

static int read_banner(struct reader *r)
{
	static const char *const objects[] = { "matrix", NULL };
	static const char *const formats[] = { "coordinate", NULL };
	static const char *const fields[] = { "real", "integer", "pattern", NULL };
	static const char *const symmetries[] = { "general", "symmetric", "skew-symmetric", NULL };
	int got = read_line(r), ignored, field, symmetry;
	const char *word = got == 1 ? next_word(r) : NULL;

	if (r->error->line == 0)
		r->error->line = 1;	/* nothing could be read */
	if (got < 0)
		return -1;
	if (!word || strcmp(word, "%%MatrixMarket") != 0)
		return fault(r, "the file does not begin with %%%%MatrixMarket");
	if (read_choice(r, "object", objects, &ignored) ||
	    read_choice(r, "format", formats, &ignored) ||
	    read_choice(r, "field", fields, &field) ||
	    read_choice(r, "symmetry", symmetries, &symmetry) ||
	    end_of_line(r, "the banner"))
		return -1;
	if (field == PATTERN && symmetry == SKEW)
		return fault(r, "a pattern cannot be skew-symmetric");
	r->field = (enum field)field;
	r->symmetry = (enum symmetry)symmetry;
	return 0;
}

static int read_sizes(struct reader *r)
{
	int64_t nrows, ncols, places;
	int got = read_data_line(r);

	if (got == 0)
		return fault(r, "the file ends before the size line");
	if (got < 0 || read_number(r, "number of rows", 0, INT_MAX, &nrows) ||
	    read_number(r, "number of columns", 0, INT_MAX, &ncols))
		return -1;
	places = nrows * ncols;		/* of two int: fits */
	if (read_number(r, "number of entries", 0, places, &r->announced) ||
	    end_of_line(r, "the sizes"))
		return -1;
	if (r->symmetry != GENERAL && nrows != ncols)
		return fault(r, "a symmetric matrix cannot be %lld x %lld",
			     (long long)nrows, (long long)ncols);
	r->matrix->nrows = (int)nrows;
	r->matrix->ncols = (int)ncols;
	return 0;
}

static int add_entry(struct reader *r, int64_t row, int64_t col, double value)
{
	struct mtx *m = r->matrix;

	if (m->nentries == r->room) {
		size_t room = r->room ? 2 * r->room : 1024;
		struct mtx_entry *more = NULL;

		if (room <= PTRDIFF_MAX / sizeof *more)
			more = realloc(m->entries, room * sizeof *more);
		if (!more)
			return fault(r, "no memory for more than %zu entries", r->room);
		m->entries = more;
		r->room = room;
	}
	m->entries[m->nentries++] = (struct mtx_entry){ (int)row - 1, (int)col - 1, value };
	return 0;
}

static int read_entry(struct reader *r)
{
	int64_t row, col;
	double value;

	if (read_number(r, "row", 1, r->matrix->nrows, &row) ||
	    read_number(r, "column", 1, r->matrix->ncols, &col) ||
	    read_value(r, &value) || end_of_line(r, "the entry"))
		return -1;
	if (r->symmetry != GENERAL && col > row)
		return fault(r, "entry (%lld, %lld) is above the diagonal of a symmetric matrix",
			     (long long)row, (long long)col);
	if (r->symmetry == SKEW && col == row)
		return fault(r, "entry (%lld, %lld) is on the diagonal of a skew-symmetric matrix",
			     (long long)row, (long long)col);
	if (add_entry(r, row, col, value))
		return -1;
	if (r->symmetry == GENERAL || row == col)
		return 0;
	return add_entry(r, col, row, r->symmetry == SKEW ? -value : value);
}

static int read_entries(struct reader *r)
{
	int64_t count;
	int got;

	for (count = 0; (got = read_data_line(r)) == 1; count++) {
		if (count == r->announced)
			return fault(r, "there are more than the %lld entries announced",
				     (long long)r->announced);
		if (read_entry(r))
			return -1;
	}
	if (got == 0 && count < r->announced)
		return fault(r, "the file ends after %lld of %lld entries",
			     (long long)count, (long long)r->announced);
	return got;
}

int mtx_read(FILE *file, struct mtx *matrix, struct mtx_error *error)
{
	struct reader r = { .file = file, .matrix = matrix, .error = error };

	*matrix = (struct mtx){ 0 };
	error->line = 0;
	if (read_banner(&r) || read_sizes(&r) || read_entries(&r)) {
		mtx_free(matrix);
		return -1;
	}
	return 0;
}

void mtx_free(struct mtx *matrix)
{
	free(matrix->entries);
	*matrix = (struct mtx){ 0 };
}
