/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_fold.h - receive values, fold them and send them on: for reduce, allreduce and scan. */

/*
 * A generator says in order what happens to values; this finds memory for them and says what waits
 * for what:
 *
 *	mine = goal_fold_own(&f);
 *	theirs = goal_fold_receive(&f, left, 0);
 *	mine = goal_fold(&f, theirs, mine);
 *	goal_fold_send(&f, mine, right, 0);
 *	goal_fold_end(&f, mine);
 *
 * A value is a range of elements, the same for all of them at a time. It lies in the source, which
 * is only read, or in a slot: the target's range, or as many bytes of the scratchpad. A slot is
 * written again only when all that reads its last value has ended; for small values there are many
 * slots, so receives wait for nothing, for large ones few.
 *
 * The left operand of a fold is that of lower process numbers. GOAL_LOCAL overwrites its left
 * operand, so the result is in the left one's slot, or in either if the order makes no difference
 * to any bit: that is so with integers. A float's NaN and the sign of a 0 may depend on it. Calls
 * write to a third slot.
 */
#ifndef GOAL_GEN_FOLD_H
#define GOAL_GEN_FOLD_H

#include "goal/gen/goal_gen_tree.h"

enum {
	GOAL_SLOTS_MOST = 32,
	GOAL_SLOT_USES_MOST = 8,
};

struct goal_slot {
	struct goal_place at;
	bool taken;
	unsigned int freed;		/* when: the one longest free is taken again */
	int nuses;			/* operations that must have ended before it is written */
	int uses[GOAL_SLOT_USES_MOST];
};

struct goal_value {
	struct goal_place at;
	int slot;			/* -1: it is the source's */
	int ready;			/* the operation that made it, or -1 */
};

struct goal_fold {
	struct goal_graph *g;
	const struct goal_task *task;
	int rank;
	bool has_target;		/* it has one: in a reduce only the root */
	uint64_t at, bytes;		/* the range */
	uint64_t slot_bytes;
	int least;			/* slots in the scratchpad before any is used twice */
	unsigned int now;
	int nslots;
	struct goal_slot slot[GOAL_SLOTS_MOST];	/* the first one is the target */
};

/* NULL, or why the task's elements cannot be folded in any order of operations. */
const char *goal_fold_refuses(const struct goal_task *task, int nprocs);
uint64_t goal_fold_element(const struct goal_task *task);
/* Is a op b the same as b op a, bit by bit? */
bool goal_fold_commutes(const struct goal_task *task);

/* The range is everything; @slot_bytes: of the largest value that will be received or made. */
void goal_fold_begin(struct goal_fold *f, struct goal_graph *g, const struct goal_task *task,
		     int rank, uint64_t slot_bytes, int least);
/*
 * From here on values are these bytes. There are no values at this time, and the range of the
 * target was not used before.
 */
void goal_fold_range(struct goal_fold *f, uint64_t at, uint64_t bytes);
/*
 * Call @fold for one range after the other: for the segments of the task if its algorithm has
 * segments, else for the whole. The messages of a range have @tag.
 */
void goal_fold_by_segments(struct goal_graph *g, const struct goal_task *task, int nprocs, int rank,
			   void (*fold)(struct goal_fold *f, int nprocs, int rank, uint32_t tag));
/* A smaller range, within the one now; @v is the one value there is. */
struct goal_value goal_fold_narrow(struct goal_fold *f, struct goal_value v, uint64_t at,
				   uint64_t bytes);

/* This process's contribution. */
struct goal_value goal_fold_own(struct goal_fold *f);
struct goal_value goal_fold_receive(struct goal_fold *f, int from, uint32_t tag);
/* @n values in one message. */
void goal_fold_receive_list(struct goal_fold *f, struct goal_value *v, size_t n, int from,
			    uint32_t tag);
int goal_fold_send(struct goal_fold *f, struct goal_value v, int to, uint32_t tag);
int goal_fold_send_list(struct goal_fold *f, const struct goal_value *v, size_t n, int to,
			uint32_t tag);
/* Some of the bytes of @v, which are @at within the task's elements; they lie in the range. */
int goal_fold_send_part(struct goal_fold *f, struct goal_value v, uint64_t at, uint64_t bytes,
			int to, uint32_t tag);

/* The same value once more. */
struct goal_value goal_fold_copy(struct goal_fold *f, struct goal_value v);
/* left op right. Both are gone after it. */
struct goal_value goal_fold(struct goal_fold *f, struct goal_value left, struct goal_value right);
/* @into = @into op @other, for operators that commute; @other stays. @into is not the source's. */
struct goal_value goal_fold_into(struct goal_fold *f, struct goal_value into,
				 struct goal_value other);
void goal_fold_drop(struct goal_fold *f, struct goal_value v);

/*
 * The value is the result: to the target with it. Returns the operation after which it is there, or
 * -1.
 */
int goal_fold_end(struct goal_fold *f, struct goal_value v);
/*
 * The operations that must have ended before the target may be written or, after goal_fold_end(),
 * read; returns how many.
 */
int goal_fold_target_uses(const struct goal_fold *f, const int **uses);
/* @op writes to the target. */
void goal_fold_overwrites(struct goal_fold *f, int op);

#endif
