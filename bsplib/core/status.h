/* SPDX-License-Identifier: BSD-3-Clause */
/* status.h - the status of this process, for the supervisor, the watchdog and messages. */
#ifndef BSPI_STATUS_H
#define BSPI_STATUS_H

#include "bsplib/core/state.h"
#include "bsplib/core/waits.h"

static inline struct bspj_status *bspi_own_status(void)
{
	return &bspi.job.table->rank[bspi.me];
}

/* It enters bsp_sync or bsp_end, at @site. */
static inline void bspi_show_entry(const char *site, bool ending)
{
	struct bspj_status *status = bspi_own_status();
	uint32_t state = ending ? BSPJ_ENDING : BSPJ_SYNCING;

	atomic_store_explicit(&status->site, site, memory_order_relaxed);
	atomic_store_explicit(&status->state, state, memory_order_relaxed);
}

/*
 * It computes, in superstep bspi.step. In a process that is seen there, all of the superstep before
 * has taken effect. Pairs with the acquires in read_directly() and some_are_behind().
 */
static inline void bspi_show_step(void)
{
	struct bspj_status *status = bspi_own_status();

	atomic_store_explicit(&status->step, bspi.step, memory_order_release);
	atomic_store_explicit(&status->state, BSPJ_COMPUTING, memory_order_relaxed);
}

/*
 * The table of registrations changes now; has changed. Other processes read it, in
 * read_peek_slot(). The fence keeps the changes behind the odd number, as one that reads a change
 * sees that number at its second look. Pairs with the fence there.
 */
static inline void bspi_show_areas_change(void)
{
	struct bspj_status *status = bspi_own_status();
	uint32_t turn = atomic_load_explicit(&status->areas_turn, memory_order_relaxed);

	atomic_store_explicit(&status->areas_turn, turn + 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
}

/* Keeps the changes before the even number. Pairs with the first look in read_peek_slot(). */
static inline void bspi_show_areas_stay(void)
{
	struct bspj_status *status = bspi_own_status();
	uint32_t turn = atomic_load_explicit(&status->areas_turn, memory_order_relaxed);

	atomic_store_explicit(&status->areas_turn, turn + 1, memory_order_release);
}

/* The call that this process made last, as file:line. */
const char *bspi_own_site(void);
/* The call at bspi_own_site(), for a message. */
const char *bspi_last_call(void);
/* It waits in @call for @what; until bspi_show_computing(). */
void bspi_show_waiting(const char *call, const char *site, const char *what);
/* The same for a wait that comes again and again; @site and @what stay where they are. */
void bspi_show_waiting_again(const char *call, const char *site, const char *what);
void bspi_show_computing(void);
/* It is in bsp_sync again, after such a wait there. */
void bspi_show_syncing(void);
/* It has left bsp_end. */
void bspi_show_end(void);

/*
 * For the watchdog, in each turn of a loop that waits: for what, with two numbers that its words
 * contain. It stays there until the next one, or until bsp_sync begins or ends.
 */
void bspi_show_awaited(enum bspi_wait_for what, uint32_t first, uint32_t second);

#endif
