// SPDX-License-Identifier: BSD-3-Clause
/* lifeline_signal.c - signals that end a launched process: if its job hangs, it reports where. */

/*
 * Launchers end jobs by signals to all processes. A handler wakes the lifeline's thread and waits
 * in bounded time until that has listed where the processes of the node are; then the process
 * ends as it would without a handler. So the program does not go on meanwhile, and nothing is
 * done in the handler that a signal handler may not do. The first process of a node that gets a
 * signal makes the list; others wait for it.
 *
 * Order: the handler counts itself in @inside before it looks for @signal_target, and the thread
 * that closes clears @signal_target before it looks at @inside, all sequentially consistent: one
 * of them sees the other, so no handler uses a lifeline that is freed.
 *
 * A signal that is ignored or that the program handles is left to it. A child that the program
 * forks has no lifeline, and ends as it would without the library.
 */

#include "lifeline.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

/*
 * Open MPI's mpirun kills all processes as soon as the first has ended: those of another node may
 * still be at their list, so all live on for a moment after their own.
 */
enum { READ_MS = 200, LIST_MS = 600, HANDLED_MS = 800, LOOK_MS = 5 };

static const int ending[] = { SIGINT, SIGQUIT, SIGTERM };
enum { NENDING = sizeof(ending) / sizeof(ending[0]) };

static struct bspj_lifeline *_Atomic signal_target;
static _Atomic int inside;		/* handlers */

/* ---- The handler --------------------------------------------------------------- */

static void signal_wake_thread(struct bspj_lifeline *l, int signo)
{
	uint64_t one = 1;

	atomic_store(&l->signal_received, signo);
	if (write(l->wakeup, &one, sizeof(one)) < 0)
		return;
	for (int ms = 0; ms < HANDLED_MS && !atomic_load(&l->signal_handled); ms += LOOK_MS)
		poll(NULL, 0, LOOK_MS);
}

/* The signal is blocked in its handler, so what is raised ends the process right after it. */
static void on_ending_signal(int signo)
{
	int before = errno;
	struct bspj_lifeline *l;

	atomic_fetch_add(&inside, 1);
	l = atomic_load(&signal_target);
	if (l)
		signal_wake_thread(l, signo);
	atomic_fetch_sub(&inside, 1);
	signal(signo, SIG_DFL);
	raise(signo);
	errno = before;
}

void bspj_lifeline_take_signals(struct bspj_lifeline *l)
{
	struct sigaction ours = { .sa_handler = on_ending_signal, .sa_flags = SA_RESTART }, is;

	atomic_store(&signal_target, l);
	sigfillset(&ours.sa_mask);
	for (int i = 0; i < NENDING; i++)
		if (sigaction(ending[i], NULL, &is) == 0 && !(is.sa_flags & SA_SIGINFO) &&
		    is.sa_handler == SIG_DFL)
			sigaction(ending[i], &ours, NULL);
}

void bspj_lifeline_leave_signals(void)
{
	struct sigaction is;

	for (int i = 0; i < NENDING; i++)
		if (sigaction(ending[i], NULL, &is) == 0 && is.sa_handler == on_ending_signal)
			signal(ending[i], SIG_DFL);
	atomic_store(&signal_target, NULL);
	while (atomic_load(&inside))
		sched_yield();
}

void bspj_lifeline_forget_signals(void)
{
	atomic_store(&signal_target, NULL);
	atomic_store(&inside, 0);
}

/* ---- The thread ---------------------------------------------------------------- */

/* The first of the node looks once a second; what it saw last is in the table. */
static bool sees_hang(struct bspj_watchdog *w, const struct bspj_status_table *table)
{
	w->progress = atomic_load(&table->progress);
	w->ran_ns = atomic_load(&table->still_ns);
	w->progress_ns = 0;
	w->looked_ns = atomic_load(&table->looked_ns);
	return w->looked_ns && bspj_watchdog_sees_hang(w);
}

static void wait_for_list(const struct bspj_status_table *table)
{
	for (int ms = 0; ms < LIST_MS && atomic_load(&table->listing) != BSPJ_LISTED; ms += LOOK_MS)
		poll(NULL, 0, LOOK_MS);
}

/* Unless an error is the reason of the signal: that is reported, and needs no second message. */
static void list_processes(const struct bspj_lifeline *l, const struct bspj_watchdog *w, int signo,
			   bspj_lifeline_reported_fn *is_reported)
{
	char where[BSPJ_LIFELINE_WHERE];

	if (is_reported(l) || !bspj_lifeline_claim_report(l, l->job->me))
		return;
	bspj_watchdog_report_hang(w, signo, bspj_lifeline_where(l, where));
	poll(NULL, 0, READ_MS);
}

void bspj_lifeline_handle_signal(struct bspj_lifeline *l, bspj_lifeline_reported_fn *is_reported)
{
	struct bspj_status_table *table = l->job->table;
	struct bspj_watchdog w = l->watchdog;
	int signo = atomic_load(&l->signal_received), first = BSPJ_NOT_LISTED;

	if (!signo || atomic_load(&l->signal_handled))
		return;
	if (sees_hang(&w, table)) {
		if (!atomic_compare_exchange_strong(&table->listing, &first, BSPJ_IS_LISTED)) {
			wait_for_list(table);
		} else {
			list_processes(l, &w, signo, is_reported);
			atomic_store(&table->listing, BSPJ_LISTED);
		}
	}
	atomic_store(&l->signal_handled, true);
}
