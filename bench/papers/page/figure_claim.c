// SPDX-License-Identifier: BSD-3-Clause
/* figure_claim.c - parse a claim: its kind, its series, its bounds, its text. */

#include "figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[CLAIM_KINDS] = {
	[CLAIM_ORDER] = "order", [CLAIM_RATIO] = "ratio", [CLAIM_VALUE] = "value",
	[CLAIM_LIKE] = "like", [CLAIM_CROSSING] = "crossing", [CLAIM_GROWS] = "grows",
	[CLAIM_RISES] = "rises", [CLAIM_FALLS] = "falls",
};
static const char *const growths[GROWTHS] = {
	[GROWS_LINEAR] = "linear", [GROWS_LOG] = "log", [GROWS_FLAT] = "flat",
};

/* The next word of the claim, or what is between two quotes; false at the end. */
static bool claim_word(const char **at, char *word, bool *quoted)
{
	size_t len;

	*at += strspn(*at, " ");
	*quoted = **at == '"';
	*at += *quoted;
	len = strcspn(*at, *quoted ? "\"" : " ");
	if (len == 0 || len >= SHEET_NAME)
		return false;
	memcpy(word, *at, len);
	word[len] = '\0';
	*at += len;
	*at += *quoted && **at == '"';
	return true;
}

static bool claim_number(const char **at, double *value)
{
	char word[SHEET_NAME];
	bool quoted;

	return claim_word(at, word, &quoted) && sheet_number(word, value);
}

static int name_index(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

/* A word that is no name of a series. */
static bool claim_option(struct claim *c, const char *word, const char **at)
{
	int growth = name_index(growths, GROWTHS, word);

	if (strcmp(word, "<") == 0 || strcmp(word, "/") == 0 || strcmp(word, "%") == 0)
		return true;
	if (strcmp(word, "within") == 0)
		return claim_number(at, &c->low) && claim_number(at, &c->high);
	if (strcmp(word, "from") == 0)
		return claim_number(at, &c->from);
	if (strcmp(word, "to") == 0)
		return claim_number(at, &c->to);
	if (strcmp(word, "in") == 0)
		return claim_number(at, &c->percent);
	if (growth < 0 || c->kind != CLAIM_GROWS)
		return false;
	c->growth = growth;
	return true;
}

static bool claim_is_whole(const struct claim *c)
{
	bool bounded = c->kind == CLAIM_RATIO || c->kind == CLAIM_VALUE || c->kind == CLAIM_LIKE;
	bool several = c->kind == CLAIM_ORDER || c->kind == CLAIM_RATIO ||
		       c->kind == CLAIM_CROSSING;

	return bounded == isfinite(c->high) && (c->kind != CLAIM_GROWS || c->growth != GROWTHS) &&
	       (several ? c->names >= 2 : c->names == 1) &&
	       (c->kind == CLAIM_ORDER || c->names <= 2);
}

const char *claim_parse(struct claim *c, const char *text)
{
	const char *at = text, *colon = strstr(text, " : ");
	char word[SHEET_NAME];
	bool quoted;
	int kind;

	*c = (struct claim){ .low = -HUGE_VAL, .high = HUGE_VAL, .from = -HUGE_VAL,
			     .to = HUGE_VAL, .percent = 100, .growth = GROWTHS };
	if (!colon)
		return "expected ' : ' and the paper's statement";
	snprintf(c->text, sizeof(c->text), "%s", colon + 3);
	snprintf(c->rule, sizeof(c->rule), "%.*s", (int)(colon - text), text);
	at = c->rule;
	kind = claim_word(&at, word, &quoted) ? name_index(kinds, CLAIM_KINDS, word) : -1;
	if (kind < 0)
		return "expected a kind of claim: order, ratio, value, like, crossing, grows, "
		       "rises or falls";
	c->kind = kind;
	while (claim_word(&at, word, &quoted)) {
		if (quoted && c->names < CLAIM_NAMES)
			strcpy(c->name[c->names++], word);
		else if (quoted || !claim_option(c, word, &at))
			return "a word of the claim is unknown, or its number is";
	}
	return claim_is_whole(c) ? NULL : "the claim lacks series or bounds, or has too many";
}
