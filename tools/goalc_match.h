/* SPDX-License-Identifier: BSD-3-Clause */
/* goalc_match.h - which message of a schedule goes to which receive, and what can then never end. */
#ifndef GOALC_MATCH_H
#define GOALC_MATCH_H

#include "kernel/goal/goal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MATCH_NONE SIZE_MAX

/* One that is sent, or one that is waited for. */
struct match_message {
	uint32_t rank;			/* whose operation it is */
	uint32_t from, to, tag;		/* from and tag may be GOAL_ANY of a receive */
	const struct goal_op *op;
	size_t partner;			/* in the other list, or MATCH_NONE */
};

struct match_list {
	struct match_message *message;	/* by rank and operation */
	size_t n, room;
};

struct match {
	const struct goal_set *set;
	struct match_list sends, recvs;
	size_t nops;
	uint64_t bytes;			/* of all that is sent */
	size_t chain;			/* operations one after the other, at most */
	bool open;			/* some receives leave source or tag open: any message may be theirs */
	size_t stuck;			/* operations that never end */
	const struct goal_op *first_stuck;
	int first_stuck_rank;
};

/*
 * Messages of one source and tag are received in the order of operations in the blocks. Receives from any process or
 * with any tag get what is left. False: no memory. match_free() it in either case.
 * Cost: n log n in messages, linear in the rest.
 */
bool match_create(struct match *match, const struct goal_set *set);
void match_free(struct match *match);

#endif
