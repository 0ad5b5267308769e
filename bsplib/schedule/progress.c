// SPDX-License-Identifier: BSD-3-Clause
/* progress.c - BSP_PROGRESS=thread: a thread moves schedules on while the program computes. */

/*
 * The runtime belongs to the holder of the lock: the program's thread from the entry of a call to
 * its end, waits included, and this thread for one work item, in which it takes in what has
 * arrived and moves the runs on. So no call of a transport meets another, and the thread does
 * only what any call might do.
 *
 * Why nothing is seen half done. All that the thread reads or writes (chunks, runs, what is
 * held, areas that puts of earlier supersteps go to) was last touched under the lock, so its
 * release by one thread and its acquisition by the other order the two. Beside the lock there are
 * only
 *
 *	phase, me, nprocs, locked	written before the thread exists, and after it is joined
 *	flying			is false while there is a thread: calls do not look for chunks then
 *	the queue of messages	changed by calls of the program's thread alone: the thread adds to
 *				those that wait for bsp_expect, which is a list of its own
 *	buffers of a run	the program's until goal_start() and again from the end of the
 *				run, which a call reports; both calls hold the lock
 *	@wanted			says only that another thread waits for the lock, so that this
 *				one, which comes back at once, does not acquire it first again
 *				and again; it orders nothing
 *
 * The fast path of puts and gets (drma.c) holds no lock. It is taken for the area named last, and
 * region.c remembers none while there is a thread.
 *
 * When nothing moves the thread sleeps, each time longer: it shares the processor with the
 * program that computes. With nothing under way it sleeps until a call leaves something, and
 * while areas are registered, which bsp_direct_get of another process may read, looks at least
 * every 5 ms. A transport's own wait() would hold the lock meanwhile.
 *
 * A transport with a clock needs no thread: there a schedule takes the time that it takes beside
 * the program.
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
	SLEEP_LEAST = 20000, SLEEP_MOST = 1000000,	/* ns */
	/* the same, for reads of other processes, which no call announces */
	LOOK_MOST = 5000000,
	EXIT_TIMEOUT = 1,			/* s */
};

static struct {
	pthread_t thread;
	/* recursive: a function that a schedule calls may call the library */
	pthread_mutex_t lock;
	pthread_cond_t work;	/* there is some, or the thread is to end */
	_Atomic int wanted;	/* threads that wait for the lock */
	bool asleep, looking, ending;	/* under the lock; looking: it wakes up by itself */
} mover;

/* ---- The lock ------------------------------------------------------------------- */

/* Work that would wait for the next call otherwise. */
static bool is_work_left(void)
{
	for (int i = 0; i < bspi_engine.ncarriers; i++)
		if (bspi_engine.carriers[i]->unsent)
			return true;
	return bspi_runs_under_way();
}

/* Another process may send a bsp_direct_get. */
static bool may_be_read(void)
{
	return bspi.net && bspi_regions.nbases;
}

static void progress_lock(void)
{
	atomic_fetch_add_explicit(&mover.wanted, 1, memory_order_relaxed);
	pthread_mutex_lock(&mover.lock);
	atomic_fetch_sub_explicit(&mover.wanted, 1, memory_order_relaxed);
}

static void progress_unlock(void)
{
	if (mover.asleep && (is_work_left() || (!mover.looking && may_be_read())))
		pthread_cond_signal(&mover.work);
	pthread_mutex_unlock(&mover.lock);
}

/* ---- The thread ------------------------------------------------------------------ */

static uint64_t moves(void)
{
	return bspi.net ? bspi.net->stats.chunks_received + bspi.net->stats.chunks_sent : 0;
}

/* One work item: has anything moved? */
static bool progress_once(void)
{
	uint64_t before = moves();
	bool some;

	bspi.in_turn = true;
	some = bspi.net && bspi_take_in();
	some |= bspi_schedules_progress();
	bspi.in_turn = false;
	return some || moves() != before;
}

static void progress_lengthen(long *ns, long most)
{
	*ns = *ns < most / 2 ? *ns + *ns / 2 : most;
}

static void progress_sleep(long *ns)
{
	struct timespec t = { .tv_nsec = *ns };

	nanosleep(&t, NULL);
	progress_lengthen(ns, SLEEP_MOST);
}

static void sleep_for(long ns)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += ns;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&mover.work, &mover.lock, &until);
}

/* With the lock held. False: the thread is to end. */
static bool wait_for_work(long *ns)
{
	mover.looking = false;
	while (!mover.ending && !is_work_left() && !mover.looking) {
		mover.asleep = true;
		mover.looking = may_be_read();
		if (mover.looking)
			sleep_for(*ns);
		else
			pthread_cond_wait(&mover.work, &mover.lock);
		mover.asleep = false;
	}
	return !mover.ending;
}

static void *progress_run(void *unused)
{
	long ns = SLEEP_LEAST;
	bool go_on;

	(void)unused;
	prctl(PR_SET_TIMERSLACK, 1000ul, 0ul, 0ul, 0ul);
	do {
		bool moved = false;

		pthread_mutex_lock(&mover.lock);
		go_on = wait_for_work(&ns);
		if (go_on)
			moved = progress_once();
		pthread_mutex_unlock(&mover.lock);
		if (moved)
			ns = SLEEP_LEAST;
		else if (mover.looking)
			progress_lengthen(&ns, LOOK_MOST);
		else if (go_on)
			progress_sleep(&ns);
		while (atomic_load_explicit(&mover.wanted, memory_order_relaxed))
			sched_yield();		/* others acquire the lock first */
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

static void progress_make_lock(void)
{
	pthread_mutexattr_t kind;
	pthread_condattr_t clock;

	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&mover.lock, &kind);
	pthread_mutexattr_destroy(&kind);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&mover.work, &clock);
	pthread_condattr_destroy(&clock);
}

/* Signals are the program's. */
static int progress_start(void)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&mover.thread, NULL, progress_run, NULL);
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

void bspi_progress_open(const char *site)
{
	int err;

	if (bspi.clock || strcmp(bspi.env.progress, "thread") != 0)
		return;
	progress_make_lock();
	mover.ending = false;
	bspi_hooks.lock = progress_lock;
	bspi_hooks.unlock = progress_unlock;
	bspi.locked = true;
	err = watch_forks();
	if (!err)
		err = progress_start();
	if (err)
		bspi_fail("bsp_begin", site, "cannot start the thread of BSP_PROGRESS: %s; raise "
			  "the limit (ulimit -u) or set BSP_PROGRESS=calls",
			  strerror(err));
}

void bspi_progress_close(void)
{
	if (!bspi.locked)
		return;
	mover.ending = true;
	pthread_cond_signal(&mover.work);
	pthread_mutex_unlock(&mover.lock);
	pthread_join(mover.thread, NULL);
	bspi.locked = false;
	pthread_cond_destroy(&mover.work);
	pthread_mutex_destroy(&mover.lock);
}

/*
 * The lock is kept, so the thread does nothing while the parts that it uses are closed. Another
 * thread of the program may hold it for ever, in a call that waits: hence the timeout.
 */
void bspi_progress_stop(void)
{
	struct timespec until;

	if (!bspi.locked)
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += EXIT_TIMEOUT;
	pthread_mutex_timedlock(&mover.lock, &until);
}
