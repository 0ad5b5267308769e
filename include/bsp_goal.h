/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_goal.h - schedules of your own, which progress while the program computes. */

/*
 * goal.h builds a schedule: one process's part of a collective operation, as a graph of sends,
 * receives and local operations. The calls here load it once and start it any number of times;
 * several runs (struct goal_request) may be in progress:
 *
 *	struct goal_schedule *s = goal_load(block, len);
 *	struct goal_request *r = goal_start(s, buffers);
 *	... compute ...
 *	goal_wait(r);
 *
 * All processes of the job make the same calls of goal_load() and goal_unload() in the same order,
 * and start each schedule equally often (a process without operations loads an empty schedule, or
 * does not start it). No call ends a superstep, and only the messages of the schedule synchronise
 * processes. Schedules are independent of supersteps, with barriers or relaxed.
 *
 * Errors end the job with one message, as in bsp.h; each call aborts outside the SPMD part.
 *
 * Source: Hoefler, Siebert and Lumsdaine, Group Operation Assembly Language, 2009. See also goal(7)
 * and goal_load(3).
 */
#ifndef BSP_GOAL_H
#define BSP_GOAL_H

#include "bsp.h"
#include "goal.h"

struct goal_schedule;
struct goal_request;	/* a run that was started, see goal_wait() */

#define goal_flight goal_request	/* deprecated: the same type */

BSP_BEGIN
#pragma GCC visibility push(default)

/**
 * goal_load - load a compiled schedule, collectively
 * @block: the schedule, from goal_compile() or any other source: it is verified and copied
 * @len:   bytes of @block
 *
 * Aborts if: @block is NULL, not a valid schedule, or not for this process of this number of
 * processes; there is not enough memory; the kernel is to run it (BSP_OFFLOAD=1) and rejects it.
 *
 * Cost: linear in @len; no communication.
 */
struct goal_schedule *goal_load(const void *block, size_t len);

/**
 * goal_unload - free a schedule, collectively
 *
 * Aborts if: @s is NULL or was unloaded; a run of it was not waited for.
 */
void goal_unload(struct goal_schedule *s);

/**
 * goal_start - start a schedule
 * @s:       the schedule
 * @buffers: addresses of its buffers, in order, with the sizes and alignments of goal_buffer();
 *	     may be NULL if there are none. The program must not touch the buffers until the run
 *	     has completed. The array is copied.
 *
 * Returns at once. The n-th starts of a schedule on all processes belong together.
 *
 * Aborts if: @s is NULL or was unloaded; a buffer with bytes that are used is NULL; one is not
 * aligned; the kernel is to run it (BSP_OFFLOAD=1) and cannot pin a buffer. Later, when a message
 * has another length than its receive, unless the receive drops it.
 *
 * Cost: that of the operations that have no dependencies; the others run in later calls of the
 * library, or between calls with BSP_PROGRESS=thread, or in the kernel with BSP_OFFLOAD=1, for
 * which the buffers are pinned now. Messages cost what their bytes cost in an h-relation.
 */
struct goal_request *goal_start(struct goal_schedule *s, void *const *buffers);

/**
 * goal_test - has a run completed on this process?
 * @r: the run; *@r becomes NULL if it has completed
 *
 * Makes progress and never waits. Returns 1 if the run has completed, which is then freed as by
 * goal_wait(), or if *@r is NULL; else 0.
 *
 * Aborts if: @r is NULL; *@r was waited for.
 */
int goal_test(struct goal_request **r);

/**
 * goal_wait - wait until a run has completed on this process, and free it
 *
 * Aborts if: @r is NULL or was waited for; it waits for a message, and there is no other process.
 */
void goal_wait(struct goal_request *r);

struct goal_schedule *goal_load_at(const char *site, const void *block, size_t len);
void goal_unload_at(const char *site, struct goal_schedule *s);
struct goal_request *goal_start_at(const char *site, struct goal_schedule *s, void *const *buffers);
int goal_test_at(const char *site, struct goal_request **r);
void goal_wait_at(const char *site, struct goal_request *r);

#pragma GCC visibility pop
BSP_END

#ifdef BSP_NO_CALL_SITES

#elif !defined(__cplusplus)

#ifdef __GNUC__
BSP_KEPT struct goal_request *goal_returned(struct goal_request *r)
{
	bsp_returned();
	return r;
}
#else
#define goal_returned(call) call
#endif

#define goal_load(...) goal_load_at(BSP_SITE, __VA_ARGS__)
#define goal_unload(...) goal_unload_at(BSP_SITE, __VA_ARGS__)
#define goal_start(...) goal_returned(goal_start_at(BSP_SITE, __VA_ARGS__))
#define goal_test(...) bsp_returned_int(goal_test_at(BSP_SITE, __VA_ARGS__))
#define goal_wait(...) BSP_RETURNS(goal_wait_at(BSP_SITE, __VA_ARGS__))

#else

extern "C++" {
BSP_CALL(goal_load, goal_load_at);
BSP_CALL(goal_unload, goal_unload_at);
BSP_CALL(goal_start, goal_start_at);
BSP_CALL(goal_test, goal_test_at);
BSP_CALL(goal_wait, goal_wait_at);
}

#endif

#endif
