/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_sim_match.h - receives that wait for messages, and messages that wait for receives. */

/*
 * The one that came first of all that fit is taken. Few are looked through one by one; of many
 * there is an index by source and tag, and by either alone when a receive asks for it. Only
 * receives may have GOAL_ANY for either.
 */
#ifndef GOAL_SIM_MATCH_H
#define GOAL_SIM_MATCH_H

#include "goal_format.h"

/* A receive that waits, or a message. */
struct goal_waiting {
	uint64_t end;		/* of a message: when it had been received */
	uint32_t source, tag;
	uint32_t op;		/* the receive; of a message, its send */
	uint32_t next;		/* private: of the same slot of the index */
};

struct goal_matches {
	struct goal_waiting *match;	/* from @first up to @last as they came; some are gone */
	uint32_t first, last, most;
	uint32_t n;			/* that are there */
	uint32_t nany;			/* of those, with GOAL_ANY */
	uint32_t nslots;		/* of the index; 0: there is none */
	struct goal_match_slot *slots;
	struct goal_match_part *part;	/* messages by source and by tag; NULL: there is none */
};

/* Room for @n; false, as from add: there is no memory. */
bool goal_matches_reserve(struct goal_matches *m, uint32_t n);
bool goal_matches_add(struct goal_matches *m, const struct goal_waiting *match);
/* Take the first receive that a message from @source with @tag fits. False: there is none. */
bool goal_matches_take_receive(struct goal_matches *m, uint32_t source, uint32_t tag,
			       struct goal_waiting *taken);
/* Take the first message that fits a receive. */
bool goal_matches_take_message(struct goal_matches *m, uint32_t source, uint32_t tag,
			       struct goal_waiting *taken);
/* The first of all, which is not taken; NULL: none. */
const struct goal_waiting *goal_matches_first(const struct goal_matches *m);
void goal_matches_free(struct goal_matches *m);

#endif
