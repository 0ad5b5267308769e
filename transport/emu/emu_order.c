// SPDX-License-Identifier: BSD-3-Clause
/* emu_order.c - chunks in virtual order: none is polled before all that arrive earlier. */

/*
 * Without order=1 a process polls chunks in the order in which they really come. The real order
 * decides when it answers: a request that came late in real time is answered late, behind data that
 * the process sends after it in virtual time, and one from the virtual future is answered at once,
 * so that the process is idle until it arrives.
 *
 * With order=1 the processes are the logical processes of a conservative simulation (Chandy and
 * Misra, 1979), with L + o as lookahead. Each has a state that the others see:
 *
 *	runs	it sends nothing that leaves before its clock
 *	waits	for a chunk: it sends nothing before the first that has been sent to it arrives,
 *		and if there is none, nothing before another process sends it one
 *	closed	it sends nothing any more
 *
 * So nothing that is still to be sent arrives before the horizon: L + o after the earliest of
 * these times. A process that runs polls what has arrived by its clock, when its clock is not
 * beyond the horizon; until then it sleeps. One that waits polls the first that has been
 * sent to it, when that is not beyond the horizon. The process whose time is the earliest of all
 * can always go on.
 *
 * A process in a counting barrier waits as well: it may have to answer those that have not entered.
 * Once all have entered nothing is polled until the barrier is left, since how late that is follows
 * from a replay, which has not been made yet. The first that leaves shows for all others that they
 * run, from the time at which the replay lets them leave.
 *
 * A chunk that the inner transport could not send yet leaves when its sender polls. So a process
 * that has such chunks does not sleep: their receiver may be the one whose time is the earliest.
 *
 * On a network with links that all share (emu_switch.c) a message passes when no other can pass
 * before it any more: its sender waits until the horizon less L is at the time at which its first
 * byte leaves, and of two that leave together the lower number is first. Its next messages leave
 * later, as the interface is busy until then, so while it waits it shows that time instead of its
 * clock. So the process whose time is the earliest can still go on.
 *
 * Order in real time. All of struct emu_order is read and written under its lock; only the futex
 * is read without, by the kernel. Three facts follow.
 *   - A chunk is counted in sent, and its arrival in first, in the section that shows its sender's
 *     clock, before it is given to the inner transport. So a receiver that finds taken == sent
 *     has every chunk that was counted before its section, and one that is counted later leaves at
 *     the clock of a later section of its sender, or after it: not before the horizon.
 *   - No wake-up is lost: the sleeper reads wakes in the section in which it finds the horizon too
 *     near and sets needs. A waker moves the horizon and changes wakes in a later section, and
 *     then FUTEX_WAIT returns at once.
 *   - The bytes of a chunk are published by send() and poll() of the inner transport, as ever.
 * The lock is robust: a process may be killed while it has it. Each change is of single words, none
 * of which makes others wait longer, and the job ends soon. In qemu's user mode it is not, as that
 * keeps no list of robust locks; the supervisor ends processes that wait for it, as it does anyway.
 *
 * A process that waits for another one outside of the library, which sleeps until this one goes on
 * in virtual time, would wait for ever. So a sleeper looks from time to time at the process on
 * which the horizon depends: if that one has neither moved its clock nor used its processor for
 * stall_ns, the job ends with a message.
 *
 * Chunks that are sent at times of their own (schedules) may leave before the clock of their
 * process, and then come late.
 */

#include "emu.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	STALL_LOOKS = 8,	/* in the time after which a process has stalled */
	YIELDS_MOST = 1000,	/* for a chunk that has not left its sender; then it pauses */
	PAUSE_NS = 50000,
};

static const uint64_t never = UINT64_MAX;

/* ---- Lock -------------------------------------------------------------------- */

static void order_lock(struct bspt_emu *e)
{
	if (pthread_mutex_lock(&e->order->lock) == EOWNERDEAD)
		pthread_mutex_consistent(&e->order->lock);
}

static void order_unlock(struct bspt_emu *e)
{
	pthread_mutex_unlock(&e->order->lock);
}

static struct emu_turn *own_turn(const struct bspt_emu *e)
{
	return &e->order->turns[e->base.me];
}

size_t bspt_emu_order_bytes(int nprocs)
{
	return sizeof(struct emu_order) + (size_t)nprocs * sizeof(struct emu_turn);
}

int bspt_emu_order_prepare(struct emu_order *order, int nprocs)
{
	pthread_mutexattr_t kind;
	int err;

	pthread_mutexattr_init(&kind);
	pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
	err = -pthread_mutex_init(&order->lock, &kind);
	if (err == -ENOTSUP) {
		pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_STALLED);
		err = -pthread_mutex_init(&order->lock, &kind);
	}
	pthread_mutexattr_destroy(&kind);
	for (int p = 0; p < nprocs; p++)
		order->turns[p] = (struct emu_turn){
			.state = EMU_RUNS, .first = never, .needs = never,
		};
	return err;
}

void bspt_emu_order_open(struct bspt_emu *e)
{
	order_lock(e);
	own_turn(e)->pid = getpid();
	order_unlock(e);
}

/* ---- Horizon ----------------------------------------------------------------- */

/* Before this time @t sends nothing of itself. */
static uint64_t sends_from(const struct emu_turn *t)
{
	switch (t->state) {
	case EMU_RUNS:
		return t->clock;
	case EMU_WAITS:
		return t->first == never || t->first > t->clock ? t->first : t->clock;
	case EMU_CLOSED:
		break;
	}
	return never;
}

/* Locked: of all processes but @except the time before which none sends anything of itself. */
static uint64_t least_time(const struct bspt_emu *e, int except)
{
	uint64_t least = never;

	for (int q = 0; q < e->base.nprocs; q++) {
		uint64_t from = q != except ? sends_from(&e->order->turns[q]) : never;

		if (from < least)
			least = from;
	}
	return least;
}

/*
 * Locked: nothing that is still to be sent arrives by this time, or if nothing takes time on this
 * network, before it.
 */
static uint64_t horizon_after(const struct bspt_emu *e, uint64_t least)
{
	uint64_t ahead = e->net.o + e->net.L;

	return least < never ? least + ahead - (ahead > 0) : never;
}

/* Locked: the counting barrier is over but for its replay. */
static bool all_have_entered(const struct bspt_emu *e)
{
	return e->order->entered == e->base.nprocs;
}

/* ---- Sleep ------------------------------------------------------------------- */

static void wake(struct emu_turn *t)
{
	t->needs = never;
	atomic_fetch_add_explicit(&t->wakes, 1, memory_order_relaxed);
	syscall(SYS_futex, &t->wakes, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Behind the name: state, ten numbers, user time, system time. */
static const char stat_format[] = " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu";

/* Read the state of process @pid and its processor time, in ticks, from /proc. */
static char order_look_at(int pid, uint64_t *ticks)
{
	unsigned long long user = 0, system = 0;
	char path[40], text[512], state = '?';
	const char *rest;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	rest = bspt_task_stat(path, text, sizeof(text));
	if (!rest || sscanf(rest, stat_format, &state, &user, &system) != 3)
		state = '?';
	*ticks = user + system;
	return state;
}

/* Locked: the process whose clock others wait for, and which does not sleep here; -1: none. */
static int find_holder(const struct bspt_emu *e)
{
	const struct emu_turn *turns = e->order->turns;
	int holder = -1;

	for (int q = 0; q < e->base.nprocs; q++)
		if (q != e->base.me && turns[q].state == EMU_RUNS && turns[q].needs == never &&
		    (holder < 0 || turns[q].clock < turns[holder].clock))
			holder = q;
	return holder;
}

/* A process that is stopped, runs, or could if a processor were free has not stalled. */
static void look_for_stall(struct bspt_emu *e)
{
	struct emu_stall seen = { .looked_ns = bspt_now_ns() }, *last = &e->stall;
	char state = '?';

	if (!e->stall_ns || seen.looked_ns - last->looked_ns < e->stall_ns / STALL_LOOKS)
		return;
	order_lock(e);
	seen.holder = find_holder(e);
	if (seen.holder >= 0) {
		seen.clock = e->order->turns[seen.holder].clock;
		seen.pid = e->order->turns[seen.holder].pid;
	}
	order_unlock(e);
	if (seen.holder >= 0 && seen.pid)
		state = order_look_at(seen.pid, &seen.ticks);
	if ((state == 'S' || state == 'D') && seen.holder == last->holder &&
	    seen.clock == last->clock && seen.ticks == last->ticks)
		seen.looks = last->looks + 1;
	*last = seen;
	if (seen.looks >= STALL_LOOKS)
		e->stalled(seen.holder);
}

/* Locked, and unlocks: sleep until the horizon is at @needs, or an earlier chunk comes. */
static void sleep_until(struct bspt_emu *e, uint64_t needs)
{
	const uint64_t look_ns = e->stall_ns / STALL_LOOKS;
	const struct timespec limit = {
		.tv_sec = (time_t)(look_ns / 1000000000), .tv_nsec = (long)(look_ns % 1000000000),
	};
	struct emu_turn *mine = own_turn(e);
	uint32_t wakes = atomic_load_explicit(&mine->wakes, memory_order_relaxed);
	bool must_poll = e->inner->unsent;

	if (!must_poll)
		mine->needs = needs;
	order_unlock(e);
	if (must_poll) {
		sched_yield();
		return;
	}
	e->slept++;
	if (syscall(SYS_futex, &mine->wakes, FUTEX_WAIT, wakes, look_ns ? &limit : NULL, NULL,
		    0) < 0 && errno == ETIMEDOUT)
		look_for_stall(e);
}

/* A chunk that was counted has not come: its sender is about to send it, or is to poll for that. */
static void await_sender(struct bspt_emu *e, unsigned int tries)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };

	if (tries < YIELDS_MOST) {
		sched_yield();
		return;
	}
	nanosleep(&pause, NULL);
	look_for_stall(e);
}

/* ---- States ------------------------------------------------------------------ */

/*
 * Locked: show the others @state and @clock, and wake those for which the horizon is far enough
 * now. It is the same for all but the process whose time is the least.
 */
static void order_show(struct bspt_emu *e, enum emu_state state, uint64_t clock)
{
	struct emu_turn *turns = e->order->turns, *mine = own_turn(e);
	uint64_t all;

	e->waits = state == EMU_WAITS;
	mine->clock = clock;
	mine->state = state;
	all = all_have_entered(e) ? never - 1 : horizon_after(e, least_time(e, -1));
	for (int q = 0; q < e->base.nprocs; q++)
		if (turns[q].needs < never &&
		    (turns[q].needs <= all ||
		     turns[q].needs <= horizon_after(e, least_time(e, q))))
			wake(&turns[q]);
}

void bspt_emu_order_run(struct bspt_emu *e)
{
	order_lock(e);
	order_show(e, EMU_RUNS, e->host.clock);
	order_unlock(e);
}

void bspt_emu_order_close(struct bspt_emu *e)
{
	order_lock(e);
	order_show(e, EMU_CLOSED, e->host.clock);
	order_unlock(e);
}

void bspt_emu_order_enter(struct bspt_emu *e)
{
	e->rests = true;
	order_lock(e);
	e->order->entered++;
	own_turn(e)->rests = true;
	order_show(e, EMU_WAITS, e->host.clock);
	order_unlock(e);
}

/*
 * The first process that leaves sets all others to run as well, before any can enter the next
 * barrier: none of them is taken for one that sends nothing.
 */
void bspt_emu_order_leave(struct bspt_emu *e)
{
	struct emu_turn *turns = e->order->turns;

	e->rests = false;
	order_lock(e);
	if (own_turn(e)->rests) {
		e->order->entered = 0;
		for (int q = 0; q < e->base.nprocs; q++) {
			turns[q].rests = false;
			turns[q].state = EMU_RUNS;
			turns[q].clock = e->hosts[q].clock;
		}
	}
	order_show(e, EMU_RUNS, e->host.clock);
	order_unlock(e);
}

/* Before the chunk leaves. */
void bspt_emu_order_sent(struct bspt_emu *e, int peer, uint64_t arrival_ns)
{
	struct emu_turn *to = &e->order->turns[peer];
	uint64_t arrival = arrival_ns * EMU_PS;

	order_lock(e);
	to->sent++;
	if (arrival < to->first)
		to->first = arrival;
	if (arrival < to->needs)
		wake(to);
	order_show(e, EMU_RUNS, e->host.clock);
	order_unlock(e);
}

/* ---- Held chunks --------------------------------------------------------------- */

static uint64_t emu_order_arrival(const struct emu_held *h)
{
	return ((const struct emu_head *)h->chunk - 1)->arrival_ns * EMU_PS;
}

static uint64_t arrival_of_held(const struct bspt_emu *e, int i)
{
	return i < 0 ? never : emu_order_arrival(&e->held[i]);
}

static bool arrives_before(const struct emu_held *a, const struct emu_held *b)
{
	uint64_t x = emu_order_arrival(a), y = emu_order_arrival(b);

	return x < y || (x == y && a->peer < b->peer);
}

/* The number of the first of @e->held; -1: none. Chunks of one process are in their order. */
static int first_held(const struct bspt_emu *e)
{
	int first = -1;

	for (int i = 0; i < e->nheld; i++)
		if (first < 0 || arrives_before(&e->held[i], &e->held[first]))
			first = i;
	return first;
}

static bool order_has_room(struct bspt_emu *e)
{
	struct emu_held *more;

	if (e->nheld < e->held_room)
		return true;
	more = realloc(e->held, 2 * (size_t)e->held_room * sizeof(*more));
	if (!more)
		return false;
	e->held = more;
	e->held_room *= 2;
	return true;
}

static void take_all(struct bspt_emu *e, emu_take_fn *take)
{
	while (order_has_room(e) && take(e, &e->held[e->nheld])) {
		e->nheld++;
		e->taken++;
	}
}

/* Locked: all that was sent to this process has come, so what is held says what arrives first. */
static bool all_came(const struct bspt_emu *e)
{
	return e->taken == own_turn(e)->sent;
}

/* ---- Polls ------------------------------------------------------------------- */

enum poll {
	POLL,		/* the first of those that are held */
	POLL_NOTHING,	/* nothing arrives by the clock, or this process is to wait */
	POLL_LATER,	/* when the horizon is farther */
};

/* Locked: the time at which this process leaves the counting barrier is not known yet. */
static bool is_about_to_leave(const struct bspt_emu *e)
{
	return e->rests && (!own_turn(e)->rests || all_have_entered(e));
}

/*
 * Locked, after all that was sent has come. Where computing takes no time a program that looks
 * again and again would never see more, so one that looks a second time at the same time waits.
 */
static enum poll what_to_poll(struct bspt_emu *e, uint64_t first)
{
	uint64_t until;
	bool again;

	if (is_about_to_leave(e))
		return POLL_NOTHING;
	if ((e->rests && !e->waits) || own_turn(e)->clock != e->host.clock)
		order_show(e, e->rests || e->waits ? EMU_WAITS : EMU_RUNS, e->host.clock);
	until = horizon_after(e, least_time(e, e->base.me));
	if (first < never && first <= until && (e->waits || first <= e->host.clock))
		return POLL;
	if (!e->waits && until < e->host.clock)
		return POLL_LATER;
	again = e->looked == e->host.clock + 1;
	e->looked = e->host.clock + 1;
	if (!e->waits && again)
		order_show(e, EMU_WAITS, e->host.clock);
	return POLL_NOTHING;
}

/* With the chunk that is polled this process runs again. */
bool bspt_emu_order_take(struct bspt_emu *e, struct emu_held *h, emu_take_fn *take)
{
	struct emu_turn *mine = own_turn(e);
	enum poll what;
	int first;

	for (unsigned int tries = 0;; tries++) {
		take_all(e, take);
		first = first_held(e);
		order_lock(e);
		mine->needs = never;
		if (!all_came(e)) {
			order_unlock(e);
			await_sender(e, tries);
			continue;
		}
		what = what_to_poll(e, arrival_of_held(e, first));
		if (what != POLL_LATER)
			break;
		sleep_until(e, e->host.clock);
	}
	if (what == POLL) {
		*h = e->held[first];
		e->nheld--;
		memmove(e->held + first, e->held + first + 1,
			(size_t)(e->nheld - first) * sizeof(*h));
		mine->first = arrival_of_held(e, first_held(e));
		mine->state = EMU_RUNS;
		e->waits = false;
	}
	order_unlock(e);
	return what == POLL;
}

/*
 * The clock of a process that waits for a chunk stands, so only the horizon is to be waited for.
 * False: the inner transport is to wait, for a chunk or the end of a counting barrier.
 */
bool bspt_emu_order_wait(struct bspt_emu *e)
{
	uint64_t first = arrival_of_held(e, first_held(e));

	order_lock(e);
	if (is_about_to_leave(e)) {
		order_unlock(e);
		return false;
	}
	if (!e->waits)
		order_show(e, EMU_WAITS, e->host.clock);
	if (first < never && all_came(e) &&
	    first > horizon_after(e, least_time(e, e->base.me))) {
		sleep_until(e, first);
		return true;
	}
	order_unlock(e);
	return first < never;
}

/* ---- Links that all share ------------------------------------------------------ */

/* Locked: what is still to be sent leaves after @first, or then by a process behind this one. */
static bool is_next_to_leave(const struct bspt_emu *e, uint64_t first)
{
	for (int q = 0; q < e->base.nprocs; q++) {
		uint64_t from = q != e->base.me ? sends_from(&e->order->turns[q]) : never;

		if (from < never && (from + e->net.o < first ||
				     (from + e->net.o == first && q < e->base.me)))
			return false;
	}
	return true;
}

void bspt_emu_order_pass(struct bspt_emu *e, uint64_t first, emu_take_fn *take)
{
	struct emu_turn *mine = own_turn(e);

	for (;;) {
		take_all(e, take);
		order_lock(e);
		mine->needs = never;
		order_show(e, EMU_RUNS, first - e->net.o);
		if (is_next_to_leave(e, first))
			break;
		sleep_until(e, horizon_after(e, mine->clock));
	}
	order_unlock(e);
}
