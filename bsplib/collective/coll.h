/* SPDX-License-Identifier: BSD-3-Clause */
/* coll.h - collective operations: calls that become runs of schedules. */

/*
 * From the bottom up; none calls one below itself in this list:
 *
 *	coll_lengths.c	the same of calls with a length for each process
 *	coll_check.c	what a call reads and writes; its arguments
 *	coll_agree.c	checks that all processes make the same calls
 *	coll_cache.c	schedules, kept for calls that come again
 *	coll_neighbor.c	the same of exchanges with neighbours
 *	coll.c		a call: the bytes that a process gives itself, start and wait
 *	coll_request.c	numbers for operations under way; the end
 *	coll_sort.c	sorting, which collects the values first
 *
 * The calls of the headers are in api/coll_api.c and api/level1_api.c. All of it is called with the
 * lock of progress.c held, but for sorting, which takes it.
 */
#ifndef BSPI_COLL_H
#define BSPI_COLL_H

#include "bsplib/schedule/schedule.h"

#include "bsp_coll.h"
#include "goal/gen/goal_gen.h"

#include <stdio.h>

/* A call of the program. */
struct bspi_coll {
	const char *call, *site;
	enum goal_kind kind;
	int root;		/* 0 where there is none */
	bool typed;		/* folds elements of @type by @op, of bsp_coll.h */
	bool by_user;		/* or one operand of @count bytes by @user */
	int op, type;
	bsp_op *user;
	const void *src;
	void *dst;
	size_t count;		/* elements, or bytes if it is not typed */
	size_t bytes;		/* of these, or of a block; by bspi_coll_check() */
	/* A length for each process: then @bytes are all together, if all processes know them. */
	bool apart;
	size_t unit;		/* bytes of an element, in which sizes are given */
	const char *type_name;	/* for messages */
	const size_t *src_sizes, *src_offsets, *dst_sizes, *dst_offsets;
	bool neighbor;		/* and with @npids neighbours, which @pids lists, alone */
	int npids;
	const int *pids;
	uint64_t lengths;	/* a hash of them, if all know them; by bspi_coll_check() */
};

/* An operation that was started and not yet waited for. */
struct bspi_request {
	unsigned long number;		/* the program's; 0: none, it is waited for at the call */
	const char *call, *site;
	struct goal_request *run;	/* NULL: it is over here */
	struct bspi_request *next, **link;	/* those with a run of the same schedule */
	void *copy;			/* of a source that is the destination; or NULL */
	bsp_op *user;
	int operand;			/* bytes */
	bool apart;
	uint32_t turn;			/* the number of the call: coll_agree.c */
};

enum {
	BSPI_TYPES = 0x100,	/* BSP_INT8 is that and GOAL_I8, and so on */
	BSPI_OPS = 0x200,	/* BSP_SUM is that and GOAL_ADD */
	BSPI_BY_USER = -1,	/* on the wire: the operator is the program's */
};

/* ---- For the rest of the runtime ----------------------------------------------------- */

/* In bsp_end: all have been waited for; and later: forget all. */
void bspi_coll_end(const char *site);
void bspi_coll_close(void);
/*
 * When a barrier begins: ends the job if another process waits for a call that this one has not
 * made.
 */
void bspi_coll_agree_at_barrier(void);
/*
 * In bsp_end: send the last call to process 0; on process 0, when all have: compare how many
 * there were.
 */
void bspi_coll_agree_send(void);
void bspi_coll_agree_settle(void);

/* ---- coll_lengths.c -------------------------------------------------------------- */

/* Ends the job if sizes, offsets or areas are wrong. */
void bspi_lengths_check(struct bspi_coll *c);
/* For statistics: the bytes at the source of the last call, or without one at the destination. */
uint64_t bspi_lengths_given(void);
/*
 * The next three are for the call @c, which was checked last. Bytes of a block, for models, the
 * same on all processes; a copy of the block of a process that is alone; and a run.
 */
uint64_t bspi_lengths_typical(const struct bspi_coll *c);
void bspi_lengths_copy_own(const struct bspi_coll *c);
struct bspi_kept;
void bspi_lengths_run(const struct bspi_coll *c, struct bspi_request *r, struct bspi_kept *k);
void bspi_lengths_close(void);

/* ---- coll_check.c ---------------------------------------------------------------- */

/* Ends the job if it is wrong. */
void bspi_coll_check(struct bspi_coll *c);
bool bspi_coll_is_rooted(enum goal_kind kind);
/* "BSP_SUM" and "BSP_INT32"; NULL: no such operator. */
const char *bspi_coll_names(int op, int type, const char **type_name);
/* Bytes that this process has at the source, and at the destination. */
size_t bspi_coll_source_bytes(const struct bspi_coll *c);
size_t bspi_coll_target_bytes(const struct bspi_coll *c);
/* The bytes that a process gives itself: where they are, and where they go. */
const char *bspi_coll_own_source(const struct bspi_coll *c);
char *bspi_coll_own_target(const struct bspi_coll *c);

/* ---- coll.c ---------------------------------------------------------------------- */

/*
 * On more than one process: the algorithms of calls of @bytes, of each kind, in the form of
 * BSP_COLL, "bcast:binomial+nodes,scatter:linear,...".
 */
void bspi_coll_describe(FILE *to, size_t bytes);
/* Check and start; *@r is filled in but for its number. */
void bspi_coll_start(struct bspi_coll *c, struct bspi_request *r);
/* Check, start, and wait until it is over. */
void bspi_coll_do(struct bspi_coll *c);
/* In @call at @site. */
bool bspi_coll_test(struct bspi_request *r, const char *call, const char *site);
void bspi_coll_wait(struct bspi_request *r, const char *call, const char *site);

/* ---- coll_request.c -------------------------------------------------------------- */

bsp_request bspi_request_start(struct bspi_coll *c);
bool bspi_request_test(const char *site, bsp_request *number);
void bspi_request_wait(const char *site, bsp_request *number);

/* ---- coll_sort.c ----------------------------------------------------------------- */

/* Is @left less than @right? */
typedef int bspi_less_fn(void *left, void *right, int *nbytes);

/*
 * Process i gets the i-th of all values of @nbytes by @less, in @call at @site; @dst may be @src.
 * The operator is called without the lock.
 */
void bspi_coll_sort(const char *call, const char *site, bspi_less_fn *less, const void *src,
		    void *dst, size_t nbytes);

/* ---- coll_cache.c ---------------------------------------------------------------- */

enum {
	BSPI_KEPT_MOST = 64,		/* schedules */
	BSPI_KEPT_BYTES = 16 << 20,	/* of their scratchpads, by estimate */
	/* of an operation that is offloaded, and of its scratchpad */
	BSPI_OFFLOAD_BYTES = 16 << 20,
	/* of a multicast: with its headers it fits a frame of Ethernet, of any host */
	BSPI_MULTICAST_BYTES = 1400,
};

/* A schedule, and the call that it is for. */
struct bspi_kept {
	/* what it was generated from; its algorithm is NULL in a look-up */
	struct goal_task task;
	struct goal_schedule *schedule;
	struct bspi_request *users;	/* with a run of it */
	/* of its scratchpads: an estimate, the same on all processes */
	size_t weight;
	struct bspi_kept *same_hash;
	struct bspi_kept *older, *newer;	/* by their last use */
};

/* The algorithm of a task that has none yet, with its numbers, in one level or two. */
void bspi_kept_choose(const struct bspi_coll *c, struct goal_task *task);
/* The schedule of a task, which has no algorithm yet: generated and loaded if it is new. */
struct bspi_kept *bspi_kept_find(const struct bspi_coll *c, const struct goal_task *task);
/* @r has a run of it now; the run is over and is ended. */
void bspi_kept_use(struct bspi_kept *k, struct bspi_request *r);
void bspi_kept_leave(struct bspi_request *r);
void bspi_kept_close(void);
/* The user of each schedule of a collective call; a run's owner is its request. */
const struct bspi_schedule_user *bspi_kept_user(void);

/* ---- coll_neighbor.c ------------------------------------------------------------- */

/* Ends the job if lists or areas are wrong. A run; without one, on a process that is alone. */
void bspi_neighbor_check(struct bspi_coll *c);
void bspi_neighbor_run(const struct bspi_coll *c, struct bspi_request *r);
void bspi_neighbor_copy_own(const struct bspi_coll *c);
void bspi_neighbor_close(void);

/* ---- coll_agree.c ----------------------------------------------------------------- */

/* This process makes a call; returns the number of it. */
uint32_t bspi_coll_agree_note(const struct bspi_coll *c);
/* It has waited long for call @turn: others may have made another one. */
void bspi_coll_agree_ask(uint32_t turn);
void bspi_coll_agree_open(void);
void bspi_coll_agree_close(void);

#endif
