// SPDX-License-Identifier: BSD-3-Clause
/* figure_judge.c - does a claim hold for these values? */

#include "figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Points of a claim: how many there are and hold, and between which values they are. */
struct points {
	int points, good;
	double low, high;
};

/* "busy*" "/curve" matches "/curve" of each panel whose name begins with "busy". */
static bool name_matches(const char *pattern, const char *series)
{
	const char *star = strchr(pattern, '*');

	if (!star)
		return strcmp(pattern, series) == 0;
	return sheet_panel(series) >= (size_t)(star - pattern) && sheet_panel(series) > 0 &&
	       strncmp(pattern, series, star - pattern) == 0 &&
	       strcmp(star + 1, series + sheet_panel(series)) == 0;
}

/* The value of the series that @pattern is in the panel of @row, at its x. */
static const struct sheet_row *row_beside(const struct sheet *s, const struct sheet_row *row,
					  const char *pattern)
{
	const char *star = strchr(pattern, '*');
	char name[2 * SHEET_NAME];

	if (!star)
		return sheet_find(s, pattern, row->x);
	snprintf(name, sizeof(name), "%.*s%s", (int)sheet_panel(row->series), row->series,
		 star + 1);
	return sheet_find(s, name, row->x);
}

static bool row_counts(const struct claim *c, const struct sheet_row *row)
{
	return name_matches(c->name[0], row->series) && row->x >= c->from && row->x <= c->to;
}

static void points_count(struct points *t, bool good, double seen)
{
	t->low = t->points ? fmin(t->low, seen) : seen;
	t->high = t->points ? fmax(t->high, seen) : seen;
	t->points++;
	t->good += good;
}

static struct verdict points_verdict(const struct claim *c, const struct points *t,
				     const char *what)
{
	struct verdict v = { .kind = VERDICT_NONE };

	if (t->points == 0) {
		snprintf(v.text, sizeof(v.text), "no such values");
		return v;
	}
	v.kind = t->good >= t->points * c->percent / 100 - 1e-9 ? VERDICT_HOLDS : VERDICT_FAILS;
	snprintf(v.text, sizeof(v.text), "%d of %d; %s%.3g to %.3g", t->good, t->points, what,
		 t->low, t->high);
	return v;
}

/* The last of an order divided by the first is what is shown of it. */
static void judge_order(const struct sheet *s, const struct claim *c, const struct sheet_row *row,
			struct points *t)
{
	const struct sheet_row *before = row, *next = row;
	bool good = true;

	for (int i = 1; i < c->names; i++) {
		next = row_beside(s, row, c->name[i]);
		if (!next)
			return;
		good = good && before->value < next->value;
		before = next;
	}
	points_count(t, good, next->value / row->value);
}

static bool is_within(const struct claim *c, double value)
{
	return value >= c->low && value <= c->high;
}

static void judge_row(const struct sheet *s, const struct sheet *published, const struct claim *c,
		      const struct sheet_row *row, struct points *t)
{
	const struct sheet_row *other = NULL;

	if (c->kind == CLAIM_ORDER) {
		judge_order(s, c, row, t);
		return;
	}
	if (c->kind == CLAIM_VALUE) {
		points_count(t, is_within(c, row->value), row->value);
		return;
	}
	other = c->kind == CLAIM_LIKE ? sheet_find(published, row->series, row->x)
				      : row_beside(s, row, c->name[1]);
	if (other && other->value != 0)
		points_count(t, is_within(c, row->value / other->value), row->value / other->value);
}

static struct verdict judge_points(const struct sheet *s, const struct sheet *published,
				   const struct claim *c)
{
	struct points t = { 0 };

	for (size_t i = 0; i < s->n; i++)
		if (row_counts(c, &s->row[i]))
			judge_row(s, published, c, &s->row[i], &t);
	return points_verdict(c, &t, c->kind == CLAIM_ORDER ? "last by first " : "");
}

/* ---- Crossings ------------------------------------------------------------------ */

/* The first neighbours of x, in the order of the file, between which A passes B. */
static struct verdict judge_crossing(const struct sheet *s, const struct claim *c)
{
	struct verdict v = { .kind = VERDICT_NONE, .text = "no such values" };
	double last = 0, last_x = 0;
	int points = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct sheet_row *row = &s->row[i], *other;

		other = row_counts(c, row) ? row_beside(s, row, c->name[1]) : NULL;
		if (!other || row->value == other->value)
			continue;
		if (points++ && (row->value < other->value) != (last < 0)) {
			v.kind = VERDICT_HOLDS;
			snprintf(v.text, sizeof(v.text), "%s between %.6g and %.6g",
				 last < 0 ? "lower, then higher," : "higher, then lower,", last_x,
				 row->x);
			return v;
		}
		last = row->value - other->value;
		last_x = row->x;
	}
	if (points >= 2) {
		v.kind = VERDICT_FAILS;
		snprintf(v.text, sizeof(v.text), "%s at all %d points",
			 last < 0 ? "lower" : "higher", points);
	}
	return v;
}

/* ---- Growth --------------------------------------------------------------------- */

/* The share of the variance that a line over x, or over log2 x, explains; 0 if it falls. */
static double explained(const struct sheet *s, const struct claim *c, const char *series, bool log)
{
	double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct sheet_row *row = &s->row[i];
		double x = log ? log2(row->x) : row->x;

		if (strcmp(row->series, series) != 0 || !row_counts(c, row) || !isfinite(x))
			continue;
		n++;
		sx += x, sy += row->value;
		sxx += x * x, sxy += x * row->value, syy += row->value * row->value;
	}
	sxx -= sx * sx / n, sxy -= sx * sy / n, syy -= sy * sy / n;
	return sxy > 0 && syy > 0 ? sxy * sxy / (sxx * syy) : 0;
}

static void judge_growth(const struct sheet *s, const struct claim *c, const char *series,
			 const struct points *seen, struct points *t)
{
	double linear = explained(s, c, series, false), log = explained(s, c, series, true);

	if (seen->points < 3)
		return;
	if (c->growth == GROWS_FLAT)
		points_count(t, seen->high <= 1.25 * seen->low, seen->high / seen->low);
	else if (c->growth == GROWS_LINEAR)
		points_count(t, linear >= 0.95, linear);
	else
		points_count(t, log >= 0.95 && log > linear, log);
}

/* A whole series; its steps are in the order of the file. */
static void judge_series(const struct sheet *s, const struct claim *c, const char *series,
			 struct points *t)
{
	struct points seen = { 0 };
	double last = NAN;

	for (size_t i = 0; i < s->n; i++) {
		const struct sheet_row *row = &s->row[i];

		if (strcmp(row->series, series) != 0 || !row_counts(c, row))
			continue;
		if (c->kind == CLAIM_RISES && isfinite(last))
			points_count(t, row->value >= 0.95 * last, row->value / last);
		if (c->kind == CLAIM_FALLS && isfinite(last))
			points_count(t, row->value <= 1.05 * last, row->value / last);
		points_count(&seen, true, row->value);
		last = row->value;
	}
	if (c->kind == CLAIM_GROWS)
		judge_growth(s, c, series, &seen, t);
}

static bool is_first_of_series(const struct sheet *s, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(s->row[k].series, s->row[i].series) == 0)
			return false;
	return true;
}

static struct verdict judge_all_series(const struct sheet *s, const struct claim *c)
{
	const char *what = c->kind != CLAIM_GROWS ? "steps " :
			   c->growth == GROWS_FLAT ? "highest by lowest " :
						     "explained ";
	struct points t = { 0 };

	for (size_t i = 0; i < s->n; i++)
		if (name_matches(c->name[0], s->row[i].series) && is_first_of_series(s, i))
			judge_series(s, c, s->row[i].series, &t);
	return points_verdict(c, &t, what);
}

static struct verdict claim_judge(const struct sheet *s, const struct sheet *published,
				  const struct claim *c)
{
	if (c->kind == CLAIM_CROSSING)
		return judge_crossing(s, c);
	if (c->kind == CLAIM_GROWS || c->kind == CLAIM_RISES || c->kind == CLAIM_FALLS)
		return judge_all_series(s, c);
	return judge_points(s, published, c);
}

struct verdict claim_judge_published(const struct figure *f, const struct claim *c)
{
	if (c->kind == CLAIM_LIKE)
		return (struct verdict){ .kind = VERDICT_NONE, .text = "compared with ours" };
	return claim_judge(&f->published, &f->published, c);
}

struct verdict claim_judge_ours(const struct figure *f, const struct claim *c)
{
	if (f->skipped[0] || figure_is_short(f)) {
		struct verdict v = { .kind = VERDICT_NONE };

		snprintf(v.text, sizeof(v.text), "%s",
			 f->skipped[0] ? f->skipped : "short form: not judged");
		return v;
	}
	return claim_judge(&f->ours, &f->published, c);
}
