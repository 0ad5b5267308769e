/* SPDX-License-Identifier: BSD-3-Clause */
/* observe.h - observers of a run: statistics, the checker, a tracer. */
#ifndef BSPI_OBSERVE_H
#define BSPI_OBSERVE_H

#include "bsplib/core/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bspi_transfer;

/*
 * An observer is called at these moments, in this process, by the thread that makes the calls;
 * members that it does not want are NULL. Observers are called in the order in which they were
 * added. One belongs to the part that adds it, and stays until the end of the SPMD part. Without
 * any an event costs one branch.
 *
 * Puts and gets that take the fast path (drma.c) are no events. An observer of them sets
 * bspi.slow when it is added, before any region is registered: then none does, and every
 * superstep comes to way_is_known.
 */
struct bspi_observer {
	struct bspi_observer *next;	/* the runtime's */

	/* A call that is not refused; @slot of its area. */
	void (*put)(const struct bspi_transfer *t, uint32_t slot);
	void (*get)(const struct bspi_transfer *t, uint32_t slot);
	void (*message)(const char *site, int pid, size_t tag_bytes, size_t nbytes);

	/*
	 * In real time, if bspi.metered: the process computes from now on, or a call begins in
	 * which it does not.
	 */
	void (*computing)(bool on);

	/*
	 * @call begins, for which there is no other event: a collective operation or the wait for
	 * one, a schedule's, or bsp_direct_get. It ends; calls do not nest. Each call is one pair,
	 * also if it has nothing to do; bsp_wait for BSP_NO_REQUEST is none. @call and @site stay
	 * where they are.
	 */
	void (*call_begins)(enum bspi_activity what, const char *call, const char *site);
	void (*call_ends)(void);
	/* In the call that starts a collective operation: the bytes that it is given. */
	void (*collective)(const char *call, const char *site, uint64_t bytes);

	/*
	 * bsp_sync or bsp_end is called; in bsp_sync: it ends with a barrier in a relaxed run,
	 * or does not.
	 */
	void (*sync_begins)(const char *site, bool ending);
	void (*way_is_known)(bool barrier);
	/* In bsp_sync it waits for peers that are too far behind; it does no more. */
	void (*credit_begins)(void);
	void (*credit_ends)(void);
	/*
	 * At a barrier: pushes and pops are about to take effect; all of the superstep has
	 * taken effect.
	 */
	void (*registrations)(void);
	void (*superstep_is_whole)(void);
	/* The superstep has ended, and the next one has its number. */
	void (*sync_ends)(void);

	/*
	 * bsp_read is called, or bsp_expect, which will take *@n messages; then it returns.
	 * bsp_serve. bsp_read_test, in whose *@answer is what it will say.
	 */
	void (*read_begins)(const char *site, uint32_t slot, int n);
	void (*expect_begins)(const char *site, int wanted, size_t *n);
	void (*read_ends)(void);
	void (*serve)(const char *site, uint32_t slot, int n);
	void (*read_test)(const char *site, uint32_t slot, int n, bool *answer);
	/*
	 * A section of the program begins; the one that began last ends. @name stays where it is,
	 * the same for the same text, until the end of the SPMD part.
	 */
	void (*section_begins)(const char *site, const char *name);
	void (*section_ends)(const char *site, const char *name);
	/*
	 * A schedule that @call started has ended, which the transport ran between these times of
	 * the monotonic clock, ns; @site may be NULL in bsp_sync.
	 */
	void (*offloaded)(const char *call, const char *site, uint64_t began, uint64_t over);
	/*
	 * After that, with BSP_RECORD_OPERATIONS: an operation of it, which waited for nothing any
	 * more from @began on. @name stays where it is. @peer of a send or receive; -1: any, none.
	 */
	void (*operation)(const char *name, int peer, uint64_t bytes, uint64_t began,
			  uint64_t over);

	/*
	 * In bsp_end: records for process 0 can be sent; on process 0, all of them have come;
	 * memory is given back.
	 */
	void (*job_ends)(void);
	void (*report)(const char *site);
	void (*close)(void);
};

/* From now on. */
void bspi_observe(struct bspi_observer *o);

/* BSPI_EVENT(put, (t, slot)) */
#define BSPI_EVENT(event, arguments) do {						\
	if (BSPI_UNLIKELY(bspi.observers))						\
		for (const struct bspi_observer *o_ = bspi.observers; o_; o_ = o_->next)	\
			if (o_->event)							\
				o_->event arguments;					\
} while (0)

#endif
