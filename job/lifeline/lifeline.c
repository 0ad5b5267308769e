// SPDX-License-Identifier: BSD-3-Clause
/* lifeline.c - launched processes watch each other: one that loses another ends. */

/*
 * One thread in each process sleeps in poll() on its connections, which are a tree (lifeline.h).
 * A process that dies is noticed because its kernel closes them; a host that is cut off, or down,
 * because the kernels at both ends send keepalive probes (lifeline_connect.c). So no process has
 * to wake up while all is well, but the first of each node, once a second, to see whether there is
 * progress (for the watchdog, for a warning, and for the list of a job that hangs and that a
 * signal ends: lifeline_signal.c).
 *
 * Messages on a line, a byte each:
 *   SHUTDOWN	the sender leaves: its end is no failure
 *   FAULT	an error has been reported: end without a message
 *   MOVED	to process 0: a node makes progress
 *   STUCK	from process 0, or its delegate: no node does; report where your processes are
 *   WARN	from process 0: the same, but the job goes on
 *   REPORTED	to the sender of STUCK: reported
 *   ASK	from process 0: do all processes below wait? The answer: lifeline_deadlock.c
 *   DEADLOCK	from process 0: all wait for ever; report as for STUCK
 * Each process sends FAULT to all its neighbours before it ends, and the first process of a node
 * passes on what is for process 0, or from it, at once. So a message is on its way for at most two
 * times the depth of the tree, and each process sends and receives a bounded number.
 *
 * The watchdog is in process 0, and in a delegate, as a signal may stop process 0: process 0
 * forwards to it that there is progress, and the delegate waits longer.
 *
 * When a line breaks, the process that has to report it waits a moment, in which the launcher,
 * which often knows more, can end the job, and in which a FAULT may arrive that explains it. Then
 * there is one message:
 *   - of a child by its parent,
 *   - of process 0 by its delegate, the first of its children that is on another host, or else its
 *     first child; the others are notified, or end by themselves a little later,
 *   - of the host of process 0, if those children are on it, by the first process elsewhere, which
 *     loses its parent with it,
 *   - of another parent by the parent of that.
 * Then FAULT is sent to all, the launcher is notified, and in bounded time this process ends,
 * also if the launcher does not answer.
 *
 * Shared by threads: struct bspj_lifeline is built before the thread begins and freed after it is
 * joined. Between, the program's threads use only members that never change: the descriptors, on
 * which they may send a FAULT, and which are closed after the join. The table is atomic. A child
 * that the program forks closes its copies, for else our death would go unnoticed while it lives.
 */

#include "lifeline.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SHUTDOWN = 'b', FAULT = 'f', MOVED = 'm', STUCK = 's', WARN = 'w', REPORTED = 'h',
       DEADLOCK = 'd' };

enum {
	GRACE_MS = 300,			/* for reports of the launcher */
	PEER_REPORT_MS = 1500,		/* and for reports of other processes */
	STACK_BYTES = 256 << 10,
	PROCESSES_TEXT = 80,
	LOOK_MS = 50,
	/* and half of the watchdog's time: process 0 speaks first if it can */
	DELEGATE_S = 1,
};

/* ---- The tree ---------------------------------------------------------------- */

static int lifeline_first_of(const struct bspj_job *job, int node)
{
	int first = 0;

	while (job->wire->node[first] != node)
		first++;
	return first;
}

static struct bspj_tree_place lifeline_place(const struct bspj_job *job, int node)
{
	return bspj_tree_place(job->wire->nnodes, BSPJ_TREE_ARITY, node);
}

static int lifeline_parent(const struct bspj_job *job)
{
	int node = job->wire->node[job->me], first = lifeline_first_of(job, node);

	if (job->me != first)
		return first;
	return node == 0 ? -1 : lifeline_first_of(job, lifeline_place(job, node).parent);
}

/* The children of this process, in @lines if that is not NULL. Returns how many. */
static int lifeline_list_children(const struct bspj_job *job, struct bspj_line *lines)
{
	const int *node = job->wire->node;
	int me = job->me, n = 0, seen = 0;

	if (lifeline_first_of(job, node[me]) != me)
		return 0;
	for (int p = 0; p < job->nprocs; p++) {
		/* nodes have numbers in the order of their first processes */
		bool is_first = node[p] == seen;

		seen += is_first;
		if (p == me || (node[p] != node[me] &&
				!(is_first && lifeline_place(job, node[p]).parent == node[me])))
			continue;
		if (lines)
			lines[n] = (struct bspj_line){ .fd = -1, .peer = p };
		n++;
	}
	return n;
}

static bool is_neighbour(const struct bspj_lifeline *l, int p)
{
	return l->job->wire->node[p] == l->job->wire->node[l->job->me];
}

/* ---- Sending --------------------------------------------------------------------- */

static void lifeline_send(const struct bspj_line *line, char byte)
{
	if (send(line->fd, &byte, 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return;			/* a closed peer needs no message */
}

/* To all neighbours but that of @from; NULL: to all. */
static void lifeline_pass_on(const struct bspj_lifeline *l, const struct bspj_line *from, char byte)
{
	for (int i = 0; i < l->nlines; i++)
		if (&l->lines[i] != from)
			lifeline_send(&l->lines[i], byte);
}

void bspj_lifeline_send_fault(const struct bspj_job *job)
{
	if (job->lifeline)
		lifeline_pass_on(job->lifeline, NULL, FAULT);
}

/* "2-5", or "2, 4, 6": the processes of the node of @p. How many they are. */
static int list_node(const struct bspj_job *job, int p, char *text, size_t len)
{
	const int *node = job->wire->node;
	size_t at = 0;
	int n = 0;

	for (int q = 0; q < job->nprocs && at < len; q++) {
		int last = q;

		if (node[q] != node[p])
			continue;
		while (last + 1 < job->nprocs && node[last + 1] == node[p])
			last++;
		at += snprintf(text + at, len - at, "%s%d", n ? ", " : "", q);
		if (last > q && at < len)
			at += snprintf(text + at, len - at, "-%d", last);
		n += 1 + last - q;
		q = last;
	}
	if (at >= len)
		snprintf(text, len, "%d of them", n);
	return n;
}

static void report_silence(const struct bspj_lifeline *l, int p)
{
	char list[PROCESSES_TEXT];
	int n = list_node(l->job, p, list, sizeof(list));

	dprintf(STDERR_FILENO,
		"bsp: process %d on %s has lost %s (%s %s): no sign of life for %s s; is the link "
		"up, is that host alive?\n",
		l->job->me, bspj_lifeline_host(l->job, l->job->me), bspj_lifeline_host(l->job, p),
		n > 1 ? "processes" : "process", list,
		bspj_seconds(l->silence_s).text);
}

/* ---- Ending ----------------------------------------------------------------------- */

static void lifeline_wait_ms(int ms)
{
	poll(NULL, 0, ms);
}

static bool is_reported(const struct bspj_lifeline *l)
{
	return atomic_load(&l->job->table->failed_rank) != 0;
}

/* Other notified processes do the same; the launcher, which one of them notifies, may be faster. */
static _Noreturn void end_as_reported(const struct bspj_lifeline *l)
{
	bspj_report_unsaid(l->job->table);
	lifeline_pass_on(l, NULL, FAULT);
	lifeline_wait_ms(PEER_REPORT_MS);
	_exit(EXIT_FAILURE);
}

static _Noreturn void end_all(const struct bspj_lifeline *l)
{
	lifeline_pass_on(l, NULL, FAULT);
	if (bspj_has_launcher(l->job))
		bspj_launcher_abort(l->job, EXIT_FAILURE);
	_exit(EXIT_FAILURE);
}

/* Is there a FAULT among what has come? */
bool bspj_lifeline_has_fault(const struct bspj_lifeline *l)
{
	char bytes[256];

	for (int i = 0; i < l->nlines; i++) {
		ssize_t n = recv(l->lines[i].fd, bytes, sizeof(bytes), MSG_DONTWAIT);

		if (n > 0 && memchr(bytes, FAULT, n))
			return true;
	}
	return false;
}

/* The process that reports the loss of process 0, among those that lose it. */
static int delegate_of_0(const struct bspj_job *job)
{
	for (int node = 1; node < job->wire->nnodes; node = lifeline_place(job, node).end) {
		int first = lifeline_first_of(job, node);

		if (!bspj_lifeline_near(job, 0, first))
			return first;
	}
	return 1;			/* a child of process 0, or the first of the next node */
}

/* The first process on another host than process 0; how many there are: none is. */
static int lifeline_first_elsewhere(const struct bspj_job *job)
{
	int p = 0;

	while (p < job->nprocs && bspj_lifeline_near(job, 0, p))
		p++;
	return p;
}

/*
 * Is this process the one that reports the loss of @lost, its parent or a child? A parent that is
 * silent may be lost with its host. The first process elsewhere has its parent on that of process
 * 0, as parents have smaller numbers.
 */
static bool lifeline_is_reporter(const struct bspj_job *job, int lost, bool silent)
{
	if (lost != lifeline_parent(job))
		return true;
	if (lost == 0)
		return job->me == delegate_of_0(job);
	return silent && bspj_lifeline_near(job, 0, delegate_of_0(job)) &&
	       job->me == lifeline_first_elsewhere(job);
}

/*
 * Another process reports the loss of @lost: is it of this node? If not, no process of this node
 * has anything left to report: not this loss, nor connections that break as others end.
 */
static bool lifeline_is_near_reporter(const struct bspj_job *job, int lost)
{
	const int *node = job->wire->node;

	return lost == 0 && node[delegate_of_0(job)] == node[job->me];
}

static _Noreturn void lifeline_lost_peer(const struct bspj_lifeline *l, int lost, int err)
{
	bool silent = err != 0 && err != ECONNRESET && err != EPIPE;
	const char *host = bspj_lifeline_host(l->job, lost);

	lifeline_wait_ms(GRACE_MS);
	if (is_reported(l) || bspj_lifeline_has_fault(l)) {
		bspj_lifeline_claim_report(l, lost);
		end_as_reported(l);
	}
	if (!lifeline_is_reporter(l->job, lost, silent)) {
		lifeline_wait_ms(PEER_REPORT_MS);
		if (!lifeline_is_near_reporter(l->job, lost))
			bspj_lifeline_claim_report(l, lost);
		end_all(l);
	}
	if (!bspj_lifeline_claim_report(l, lost))
		end_as_reported(l);
	if (silent)
		report_silence(l, lost);
	else if (is_neighbour(l, lost))
		bspj_watchdog_report(&l->watchdog, lost, "process %d on %s has died", lost, host);
	else
		dprintf(STDERR_FILENO, "bsp: process %d on %s has died\n", lost, host);
	end_all(l);
}

/* ---- Watchdog ---------------------------------------------------------------------- */

static void lifeline_report_positions(const struct bspj_lifeline *l)
{
	char where[BSPJ_LIFELINE_WHERE], why[64];

	snprintf(why, sizeof(why), "no progress for %s s", bspj_seconds(l->watchdog_s).text);
	bspj_watchdog_report_all(&l->watchdog, why, bspj_lifeline_where(l, where),
				 " (BSP_WATCHDOG)");
}

static void lifeline_report_deadlock(const struct bspj_lifeline *l)
{
	char where[BSPJ_LIFELINE_WHERE];

	bspj_deadlock_report(&l->watchdog, bspj_lifeline_where(l, where));
}

static void lifeline_warn(struct bspj_lifeline *l)
{
	char where[BSPJ_LIFELINE_WHERE];

	bspj_watchdog_warn(&l->watchdog, bspj_lifeline_where(l, where));
}

/*
 * A whole process is stopped, with the thread that would answer. Processes of our node are
 * in the report already. The neighbour of @from is not waited for.
 */
static void report_silent_hosts(const struct bspj_lifeline *l, const struct bspj_line *from)
{
	for (int i = 0; i < l->nlines; i++) {
		struct bspj_line *line = &l->lines[i];
		const char *host = bspj_lifeline_host(l->job, line->peer);
		char bytes[256];
		ssize_t n;

		if (line == from || line->over || is_neighbour(l, line->peer))
			continue;
		/* A FAULT of one that ends the job as well is no report. */
		n = recv(line->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
		line->answered |= n > 0 && memchr(bytes, REPORTED, n);
		if (!line->answered)
			bspj_say("bsp:   silent, perhaps stopped by a signal or a debugger "
				 "(process %d on %s)\n",
				 line->peer, host);
	}
}

/*
 * The processes of this node are where they are, and the nodes below are to report it, too. A
 * node waits for those directly below it, and for longer if these have to wait themselves. @byte:
 * STUCK or DEADLOCK, and @from is the line that it came by; NULL: none.
 */
static void report_stuck_below(const struct bspj_lifeline *l, const struct bspj_line *from,
			       char byte)
{
	lifeline_pass_on(l, from, byte);
	if (byte == DEADLOCK)
		lifeline_report_deadlock(l);
	else
		lifeline_report_positions(l);
	if (from)
		lifeline_send(from, REPORTED);
	if (from && !l->levels)
		return;
	lifeline_wait_ms(GRACE_MS * (l->levels > 1 ? l->levels : 1));
	report_silent_hosts(l, from);
}

/* Process 0 finds it, or its delegate. */
static _Noreturn void end_stuck(const struct bspj_lifeline *l, char byte)
{
	if (!bspj_lifeline_claim_report(l, l->job->me))
		end_as_reported(l);
	report_stuck_below(l, NULL, byte);
	end_all(l);
}

/* The same from above. This process ends if it has read, and lost, bytes that came meanwhile. */
static void on_stuck(const struct bspj_lifeline *l, const struct bspj_line *from, char byte)
{
	bool reports = byte == STUCK ? l->watching : l->looking;

	if (!reports || !bspj_lifeline_claim_report(l, l->job->me))
		return;
	report_stuck_below(l, from, byte);
	if (l->levels)
		end_as_reported(l);
}

static struct bspj_line *line_to(const struct bspj_lifeline *l, int p)
{
	for (int i = 0; i < l->nlines; i++)
		if (l->lines[i].peer == p)
			return &l->lines[i];
	return NULL;
}

static void lifeline_check_progress(struct bspj_lifeline *l)
{
	struct bspj_status_table *table = l->job->table;
	const struct bspj_watchdog *w = &l->watchdog;
	const struct bspj_line *delegate;

	if (bspj_watchdog_moved(&l->watchdog)) {
		if (l->parent >= 0 && !is_neighbour(l, l->parent))
			lifeline_send(&l->lines[0], MOVED);
	} else if (l->job->me == 0 && l->warn_s > 0 && !is_reported(l) &&
		   bspj_lifeline_sees_deadlock(l)) {
		end_stuck(l, DEADLOCK);
	} else if (l->watching && (l->job->me == 0 || l->is_delegate) &&
		   bspj_watchdog_has_expired(&l->watchdog) && !is_reported(l)) {
		end_stuck(l, STUCK);
	} else if (l->job->me == 0 && bspj_watchdog_must_warn(&l->watchdog, l->warn_s) &&
		   !is_reported(l)) {
		lifeline_pass_on(l, NULL, WARN);
		lifeline_warn(l);
	}
	/* For the processes of this node that are about to end. */
	atomic_store(&table->progress, w->progress);
	atomic_store(&table->still_ns, w->ran_ns - w->progress_ns);
	atomic_store(&table->looked_ns, w->looked_ns);
	/* There has been progress on our node, or on others. */
	delegate = l->watching && l->job->me == 0 ? line_to(l, delegate_of_0(l->job)) : NULL;
	if (!delegate || delegate->over || l->reported_ns == l->watchdog.progress_ns)
		return;
	l->reported_ns = l->watchdog.progress_ns;
	lifeline_send(delegate, MOVED);
}

/* Where the texts of places of other processes of this node stand here. */
static int64_t *shifts_of(const struct bspj_job *job)
{
	const struct bspj_members *m = job->members;
	const int *node = job->wire->node;
	unsigned int n = job->nprocs;
	int64_t *shift = calloc(n, sizeof(*shift));

	for (int p = 0; shift && p < job->nprocs; p++)
		if (node[p] == node[job->me])
			shift[p] = (int64_t)(bspj_member_of(m, job->me)->base -
					     bspj_member_of(m, p)->base);
	return shift;
}

static int lifeline_pid_of(const void *of, int p)
{
	return bspj_member_of(of, p)->pid;
}

/* ---- The thread --------------------------------------------------------------------- */

static void handle_message(struct bspj_lifeline *l, struct bspj_line *line, char byte)
{
	switch (byte) {
	case SHUTDOWN:
		line->over = true;
		break;
	case FAULT:
		bspj_lifeline_claim_report(l, line->peer);
		end_as_reported(l);
	case MOVED:
		if (l->parent >= 0 && line->peer != l->parent)
			lifeline_send(&l->lines[0], MOVED);
		else
			bspj_watchdog_note_progress(&l->watchdog);
		break;
	case WARN:
		lifeline_pass_on(l, line, WARN);
		if (l->looking && !is_neighbour(l, 0))
			lifeline_warn(l);
		break;
	case BSPJ_LIFELINE_ASK:
		if (line->peer == l->parent)
			bspj_lifeline_answer_ask(l);
		break;
	case DEADLOCK:
	case STUCK:
		on_stuck(l, line, byte);
		break;
	}
}

/* Handle received bytes; without a SHUTDOWN the peer is lost at the end of the stream. */
static void lifeline_receive(struct bspj_lifeline *l, struct bspj_line *line)
{
	char bytes[64];
	ssize_t n;

	while ((n = recv(line->fd, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0)
		for (ssize_t i = 0; i < n; i++)
			if (!bspj_lifeline_takes_digit(line, bytes[i]))
				handle_message(l, line, bytes[i]);
	bspj_lifeline_pass_on_answers(l);
	if (line->over || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return;
	lifeline_lost_peer(l, line->peer, n < 0 ? errno : 0);
}

/*
 * With a watchdog the first process of a node, and process 0, leave after those that they watch:
 * no other process would report one that is stopped at its end. The delegate watches process 0.
 */
static bool is_needed(const struct bspj_lifeline *l)
{
	for (int i = 0; i < l->nlines && l->watching; i++)
		if (!l->lines[i].over && (l->lines[i].peer == l->parent ? l->is_delegate : true))
			return true;
	return false;
}

/* The processes below have left: process 0 need not wait for its delegate, which waits for it. */
static void shut_down_early(struct bspj_lifeline *l)
{
	if (!l->is_delegate || l->shutdown_sent)
		return;
	for (int i = 0; i < l->nlines; i++)
		if (l->lines[i].peer != l->parent && !l->lines[i].over)
			return;
	l->shutdown_sent = true;
	lifeline_send(&l->lines[0], SHUTDOWN);
}

/* May this process leave now? The last message that has come may be the one that it waited for. */
static bool lifeline_may_leave(struct bspj_lifeline *l)
{
	if (!l->watchdog.is_leaving)
		return false;
	if (!is_needed(l))
		return true;
	shut_down_early(l);
	return false;
}

static void on_wakeup(struct bspj_lifeline *l)
{
	uint64_t wakeups;

	if (read(l->wakeup, &wakeups, sizeof(wakeups)) < 0)
		return;
	if (atomic_load(&l->closing))
		l->watchdog.is_leaving = true;
	bspj_lifeline_handle_signal(l, bspj_lifeline_has_fault);
}

/*
 * Sleep until there is something on @fds. The kernel polls no more descriptors than the process
 * may open now, though it has opened them before: a program that has lowered RLIMIT_NOFILE
 * makes us look at each every now and then.
 */
static void sleep_on(const struct bspj_lifeline *l, struct pollfd *fds)
{
	if (poll(fds, l->nlines + 1, l->looking ? l->watchdog.look_ms : -1) >= 0 ||
	    errno != EINVAL)
		return;
	lifeline_wait_ms(LOOK_MS);
	for (int i = 0; i < l->nlines; i++)
		fds[i].revents = fds[i].fd < 0 ? 0 : POLLIN;
	fds[l->nlines].revents = POLLIN;
}

struct sleeper {
	struct bspj_lifeline *l;
	struct pollfd *fds;
};

static void *lifeline_run(void *arg)
{
	struct bspj_lifeline *l = ((struct sleeper *)arg)->l;
	struct pollfd *fds = ((struct sleeper *)arg)->fds;

	free(arg);
	do {
		for (int i = 0; i < l->nlines; i++)
			fds[i] = (struct pollfd){ .fd = l->lines[i].over ? -1 : l->lines[i].fd,
						  .events = POLLIN };
		fds[l->nlines] = (struct pollfd){ .fd = l->wakeup, .events = POLLIN };
		sleep_on(l, fds);
		if (fds[l->nlines].revents)
			on_wakeup(l);
		if (lifeline_may_leave(l))
			break;
		for (int i = 0; i < l->nlines; i++)
			if (fds[i].revents)
				lifeline_receive(l, &l->lines[i]);
		if (l->looking)
			lifeline_check_progress(l);
	} while (!lifeline_may_leave(l));
	lifeline_pass_on(l, NULL, SHUTDOWN);
	for (int i = 0; i < l->nlines; i++)
		shutdown(l->lines[i].fd, SHUT_WR);
	/* Unread bytes would make the kernel reset the connection, and drop the SHUTDOWN. */
	bspj_lifeline_has_fault(l);
	free(fds);
	return NULL;
}

/* ---- Children of the program ----------------------------------------------------------- */

/* The lifeline of this process; written before there is a thread and after it has ended. */
static struct bspj_lifeline *_Atomic open_lifeline;

static void close_lines(const struct bspj_lifeline *l)
{
	for (int i = 0; i < l->nlines; i++)
		if (l->lines[i].fd >= 0)
			close(l->lines[i].fd);
}

static void close_in_child(void)
{
	const struct bspj_lifeline *l = atomic_load(&open_lifeline);

	if (!l)
		return;
	bspj_lifeline_forget_signals();
	close_lines(l);
	close(l->wakeup);
	atomic_store(&open_lifeline, NULL);
}

/* ---- Opening and closing ------------------------------------------------------------------ */

/* The stack of the thread is small, unless libraries need much of it: then it is the usual one. */
static int lifeline_create_thread(struct bspj_lifeline *l)
{
	struct sleeper *sleeper = calloc(1, sizeof(*sleeper));
	struct pollfd *fds = calloc(l->nlines + 1, sizeof(*fds));
	pthread_attr_t attr;
	sigset_t all, before;
	int err = ENOMEM;

	if (sleeper && fds) {
		*sleeper = (struct sleeper){ l, fds };
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		pthread_attr_init(&attr);
		pthread_attr_setstacksize(&attr, STACK_BYTES);
		err = pthread_create(&l->thread, &attr, lifeline_run, sleeper);
		if (err == EINVAL)
			err = pthread_create(&l->thread, NULL, lifeline_run, sleeper);
		pthread_attr_destroy(&attr);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	if (err) {
		free(fds);
		free(sleeper);
	}
	return err;
}

static void lifeline_destroy(struct bspj_lifeline *l)
{
	if (l->wakeup >= 0)
		close(l->wakeup);
	free(l->lines);
	free(l->shift);
	free(l);
}

static void lifeline_set_place(struct bspj_lifeline *l, int node)
{
	bool is_first = lifeline_first_of(l->job, node) == l->job->me;

	l->depth = bspj_tree_depth(l->job->wire->nnodes, BSPJ_TREE_ARITY, node) + !is_first;
	l->levels = !is_first ? 0 :
		    bspj_tree_height(lifeline_place(l->job, node).end - node, BSPJ_TREE_ARITY);
}

/* The lines are to the parent of this process first, then to its children. */
static struct bspj_lifeline *lifeline_create(const struct bspj_job *job)
{
	struct bspj_lifeline *l = calloc(1, sizeof(*l));
	int n;

	if (!l)
		return NULL;
	l->job = job;
	l->parent = lifeline_parent(job);
	l->wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	l->shift = shifts_of(job);
	n = (l->parent >= 0) + lifeline_list_children(job, NULL);
	l->lines = calloc(n + 1, sizeof(*l->lines));
	if (l->wakeup < 0 || !l->shift || !l->lines) {
		lifeline_destroy(l);
		return NULL;
	}
	if (l->parent >= 0)
		l->lines[l->nlines++] = (struct bspj_line){ .fd = -1, .peer = l->parent };
	l->nlines += lifeline_list_children(job, &l->lines[l->nlines]);
	lifeline_set_place(l, job->wire->node[job->me]);
	return l;
}

/* Decide which of the watches are this process's, and for how long they wait. */
static void lifeline_set_watches(struct bspj_lifeline *l, const struct bspj_start *how)
{
	const struct bspj_job *job = l->job;

	l->silence_s = how->lifeline_s;
	l->watchdog_s = how->watchdog_s;
	l->watchdog = (struct bspj_watchdog){
		.words = how->words,
		.table = job->table,
		.nprocs = job->nprocs,
		.node = job->wire->node,
		.here = job->wire->node[job->wire->me],
		.pid = lifeline_pid_of,
		.pid_of = job->members,
		.shift = l->shift,
		.timeout_s = how->watchdog_s,
	};
	l->warn_s = how->warn_s;
	l->is_delegate = how->watchdog_s > 0 && job->nprocs > 1 && job->me == delegate_of_0(job);
	l->looking = lifeline_first_of(job, job->wire->node[job->me]) == job->me || l->is_delegate;
	l->watching = how->watchdog_s > 0 && l->looking;
	if (l->is_delegate)
		l->watchdog.timeout_s += how->watchdog_s / 2 + DELEGATE_S;
	l->watchdog.look_ms = bspj_watchdog_look_ms(l->watchdog.timeout_s, l->warn_s);
}

static int lifeline_begin(struct bspj_lifeline *l, char *why, size_t len)
{
	static bool atfork_registered;
	int err;

	atomic_store(&open_lifeline, l);
	if (!atfork_registered && pthread_atfork(NULL, NULL, close_in_child) == 0)
		atfork_registered = true;
	err = lifeline_create_thread(l);
	if (err) {
		snprintf(why, len,
			 "no thread for the lifeline (%s); raise the limit (ulimit -u, ulimit -v), "
			 "or do without it (BSP_WAIT=lifeline:0)",
			 strerror(err));
		atomic_store(&open_lifeline, NULL);
		close_lines(l);
	}
	return -err;
}

int bspj_lifeline_open(struct bspj_job *job, const struct bspj_start *how, char *why, size_t len)
{
	struct bspj_lifeline *l;
	int err;

	if (job->nprocs == 1 && how->watchdog_s <= 0)
		return 0;
	l = lifeline_create(job);
	if (!l) {
		snprintf(why, len,
			 "out of memory or files for the lifeline of %d processes; raise the "
			 "limits (ulimit -n, ulimit -v)",
			 job->nprocs);
		return -ENOMEM;
	}
	lifeline_set_watches(l, how);
	l->networks = how->networks;
	l->ports = bspt_ports_read(how->ports);
	err = bspj_lifeline_connect(l, why, len);
	if (!err)
		err = lifeline_begin(l, why, len);
	if (err) {
		lifeline_destroy(l);
		return err;
	}
	job->lifeline = l;
	bspj_lifeline_take_signals(l);
	return 0;
}

/* If the thread has just lost a peer, it ends this process. */
void bspj_lifeline_close(struct bspj_job *job)
{
	struct bspj_lifeline *l = job->lifeline;
	uint64_t one = 1;

	if (!l)
		return;
	atomic_store(&l->closing, true);
	if (write(l->wakeup, &one, sizeof(one)) < 0) {
		/* The launcher has lost its own, too: it could not be left. */
		if (bspj_lifeline_claim_report(l, job->me))
			bspj_report(job->table,
				    "bsp: process %d on %s has closed descriptors that it did not "
				    "open; close only those of the program\n",
				    job->me, bspj_lifeline_host(job, job->me));
		end_all(l);
	}
	pthread_join(l->thread, NULL);
	bspj_lifeline_leave_signals();
	atomic_store(&open_lifeline, NULL);
	job->lifeline = NULL;
	close_lines(l);
	lifeline_destroy(l);
}
