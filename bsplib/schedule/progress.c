// SPDX-License-Identifier: BSD-3-Clause
/* progress.c - BSP_PROGRESS=thread: a thread moves schedules on while the program computes. */

/*
 * The runtime belongs to whoever holds the lock: the program's thread from the entry of a call to its
 * end, waits included, and this thread for a turn, in which it takes in what has arrived and moves the flights on.
 * So no call of a transport meets another, and the thread does nothing but what any call might do.
 *
 * Why nothing is seen half done. All that a turn reads or writes (chunks, flights, what is held, areas that puts of
 * earlier supersteps go to) was last touched under the lock, so its release by one thread and its
 * acquisition by the other order the two. Beside the lock there are only
 *
 *	phase, me, nprocs, locked	written before the thread exists and after it has been joined
 *	flying			is false while there is a thread: calls look for nothing themselves
 *	the queue of messages		changed by calls of the program's thread alone: a turn adds to those that
 *					wait for bsp_expect, which is a list of its own
 *	buffers of a flight		the program's until goal_start() and again from the end of the flight, which
 *					it learns by a call; both calls hold the lock
 *	@wanted				says only that somebody waits, so that the thread, which comes back at once, does
 *					not take the lock before him again and again; it orders nothing
 *
 * The short way of puts and gets (drma.c) holds no lock. It is taken for the area named last, and region.c remembers none while
 * there is a thread.
 *
 * When nothing moves the thread naps, each time longer: it shares the processor with the program that computes. With
 * nothing under way it sleeps until a call leaves something, and while areas are registered, which bsp_direct_get of
 * another process may read, looks at least every 5 ms. A transport's own wait() would hold the lock meanwhile.
 *
 * A transport with a clock needs no thread: there a schedule takes the time that it takes beside the program.
 */

#include "bsplib/schedule/progress.h"

#include "bsplib/core/error.h"
#include "bsplib/core/hooks.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"
#include "bsplib/schedule/schedule.h"
#include "bsplib/transfer/region.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

enum {
	NAP_LEAST = 20000, NAP_MOST = 1000000,	/* ns */
	LOOK_MOST = 5000000,	/* the same, for what other processes ask without our knowledge */
	EXIT_PATIENCE = 1,			/* s */
};

static struct {
	pthread_t thread;
	pthread_mutex_t lock;	/* recursive: a function that a schedule calls may call us */
	pthread_cond_t work;	/* there is some, or we are to end */
	_Atomic int wanted;	/* threads that wait for the lock */
	bool asleep, looking, ending;	/* under the lock; looking: it wakes up by itself */
} progress;

/* ---- The lock ------------------------------------------------------------------- */

/* What would wait for the next call otherwise. */
static bool is_work_left(void)
{
	for (int i = 0; i < bspi_engine.ncarriers; i++)
		if (bspi_engine.carriers[i]->unsent)
			return true;
	return bspi_flights_under_way();
}

/* By bsp_direct_get of another process. */
static bool may_be_read(void)
{
	return bspi.net && bspi_regions.nbases;
}

static void lock(void)
{
	atomic_fetch_add_explicit(&progress.wanted, 1, memory_order_relaxed);
	pthread_mutex_lock(&progress.lock);
	atomic_fetch_sub_explicit(&progress.wanted, 1, memory_order_relaxed);
}

static void unlock(void)
{
	if (progress.asleep && (is_work_left() || (!progress.looking && may_be_read())))
		pthread_cond_signal(&progress.work);
	pthread_mutex_unlock(&progress.lock);
}

/* ---- The thread ------------------------------------------------------------------ */

static uint64_t moves(void)
{
	return bspi.net ? bspi.net->stats.chunks_received + bspi.net->stats.chunks_sent : 0;
}

/* Has anything moved? */
static bool take_a_turn(void)
{
	uint64_t before = moves();
	bool some;

	bspi.in_turn = true;
	some = bspi.net && bspi_take_in();
	some |= bspi_schedules_progress();
	bspi.in_turn = false;
	return some || moves() != before;
}

static void grow(long *ns, long most)
{
	*ns = *ns < most / 2 ? *ns + *ns / 2 : most;
}

static void nap(long *ns)
{
	struct timespec t = { .tv_nsec = *ns };

	nanosleep(&t, NULL);
	grow(ns, NAP_MOST);
}

static void let_others_have_it(void)
{
	while (atomic_load_explicit(&progress.wanted, memory_order_relaxed))
		sched_yield();
}

static void sleep_for(long ns)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += ns;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&progress.work, &progress.lock, &until);
}

/* The lock is ours. False: this is the end. */
static bool wait_for_work(long *ns)
{
	progress.looking = false;
	while (!progress.ending && !is_work_left() && !progress.looking) {
		progress.asleep = true;
		progress.looking = may_be_read();
		if (progress.looking)
			sleep_for(*ns);
		else
			pthread_cond_wait(&progress.work, &progress.lock);
		progress.asleep = false;
	}
	return !progress.ending;
}

static void *run(void *unused)
{
	long ns = NAP_LEAST;
	bool go_on;

	(void)unused;
	prctl(PR_SET_TIMERSLACK, 1000ul, 0ul, 0ul, 0ul);
	do {
		bool moved = false;

		pthread_mutex_lock(&progress.lock);
		go_on = wait_for_work(&ns);
		if (go_on)
			moved = take_a_turn();
		pthread_mutex_unlock(&progress.lock);
		if (moved)
			ns = NAP_LEAST;
		else if (progress.looking)
			grow(&ns, LOOK_MOST);
		else if (go_on)
			nap(&ns);
		let_others_have_it();
	} while (go_on);
	return NULL;
}

/* ---- A program that forks: the child has no such thread, and none of the locks --------- */

static void before_fork(void)
{
	bspi_enter();
}

static void in_parent(void)
{
	bspi_leave();
}

static void in_child(void)
{
	bspi.locked = false;
}

/* ---- Begin and end ----------------------------------------------------------------- */

static void make_lock(void)
{
	pthread_mutexattr_t kind;
	pthread_condattr_t clock;

	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&progress.lock, &kind);
	pthread_mutexattr_destroy(&kind);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&progress.work, &clock);
	pthread_condattr_destroy(&clock);
}

/* Signals are the program's. */
static int start_thread(void)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&progress.thread, NULL, run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

static int watch_forks(void)
{
	static bool watched;
	int err = watched ? 0 : pthread_atfork(before_fork, in_parent, in_child);

	watched |= !err;
	return err;
}

void bspi_progress_open(const char *place)
{
	int err;

	if (bspi.clock || strcmp(bspi.env.progress, "thread") != 0)
		return;
	make_lock();
	progress.ending = false;
	bspi_hooks.lock = lock;
	bspi_hooks.unlock = unlock;
	bspi.locked = true;
	err = watch_forks();
	if (!err)
		err = start_thread();
	if (err)
		bspi_fail("bsp_begin", place, "cannot start the thread of BSP_PROGRESS: %s; raise the limit (ulimit -u) or set BSP_PROGRESS=calls",
			  strerror(err));
}

void bspi_progress_close(void)
{
	if (!bspi.locked)
		return;
	progress.ending = true;
	pthread_cond_signal(&progress.work);
	pthread_mutex_unlock(&progress.lock);
	pthread_join(progress.thread, NULL);
	bspi.locked = false;
	pthread_cond_destroy(&progress.work);
	pthread_mutex_destroy(&progress.lock);
}

/*
 * The lock is kept, so the thread stands still while what it uses is taken down. Another thread of the program may
 * have it for ever, in a call that waits; that one is then none the worse.
 */
void bspi_progress_stop(void)
{
	struct timespec until;

	if (!bspi.locked)
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += EXIT_PATIENCE;
	pthread_mutex_timedlock(&progress.lock, &until);
}
