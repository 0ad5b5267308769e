/* SPDX-License-Identifier: BSD-3-Clause */
/* prof_words.h - a profile in three sentences: where the time goes, what it is, what would help. */
#ifndef PROF_WORDS_H
#define PROF_WORDS_H

#include "prof.h"
#include "prof_gain.h"

enum { PROF_SENTENCE = 3000 };

/* Results of simulation, for all forms of a profile: made once. */
struct prof_help {
	struct prof_gain gains[PROF_GAINS];
	int ngains;
	struct prof_suggestion lists;	/* of neighbours, if has_lists */
	bool has_lists;
	char why[300];			/* it cannot be simulated, or "" */
};

void prof_help_find(const struct prof *p, struct prof_help *help);

struct prof_words {
	char where[PROF_SENTENCE];
	char what[PROF_SENTENCE];	/* "" if nothing waited */
	char help[PROF_SENTENCE];
};

void prof_words_make(const struct prof *p, const struct prof_help *help, struct prof_words *w);

#endif
