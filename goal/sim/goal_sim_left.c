// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_sim_left.c - receives and messages that nothing fitted, for people. */

#include "goal/sim/goal_sim_state.h"

#include <inttypes.h>

struct left {
	uint64_t nposted, narrived;
	int posted_at, arrived_at;	/* the first process with one; -1: none */
};

/* "rank 3", or "any rank". */
static void name(char *text, size_t len, const char *what, uint32_t number)
{
	if (number == GOAL_ANY)
		snprintf(text, len, "any %s", what);
	else
		snprintf(text, len, "%s %" PRIu32, what, number);
}

static void tell_posted(const struct goal_sim *s, const struct left *left, char *why, size_t len)
{
	const struct goal_waiting *m = goal_matches_first(&s->process[left->posted_at].posted);
	char source[24], tag[24];

	name(source, sizeof(source), "rank", m->source);
	name(tag, sizeof(tag), "tag", m->tag);
	snprintf(why, len,
		 "rank %d waits for a message from %s with %s that does not come (%" PRIu64
		 " such)",
		 left->posted_at, source, tag, left->nposted);
}

static void name_arrived(const struct goal_sim *s, const struct left *left, char *why, size_t len)
{
	const struct goal_waiting *m = goal_matches_first(&s->process[left->arrived_at].arrived);

	snprintf(why, len,
		 "rank %d never receives the message from rank %" PRIu32 " with tag %" PRIu32
		 " (%" PRIu64 " such)",
		 left->arrived_at, m->source, m->tag, left->narrived);
}

/* Both, if there are both: often a tag or a rank is wrong. */
int goal_sim_left(const struct goal_sim *s, char *why, size_t len)
{
	struct left left = { .posted_at = -1, .arrived_at = -1 };
	size_t used = 0;

	for (int rank = s->source->nprocs - 1; rank >= 0; rank--) {
		left.nposted += s->process[rank].posted.n;
		left.narrived += s->process[rank].arrived.n;
		left.posted_at = s->process[rank].posted.n ? rank : left.posted_at;
		left.arrived_at = s->process[rank].arrived.n ? rank : left.arrived_at;
	}
	if (left.posted_at < 0 && left.arrived_at < 0)
		return 0;
	if (left.posted_at >= 0) {
		tell_posted(s, &left, why, len);
		used = strlen(why);
	}
	if (left.posted_at >= 0 && left.arrived_at >= 0) {
		snprintf(why + used, len - used, "; ");
		used = strlen(why);
	}
	if (left.arrived_at >= 0)
		name_arrived(s, &left, why + used, len - used);
	return -1;
}
