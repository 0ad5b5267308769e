// SPDX-License-Identifier: BSD-3-Clause
/* deadlock.c - whether all processes wait for each other, by their status: deadlock.h. */

#include "deadlock.h"

#include "transport/transport.h"

static bool deadlock_is_watched(const struct bspj_watchdog *w, int p)
{
	return !w->node || w->node[p] == w->here;
}

/* Pairs with the release in still_next_turn(), so that the counts are those of the turn. */
static void add_process(struct bspj_wave *wave, const struct bspj_status *status)
{
	uint32_t turn = atomic_load_explicit(&status->turn, memory_order_acquire);

	wave->all_wait &= turn & 1;
	wave->turns += turn;
	wave->sent += atomic_load_explicit(&status->sent, memory_order_relaxed);
	wave->received += atomic_load_explicit(&status->received, memory_order_relaxed);
}

static bool is_in_counting_barrier(const struct bspj_status *status)
{
	return atomic_load(&status->state) >> BSPJ_AWAITS_SHIFT == BSPJ_AWAITS_BARRIER;
}

/* Does @q wait within a step, in the epoch of @p? Then it has not entered its barrier. */
static bool is_before_barrier(const struct bspj_status *q, const struct bspj_status *p)
{
	return atomic_load(&q->epoch) == (atomic_load(&p->epoch) | BSPJ_OUTSIDE_SYNC);
}

/* No process waits in a barrier that may be over. */
static bool barriers_are_closed(const struct bspj_watchdog *w)
{
	for (int p = 0; p < w->nprocs; p++) {
		const struct bspj_status *status = &w->table->rank[p];
		bool closed = !is_in_counting_barrier(status);

		for (int q = 0; q < w->nprocs && !closed; q++)
			closed = is_before_barrier(&w->table->rank[q], status);
		if (!closed)
			return false;
	}
	return true;
}

struct bspj_wave bspj_wave_look(const struct bspj_watchdog *w)
{
	struct bspj_wave wave = { .all_wait = true };

	for (int p = 0; p < w->nprocs && wave.all_wait; p++)
		if (deadlock_is_watched(w, p))
			add_process(&wave, &w->table->rank[p]);
	return wave;
}

struct bspj_wave bspj_wave_join(const struct bspj_wave *a, const struct bspj_wave *b)
{
	return (struct bspj_wave){
		.all_wait = a->all_wait && b->all_wait,
		.sent = a->sent + b->sent,
		.received = a->received + b->received,
		.turns = a->turns + b->turns,
	};
}

bool bspj_wave_is_deadlock(const struct bspj_wave *first, const struct bspj_wave *second)
{
	return first->all_wait && second->all_wait && first->turns == second->turns &&
	       first->sent == first->received;
}

bool bspj_deadlock_look(struct bspj_deadlock *d, const struct bspj_watchdog *w)
{
	uint64_t now = bspt_now_ns();
	struct bspj_wave last = d->last;

	if (now - d->looked_ns < BSPJ_DEADLOCK_PAUSE_MS * UINT64_C(1000000))
		return false;
	d->looked_ns = now;
	d->last = bspj_wave_look(w);
	d->last.all_wait = d->last.all_wait && barriers_are_closed(w);
	return bspj_wave_is_deadlock(&last, &d->last);
}

void bspj_deadlock_report(const struct bspj_watchdog *w, const char *who)
{
	bspj_watchdog_report_all(w, "all processes wait, and nothing is on its way", who,
				 "; bsprun --check looks for calls that do not match");
}
