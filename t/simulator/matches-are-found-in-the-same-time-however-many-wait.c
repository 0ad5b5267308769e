/* SPDX-License-Identifier: BSD-3-Clause */
/* The oldest match among many waiting messages and receives is found, and at once. */
#include "../lib/growth.h"
#include "../lib/random.h"

#include "goal/sim/goal_sim_match.c"

#include <string.h>

enum { MOST = 4096, TURNS = 200000, NUMBERS = 8, MANY = 1 << 16 };

static uint64_t state = 1;

static uint32_t draw(uint32_t below)
{
	return (uint32_t)random_below(&state, below);
}

/* The same as a plain list. */
static struct goal_waiting list[MOST];
static size_t nlist;

static bool take_from_list(bool receives, uint32_t source, uint32_t tag, struct goal_waiting *taken)
{
	for (size_t i = 0; i < nlist; i++) {
		const struct goal_waiting asked = { .source = source, .tag = tag };

		if (receives ? !sim_match_fits(&list[i], source, tag) :
			       !sim_match_fits(&asked, list[i].source, list[i].tag))
			continue;
		*taken = list[i];
		memmove(&list[i], &list[i + 1], (--nlist - i) * sizeof *list);
		return true;
	}
	return false;
}

static uint32_t number_or_any(bool may_be_any)
{
	return may_be_any && draw(4) == 0 ? GOAL_ANY : draw(NUMBERS);
}

/*
 * How many answers differ from those of the list. The number that waits is sometimes large and
 * sometimes 0.
 */
static long differences(bool receives)
{
	struct goal_matches m = { 0 };
	long wrong = 0;

	nlist = 0;
	for (uint32_t turn = 0; turn < TURNS; turn++) {
		bool more = nlist < MOST && draw(turn / 10000 % 2 ? 5 : 3) < 2;
		struct goal_waiting w = { .op = turn, .source = number_or_any(more == receives),
					  .tag = number_or_any(more == receives) };
		struct goal_waiting seen = { 0 }, expected = { 0 };
		bool found;

		if (more) {
			list[nlist++] = w;
			wrong += !goal_matches_add(&m, &w);
			continue;
		}
		found = receives ? goal_matches_take_receive(&m, w.source, w.tag, &seen) :
				   goal_matches_take_message(&m, w.source, w.tag, &seen);
		wrong += found != take_from_list(receives, w.source, w.tag, &expected) ||
			 seen.op != expected.op;
	}
	goal_matches_free(&m);
	return wrong;
}

/* Messages come in one order of their tags, receives from @from in the other. */
static void in_reverse(long n, uint32_t from)
{
	struct goal_matches m = { 0 };
	struct goal_waiting taken;

	for (long i = 0; i < n; i++)
		goal_matches_add(&m, &(struct goal_waiting){ .op = (uint32_t)i,
							     .source = (uint32_t)i % 3,
							     .tag = (uint32_t)i });
	for (long i = n - 1; i >= 0; i--)
		goal_matches_take_message(&m, from == GOAL_ANY ? from : (uint32_t)i % 3,
					  (uint32_t)i, &taken);
	goal_matches_free(&m);
}

static void named_source(long n)
{
	in_reverse(n, 0);
}

static void any_source(long n)
{
	in_reverse(n, GOAL_ANY);
}

/* Each source has one message, and the last to come is asked for first. */
static void any_tag(long n)
{
	struct goal_matches m = { 0 };
	struct goal_waiting taken;

	for (long i = 0; i < n; i++)
		goal_matches_add(
			&m, &(struct goal_waiting){ .op = (uint32_t)i, .source = (uint32_t)i });
	for (long i = n - 1; i >= 0; i--)
		goal_matches_take_message(&m, (uint32_t)i, GOAL_ANY, &taken);
	goal_matches_free(&m);
}

int main(void)
{
	is_int(0, differences(false), "messages are taken as from a list");
	is_int(0, differences(true), "receives are taken as from a list");
	grows_as_n(named_source, MANY, 50, "messages of a named source");
	grows_as_n(any_source, MANY, 50, "messages of any source");
	grows_as_n(any_tag, MANY, 50, "messages with any tag");
	return done_testing();
}
