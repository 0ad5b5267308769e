/* SPDX-License-Identifier: BSD-3-Clause */
/* lifeline.h - the tree of connections by which launched processes watch each other. */

/*
 *	   node a			node b			node c
 *
 *	process 0 ---------- TCP ------ process 2		process 4
 *	   |   \					|	       /|\
 *	   |	`------------- TCP -------------|-------------'	| |
 *	  unix					unix		unix
 *	process 1			process 3	     processes 5, 6
 *
 * The first processes of nodes are a tree, as their nodes are (job/tree.h): process 0 is its root,
 * each has at most BSPJ_TREE_ARITY children, and up to so many nodes are all children of process 0.
 * The others are children of the first of their node. Children connect to parents. On one host that
 * is a unix socket, between hosts it is TCP. BSP_NODE_SIZE may make several nodes of a host.
 */
#ifndef BSPJ_LIFELINE_H
#define BSPJ_LIFELINE_H

#include "job/launch/handshake.h"

#include "deadlock.h"

#include "job/tree.h"
#include "transport/ports.h"

#include <pthread.h>
#include <stdio.h>

/* A connection. */
struct bspj_line {
	int fd;
	int peer;
	bool over;		/* it has shut down, or it is lost: no more is expected */
	bool answered;		/* after STUCK */
	/* what has come of the answer to an ASK: digits, and the wave when all are here */
	int ndigits;
	struct bspj_wave wave;
};

/* Built before the thread begins; then the thread's alone, but for what never changes. */
struct bspj_lifeline {
	const struct bspj_job *job;
	double silence_s;
	const char *networks;	/* for connections between hosts; "" or NULL: all */
	struct bspt_ports ports;	/* likewise */
	int parent;		/* -1: we are process 0 */
	int depth;		/* so many lines are between this process and process 0 */
	int levels;		/* of nodes below ours */
	int nlines;		/* that of the parent first, if there is one */
	struct bspj_line *lines;
	int wakeup;		/* eventfd, for what follows */
	_Atomic bool closing;	/* time to go */
	_Atomic int signal_received;	/* the signal that ends this process; 0: none */
	_Atomic bool signal_handled;	/* the thread has handled it */
	pthread_t thread;
	struct bspj_watchdog watchdog;
	double watchdog_s;	/* as the user has it; a delegate waits longer */
	double warn_s;		/* process 0: after so long without progress; 0: never */
	/* we are the first of our node, or the delegate: progress is looked at */
	bool looking;
	/* there is a watchdog, and we are the first of our node or the delegate of process 0 */
	bool watching;
	bool shutdown_sent;	/* by the delegate, to process 0 */
	/* with a watchdog: we watch over process 0, which may be stopped itself */
	bool is_delegate;
	uint64_t reported_ns;	/* process 0: what the delegate knows of progress */
	int64_t *shift;
	/* the first of a node with others below it: a wave is open until all have answered */
	struct bspj_deadlock deadlock;
	struct bspj_wave wave;
	bool is_wave_open;
};

/* Do they reach each other without a network? */
static inline bool bspj_lifeline_near(const struct bspj_job *job, int p, int q)
{
	return job->members->node[p] == job->members->node[q];
}

/* On which host a process is. */
static inline const char *bspj_lifeline_host(const struct bspj_job *job, int p)
{
	return bspj_member_of(job->members, p)->host;
}

/* " on HOST", of this process. */
enum { BSPJ_LIFELINE_WHERE = BSPT_HOSTNAME + 4 };
static inline const char *bspj_lifeline_where(const struct bspj_lifeline *l,
					      char where[BSPJ_LIFELINE_WHERE])
{
	snprintf(where, BSPJ_LIFELINE_WHERE, " on %.64s", bspj_lifeline_host(l->job, l->job->me));
	return where;
}

/*
 * From here on no process of this node reports an error any more, unless it has begun to: @p has
 * done so or fails. False: another has.
 */
static inline bool bspj_lifeline_claim_report(const struct bspj_lifeline *l, int p)
{
	int none = 0;

	return atomic_compare_exchange_strong(&l->job->table->failed_rank, &none, p + 1);
}

/*
 * lifeline_signal.c: signals that end this process wake the thread of @l, until they are left or,
 * in a forked child, forgotten. The thread handles them then.
 */
void bspj_lifeline_take_signals(struct bspj_lifeline *l);
void bspj_lifeline_leave_signals(void);
void bspj_lifeline_forget_signals(void);
/* @is_reported: has another process said that an error is reported? Its message is forgotten. */
typedef bool bspj_lifeline_reported_fn(const struct bspj_lifeline *l);
void bspj_lifeline_handle_signal(struct bspj_lifeline *l, bspj_lifeline_reported_fn *is_reported);

/*
 * lifeline_deadlock.c: process 0, at a look: do all processes of the job wait for ever? Asks the
 * other nodes, and comes to know it at a later look.
 */
bool bspj_lifeline_sees_deadlock(struct bspj_lifeline *l);
/* The first process of a node has been asked by its parent; answers when those below have. */
void bspj_lifeline_answer_ask(struct bspj_lifeline *l);
/* A byte of such an answer? */
bool bspj_lifeline_takes_digit(struct bspj_line *line, char byte);
/* Some of them have come: answer, if all are here that the parent waits for. */
void bspj_lifeline_pass_on_answers(struct bspj_lifeline *l);

/* Bytes on a line that two files know; lifeline.c has all. */
enum { BSPJ_LIFELINE_ASK = 'q' };

/*
 * Connect all lines, whose peers are set. 0, or a negative errno, the reason in @why, and all
 * are closed.
 */
int bspj_lifeline_connect(struct bspj_lifeline *l, char *why, size_t len);

#endif
