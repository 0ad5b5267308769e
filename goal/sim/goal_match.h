/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_match.h - which message of a schedule goes to which receive, and what can then never end. */
#ifndef GOAL_MATCH_H
#define GOAL_MATCH_H

#include "goal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GOAL_MATCH_NONE SIZE_MAX

/* One that is sent, or one that is waited for. */
struct goal_match_message {
	uint32_t rank;			/* whose operation it is */
	uint32_t from, to, tag;		/* from and tag may be GOAL_ANY of a receive */
	const struct goal_op *op;
	size_t partner;			/* in the other list, or GOAL_MATCH_NONE */
};

struct goal_match_list {
	struct goal_match_message *message;	/* by rank and operation */
	size_t n, room;
};

struct goal_match {
	const struct goal_set *set;
	struct goal_match_list sends, recvs;
	size_t nops;
	uint64_t bytes;			/* of all that is sent */
	size_t chain;			/* operations one after the other, at most */
	bool open;			/* a receive from any source or with any tag exists */
	size_t stuck;			/* operations that never end */
	const struct goal_op *first_stuck;
	int first_stuck_rank;
};

/*
 * Messages of one source and tag are received in the order of operations in the blocks. Receives
 * from any process or with any tag get the remaining messages. False: no memory. goal_match_free()
 * it in either case. Cost: n log n in messages, linear in the rest.
 */
bool goal_match_create(struct goal_match *match, const struct goal_set *set);
void goal_match_free(struct goal_match *match);

#endif
