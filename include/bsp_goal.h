/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_goal.h - schedules of your own, which progress while the program computes. */

/*
 * goal.h builds a schedule: one process's part of a collective operation, as a graph of sends, receives and
 * local operations. Here it is loaded once and started any number of times, several at once if you like:
 *
 *	struct goal_schedule *s = goal_load(block, len);
 *	struct goal_flight *f = goal_start(s, buffers);
 *	... compute ...
 *	goal_wait(f);
 *
 * Loads are collective: all processes of the job make the same calls of goal_load and goal_unload in the same order,
 * and start each schedule equally often (one that has nothing to do loads an empty schedule, or does not start it). No
 * call of these ends a superstep or synchronises processes beyond what the schedule's messages do, and schedules
 * and supersteps do not mind each other: they work with barriers and relaxed.
 *
 * Errors end the job with one message, as in bsp.h; each call aborts outside the SPMD part.
 *
 * Source: Hoefler, Siebert and Lumsdaine, Group Operation Assembly Language, 2009. goal(7) and goal_load(3) tell more.
 */
#ifndef BSP_GOAL_H
#define BSP_GOAL_H

#include "bsp.h"
#include "goal.h"

struct goal_schedule;
struct goal_flight;

BSP_BEGIN
#pragma GCC visibility push(default)

/**
 * goal_load - load a compiled schedule, collectively
 * @block: from goal_compile(), or from a file or anywhere: it is verified first; copied
 * @len:   its bytes
 *
 * Aborts if: @block is NULL or no good schedule, or not for this process of so many; memory has run out; it is to run
 * in the kernel (BSP_OFFLOAD=1), which does not take it.
 * Cost: linear in @len; no communication.
 */
struct goal_schedule *goal_load(const void *block, size_t len);

/**
 * goal_unload - forget a schedule, collectively
 *
 * Aborts if: @s is NULL or was unloaded before; a flight of it was not waited for.
 */
void goal_unload(struct goal_schedule *s);

/**
 * goal_start - start a schedule
 * @buffers: addresses of its buffers, as many as it has, each of at least the size and on a multiple of what
 *	     it says (goal_buffer()); may be NULL if there are none. What they point to is not to be touched
 *	     until the flight is over. The array is copied.
 *
 * Returns at once. The n-th start of a schedule on one process belongs to the n-th on all others.
 *
 * Aborts if: @s is NULL or was unloaded; a buffer of which bytes are used is NULL; one is not aligned; the kernel is to
 * run it (BSP_OFFLOAD=1) and may not keep a buffer in place. Later, when a message has another length than the
 * receive it belongs to, unless that drops it.
 * Cost: that of the operations that wait for none; the rest is done by later calls of the library, or between them with
 * BSP_PROGRESS=thread, or by the kernel with BSP_OFFLOAD=1, for which its buffers are pinned now.
 * Messages cost what their bytes cost in an h-relation.
 */
struct goal_flight *goal_start(struct goal_schedule *s, void *const *buffers);

/**
 * goal_test - is it over on this process?
 * @f: a flight; *@f becomes NULL if it was over
 *
 * Makes progress and never waits. 1 if it is over (or *@f was NULL), else 0. When it is over it has given the flight
 * back, as goal_wait() does.
 *
 * Aborts if: @f is NULL; *@f was waited for.
 */
int goal_test(struct goal_flight **f);

/**
 * goal_wait - wait until it is over on this process, and give the flight back
 *
 * Aborts if: @f is NULL or was waited for; it needs a message and there is no other process.
 */
void goal_wait(struct goal_flight *f);

struct goal_schedule *goal_load_at(const char *site, const void *block, size_t len);
void goal_unload_at(const char *site, struct goal_schedule *s);
struct goal_flight *goal_start_at(const char *site, struct goal_schedule *s, void *const *buffers);
int goal_test_at(const char *site, struct goal_flight **f);
void goal_wait_at(const char *site, struct goal_flight *f);

#pragma GCC visibility pop
BSP_END

#ifdef BSP_NO_CALL_SITES

#elif !defined(__cplusplus)

#define goal_load(...) goal_load_at(BSP_SITE, __VA_ARGS__)
#define goal_unload(...) goal_unload_at(BSP_SITE, __VA_ARGS__)
#define goal_start(...) goal_start_at(BSP_SITE, __VA_ARGS__)
#define goal_test(...) goal_test_at(BSP_SITE, __VA_ARGS__)
#define goal_wait(...) goal_wait_at(BSP_SITE, __VA_ARGS__)

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
