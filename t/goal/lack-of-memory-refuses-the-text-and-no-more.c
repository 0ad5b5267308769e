/* SPDX-License-Identifier: BSD-3-Clause */
/* If any one allocation fails, reading, writing and matching say so; the set stays as it was. */
#include "../lib/tap.h"
#include "../lib/texts.h"

#include <stdlib.h>
#include <string.h>

static long allowed;			/* allocations until one fails; it and all later ones do */

static void *scarce_calloc(size_t n, size_t size)
{
	return allowed-- > 0 ? calloc(n, size) : NULL;
}

static void *scarce_malloc(size_t size)
{
	return allowed-- > 0 ? malloc(size) : NULL;
}

static void *scarce_realloc(void *old, size_t size)
{
	return allowed-- > 0 ? realloc(old, size) : NULL;
}

#define calloc scarce_calloc
#define malloc scarce_malloc
#define realloc scarce_realloc
#include "goal/text/goal_parse.c"
#include "goal/text/goal_note.c"
#include "goal/text/goal_label.c"
#include "goal/text/goal_cycle.c"
#include "goal/text/goal_dump.c"
#include "goal/sim/goal_match.c"
#undef calloc
#undef malloc
#undef realloc

static const char cycle_text[] =
	"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n";

/* How many allocations failed, one in each turn, until none did; -1: something else happened. */
static int turns(bool (*with)(void))
{
	int n = 0;

	for (allowed = 0; !with(); allowed = ++n)
		if (allowed >= 0)
			return -1;
	return n;
}

/* failures that were reported wrongly, or changed the set */
static int odd;

static bool parses(void)
{
	struct goal_set set = { .nprocs = 77 };
	struct goal_where where;

	if (goal_parse(&set, annotated_text, strlen(annotated_text), &where)) {
		if (set.nprocs != 77 || strcmp(where.what, "not enough memory") != 0)
			odd++;
		return false;
	}
	goal_set_free(&set);
	return true;
}

/* True when the cycle is found. */
static bool finds_cycle(void)
{
	struct goal_set set = { 0 };
	struct goal_where where;

	if (goal_parse(&set, cycle_text, strlen(cycle_text), &where) == 0)
		bail("a cycle was compiled");
	return strcmp(where.what, "this dependency closes a cycle") == 0;
}

static struct goal_set good;

static bool dumps(void)
{
	FILE *out = fopen("/dev/null", "w");
	int error = out ? goal_dump(&good, out) : -1;

	if (out)
		fclose(out);
	return error == 0;
}

static bool matches(void)
{
	struct goal_match match;
	bool all = goal_match_create(&match, &good);

	goal_match_free(&match);
	return all;
}

int main(void)
{
	struct goal_where where;
	int n;

	n = turns(parses);
	ok(n > 5, "%d allocations of reading, each can fail", n);
	is_int(0, odd, "each is reported, and the set is as it was");
	n = turns(finds_cycle);
	ok(n > 5, "%d allocations of looking for a cycle", n);
	allowed = 1000;
	if (goal_parse(&good, annotated_text, strlen(annotated_text), &where))
		bail("%s", where.what);
	n = turns(dumps);
	ok(n > 3, "%d allocations of writing", n);
	n = turns(matches);
	ok(n > 5, "%d allocations of matching", n);
	goal_set_free(&good);
	return done_testing();
}
