/* SPDX-License-Identifier: BSD-3-Clause */
/* figure.h - a figure of a paper: its labels, its claims, published values and ours. */
#ifndef PAPERS_FIGURE_H
#define PAPERS_FIGURE_H

#include "sheet.h"

enum { CLAIM_NAMES = 6, CLAIM_TEXT = SHEET_LINE };

enum claim_kind {
	CLAIM_ORDER, CLAIM_RATIO, CLAIM_VALUE, CLAIM_LIKE, CLAIM_CROSSING, CLAIM_GROWS, CLAIM_RISES,
	CLAIM_FALLS, CLAIM_KINDS,
};
enum claim_growth { GROWS_LINEAR, GROWS_LOG, GROWS_FLAT, GROWTHS };

struct claim {
	enum claim_kind kind;
	enum claim_growth growth;
	char name[CLAIM_NAMES][SHEET_NAME];	/* of series, with '*' for any panel */
	int names;
	double low, high;			/* within */
	double from, to;			/* of x */
	double percent;				/* of points */
	char rule[CLAIM_TEXT];			/* as it was written */
	char text[CLAIM_TEXT];			/* the paper's statement */
	char why[CLAIM_TEXT];			/* it does not hold here, or "" */
};

enum verdict_kind { VERDICT_NONE, VERDICT_HOLDS, VERDICT_FAILS };
struct verdict {
	enum verdict_kind kind;
	char text[CLAIM_TEXT];			/* what was seen */
};

struct figure_axis {
	char label[CLAIM_TEXT];
	bool is_log, is_binary;
};

struct figure {
	char paper[SHEET_NAME], name[SHEET_NAME];	/* "plogp", "figure-5" */
	char title[CLAIM_TEXT], source[CLAIM_TEXT];
	struct figure_axis x, y;
	char (*note)[CLAIM_TEXT];
	size_t notes;
	struct claim *claim;
	size_t claims;
	struct sheet published, ours;
	char skipped[CLAIM_TEXT];			/* why nothing was made, or "" */
};

/* Read NAME.claims and NAME.published.csv of @sources/PAPER, and NAME.csv of @made/PAPER. */
int figure_read(struct figure *f, const char *paper_and_name, const char *sources,
		const char *made);
void figure_release(struct figure *f);

/* Were its values made in the short form, by which nothing is judged? */
bool figure_is_short(const struct figure *f);

/* figure_claim.c: what stands behind "claim "; NULL, or what is wrong. */
const char *claim_parse(struct claim *c, const char *text);

/* figure_judge.c: by the published values, and by ours. */
struct verdict claim_judge_published(const struct figure *f, const struct claim *c);
struct verdict claim_judge_ours(const struct figure *f, const struct claim *c);

#endif
