/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_args.c - what a random program is to be like, as words NAME=VALUE. */

#include "soak.h"

#include <limits.h>
#include <stdio.h>

struct soak soak = { .seed = 1, .steps = 2000, .spoil = NONE, .most = 200000, .longest = 400,
		     .relaxed_of_4 = 2 };

const char *const soak_kinds[OP_KINDS] = {
	"write", "put", "get", "send", "read", "push", "pop", "tagsize", "nothing", "collective",
	"schedule", "neighbors",
};

static bool leave_out(const char *list)
{
	static const char *const others[] = { "hp", "relaxed", "terse" };
	bool *const flags[] = { &soak.without_hp, &soak.without_relaxed, &soak.without_terse };
	size_t n = 0, commas = 0;

	for (int k = 0; k < OP_KINDS; k++)
		n += soak.without[k] = soak_lists(list, soak_kinds[k]);
	for (int i = 0; i < 3; i++)
		n += *flags[i] = soak_lists(list, others[i]);
	for (const char *c = list; *c; c++)
		commas += *c == ',';
	return n == commas + 1;
}

static bool choose_phases(const char *list)
{
	char name[40];

	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
		if (!soak_phase_exists(name))
			return false;
	}
	soak.phases = list;
	return true;
}

static bool take_number(const char *text, unsigned long long least, unsigned long long most,
			unsigned long long *n)
{
	char *end;

	*n = strtoull(text, &end, 0);
	return end != text && !*end && *n >= least && *n <= most;
}

static bool take_int(const char *text, int least, int *to)
{
	unsigned long long n;
	bool good = take_number(text, (unsigned long long)least, INT_MAX, &n);

	*to = (int)n;
	return good;
}

static bool take_word(const char *name, const char *value)
{
	unsigned long long n = 0;
	bool is_number = take_number(value, 0, UINT64_MAX, &n);

	if (!strcmp(name, "without"))
		return leave_out(value);
	if (!strcmp(name, "phases"))
		return choose_phases(value);
	if (!strcmp(name, "steps"))
		return take_int(value, 1, &soak.steps);
	if (!strcmp(name, "longest"))
		return take_int(value, 1, &soak.longest);
	if (!strcmp(name, "spoil"))
		return take_int(value, 0, &soak.spoil);
	if (!strcmp(name, "coll"))
		return take_int(value, 0, &soak.coll);
	if (!strcmp(name, "relaxed"))
		return take_int(value, 0, &soak.relaxed_of_4);
	if (!strcmp(name, "heap"))
		return take_int(value, 0, &soak.heap);
	if (!strcmp(name, "seed"))
		soak.seed = n;
	else if (!strcmp(name, "own"))
		soak.own = n;
	else if (!strcmp(name, "most"))
		soak.most = n;
	else
		return false;
	return is_number && soak.most > 0;
}

bool soak_take(const char *word)
{
	const char *value = strchr(word, '=');
	char name[20];

	if (!value || (size_t)(value - word) >= sizeof name)
		return false;
	snprintf(name, sizeof name, "%.*s", (int)(value - word), word);
	return take_word(name, value + 1);
}
