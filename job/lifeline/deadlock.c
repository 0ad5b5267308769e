// SPDX-License-Identifier: BSD-3-Clause
/* deadlock.c - whether all processes wait for each other, by their status: deadlock.h. */

#include "deadlock.h"

#include "transport/transport.h"

static bool deadlock_is_watched(const struct bspj_watchdog *w, int p)
{
	return !w->node || w->node[p] == w->here;
}

static bool is_in_counting_barrier(const struct bspj_status *status)
{
	return atomic_load(&status->state) >> BSPJ_AWAITS_SHIFT == BSPJ_AWAITS_BARRIER;
}

static uint64_t join_in_barrier(uint64_t a, uint64_t b)
{
	return !a || a == b ? b : b ? UINT64_MAX : a;
}

/* Epochs begin again. */
static uint64_t join_within_step(uint64_t a, uint64_t b)
{
	return !a || (b && (int32_t)((uint32_t)b - (uint32_t)a) > 0) ? b : a;
}

/* Pairs with the release in still_next_turn(), so that all else is of the turn. */
static void add_process(struct bspj_wave *wave, const struct bspj_status *status)
{
	uint32_t turn = atomic_load_explicit(&status->turn, memory_order_acquire);
	uint32_t epoch = atomic_load_explicit(&status->epoch, memory_order_relaxed);
	uint64_t number = 1 + (uint64_t)(epoch & ~(uint32_t)BSPJ_OUTSIDE_SYNC);

	wave->all_wait &= turn & 1;
	wave->turns += turn;
	wave->sent += atomic_load_explicit(&status->sent, memory_order_relaxed);
	wave->received += atomic_load_explicit(&status->received, memory_order_relaxed);
	if (is_in_counting_barrier(status))
		wave->in_barrier = join_in_barrier(wave->in_barrier, number);
	if (epoch & BSPJ_OUTSIDE_SYNC)
		wave->within_step = join_within_step(wave->within_step, number);
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
		.in_barrier = join_in_barrier(a->in_barrier, b->in_barrier),
		.within_step = join_within_step(a->within_step, b->within_step),
	};
}

/*
 * No process waits in a barrier that may be over. With several epochs of barriers the older one is
 * over, and so it is if a process waits within a step of a later one.
 */
static bool barriers_are_closed(const struct bspj_wave *wave)
{
	return !wave->in_barrier || wave->in_barrier == wave->within_step;
}

bool bspj_wave_is_deadlock(const struct bspj_wave *first, const struct bspj_wave *second)
{
	return first->all_wait && second->all_wait && first->turns == second->turns &&
	       first->sent == first->received && barriers_are_closed(first);
}

bool bspj_deadlock_look(struct bspj_deadlock *d, const struct bspj_watchdog *w)
{
	uint64_t now = bspt_now_ns();
	struct bspj_wave last = d->last;

	if (now - d->looked_ns < BSPJ_DEADLOCK_PAUSE_MS * UINT64_C(1000000))
		return false;
	d->looked_ns = now;
	d->last = bspj_wave_look(w);
	return bspj_wave_is_deadlock(&last, &d->last);
}

void bspj_deadlock_report(const struct bspj_watchdog *w, const char *who)
{
	bspj_watchdog_report_all(w, "all processes wait, and nothing is on its way", who,
				 "; bsprun --check looks for calls that do not match");
}
