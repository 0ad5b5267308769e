// SPDX-License-Identifier: BSD-3-Clause
/* supervise.c - watch over the processes of a job: deaths, signals, progress. */

/*
 * One loop around poll(): signals come through a signalfd, tagged output through pipes and out as
 * its readers take it, the watchdog by the timeout. A job goes through three stages: all is well;
 * it is ending (a process died or reported an error, the rest is being killed); all processes have
 * ended. A process that has claimed the right to report an error (table->failed_rank) is given a
 * second to do so before it is killed.
 *
 * If the processes are a part of a job (discover.h) there are other supervisors besides: the one
 * that ends the job notifies them, the hub's watchdog covers all, and none ends well before all
 * have. Supervisors of simulated nodes are children of the hub, which forwards signals to them and
 * ends last.
 *
 * Process 0 may begin another SPMD part (again.c): then the children become those of the new
 * part, and the remaining children of the old one, which has ended well so far, are old
 * children: waited for, and reported if one fails after all.
 */

#include "job/internal.h"

#include "job/discover/discover.h"
#include "transport/hostname.h"
#include "transport/transport.h"

#include "start.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * A process that has been forked runs only the libraries of its transport until the program
 * computes there. One that has not come so far after this time, and as much more for each process
 * of the job, never will.
 */
enum { GRACE_MS = 1000, START_MS = 120000, START_EACH_MS = 1000 };

enum { SUPERVISORS_MS = 30000 };	/* of other nodes, when the job has failed */

enum { SIGNALLED = 128 };	/* and the signal: a status, as shells have it */

/* A process of an SPMD part that is over. */
struct old_child {
	struct old_child *next;
	pid_t pid;
	int held;
	int process;
	struct bspj_status_table *table;
	int nprocs;			/* of the table */
};

struct watch {
	struct bspj_children *children;
	struct old_child *old;
	int old_status;		/* the first that was not 0 of those */
	/* of which process 0 speaks; without a table: of none */
	struct bspj_children next;
	struct pollfd *fds;
	struct bspj_parts *parts;	/* the others, or NULL */
	int left;			/* processes that have not ended */
	bool ending;
	int status;			/* to end with, once ending */
	int asked;			/* last signal that we were sent to hand on; 0: none */
	bool obeyed;			/* it has ended a process */
	int64_t kill_failed_at;	/* ms; 0: not set */
	int64_t start_until;		/* ms of looks: all have begun by then; 0: they have */
	struct bspj_watchdog watchdog;
	struct bspj_deadlock deadlock;
	sigset_t wanted;		/* signals we take, blocked */
	/* signalfd that wakes us for them; -1: we look every now and then */
	int signals;
	struct bspj_output *output;	/* tagged, or NULL */
};

static int64_t supervise_now_ms(void)
{
	return bspt_now_ns() / 1000000;
}

/* ---- Ending -------------------------------------------------------------- */

static void signal_all(const struct watch *w, int signo, int except)
{
	for (int p = 0; p < w->children->nprocs; p++)
		if (w->children->child[p].pid && w->children->first + p != except)
			kill(w->children->child[p].pid, signo);
	for (const struct old_child *old = w->old; old; old = old->next)
		kill(old->pid, signo);
}

static void begin_ending(struct watch *w, int status)
{
	int failed_rank = atomic_load(&w->children->table->failed_rank) - 1;

	if (w->ending)
		return;
	w->ending = true;
	w->status = status;
	w->kill_failed_at = supervise_now_ms() + GRACE_MS;
	signal_all(w, SIGKILL, failed_rank);
}

static bool has_failed_first(const struct bspj_status_table *table, int p)
{
	return atomic_load(&table->failed_rank) == p + 1;
}

/* Has the reader of our output closed it, as that of "bsprun ./prog | head" does? */
static bool is_unread(int fd)
{
	struct pollfd output = { .fd = fd, .events = POLLOUT };

	return poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP));
}

/*
 * Process @p of those of @watchdog died before the end of its part, by a signal, or with an error
 * that it reported.
 */
static void end_by_failure(struct watch *w, const struct bspj_watchdog *watchdog, int p, int status)
{
	bool silent = w->ending || atomic_load(&watchdog->table->failed_rank) ||
		      (w->parts && !bspj_parts_claim_fault(w->parts, p));

	bspj_report_unsaid((struct bspj_status_table *)(uintptr_t)watchdog->table);
	if (WIFSIGNALED(status)) {
		/* A signal that was handed on needs no message, nor does a reader that ended. */
		if (WTERMSIG(status) == SIGPIPE && !w->asked &&
		    (is_unread(STDOUT_FILENO) || is_unread(STDERR_FILENO)))
			w->asked = SIGPIPE;
		w->obeyed |= WTERMSIG(status) == w->asked;
		if (!silent && !w->obeyed)
			bspj_watchdog_report(
				watchdog, p,
				WTERMSIG(status) == SIGBUS ?
					"killed by signal %d (%s); is there room in /dev/shm?" :
					"killed by signal %d (%s)",
				WTERMSIG(status), strsignal(WTERMSIG(status)));
		begin_ending(w, SIGNALLED + WTERMSIG(status));
		return;
	}
	if (!silent)
		bspj_watchdog_report(watchdog, p, "exited with status %d before %s",
				     WEXITSTATUS(status), watchdog->words->end);
	begin_ending(w, WEXITSTATUS(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
	if (has_failed_first(watchdog->table, p))
		w->status = WEXITSTATUS(status);
}

static bool has_ended_well(const struct bspj_status_table *table, int p, int status)
{
	return atomic_load(&table->rank[p].state) == BSPJ_ENDED && WIFEXITED(status) &&
	       !has_failed_first(table, p);
}

/* The process is gone: closed before, this would kill it. */
static void supervise_let_go(int *held)
{
	if (*held >= 0)
		close(*held);
	*held = -1;
}

/* The child of that number. */
static void on_child_exit(struct watch *w, int child, int status)
{
	int p = w->children->first + child;
	char what[120];
	bool first;

	w->children->child[child].pid = 0;
	w->children->child[child].status = status;
	supervise_let_go(&w->children->child[child].held);
	w->left--;
	if (has_ended_well(w->children->table, p, status))
		return;
	first = !w->ending;
	end_by_failure(w, &w->watchdog, p, status);
	if (has_failed_first(w->children->table, p))
		snprintf(what, sizeof(what), "has reported an error there");
	else if (WIFSIGNALED(status))
		snprintf(what, sizeof(what), "was killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(what, sizeof(what), "exited with status %d before %s", WEXITSTATUS(status),
			 w->watchdog.words->end);
	if (first && w->children->how->on_failure)
		w->children->how->on_failure(p, what);
	/* The other parts are to know how process @p has ended the job, which they do not see. */
	if (w->parts)
		bspj_parts_send_failure(w->parts, p, w->status, what);
}

/* The table of a part that is over goes with its last process. */
static void release_table(const struct watch *w, struct bspj_status_table *table, int nprocs)
{
	for (const struct old_child *old = w->old; old; old = old->next)
		if (old->table == table)
			return;
	munmap(table, bspj_status_table_bytes(nprocs));
}

static void on_old_child_exit(struct watch *w, struct old_child **at, int status)
{
	struct old_child *old = *at;
	struct bspj_watchdog watchdog = { .words = w->watchdog.words, .table = old->table,
					  .nprocs = old->nprocs };

	*at = old->next;
	supervise_let_go(&old->held);
	w->left--;
	if (!has_ended_well(old->table, old->process, status))
		end_by_failure(w, &watchdog, old->process, status);
	else if (!w->old_status)
		w->old_status = WEXITSTATUS(status);
	release_table(w, old->table, old->nprocs);
	free(old);
}

static void supervise_reap(struct watch *w)
{
	struct old_child **old;
	int status, p;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (p = 0; p < w->children->nprocs && w->children->child[p].pid != pid;)
			p++;
		for (old = &w->old; *old && (*old)->pid != pid;)
			old = &(*old)->next;
		if (p < w->children->nprocs)
			on_child_exit(w, p, status);
		else if (*old)
			on_old_child_exit(w, old, status);
		else if (w->parts)
			bspj_parts_on_exit(w->parts, pid);
	}
}

/* ---- Watchdog ------------------------------------------------------------ */

/* The pid of a process; of one of another part nothing is known. */
static int supervise_pid_of(const void *of, int p)
{
	const struct bspj_children *children = of;

	return p < children->first || p >= children->first + children->nprocs ?
		       0 :
		       children->child[p - children->first].pid;
}

static struct bspj_watchdog supervise_watchdog_of(const struct bspj_children *children)
{
	struct bspj_watchdog watchdog = { .words = children->how->words,
				     .table = children->table,
				     .nprocs = children->nprocs,
				     .pid = supervise_pid_of,
				     .pid_of = children,
				     .timeout_s = children->how->watchdog_s,
				     .look_ms = bspj_watchdog_look_ms(children->how->watchdog_s,
								      children->how->warn_s) };

	if (children->how->parts)
		watchdog.node = bspj_parts_of_processes(children->how->parts, &watchdog.here,
							&watchdog.nprocs);
	return watchdog;
}

enum { WHERE_BYTES = BSPT_HOSTNAME + 4 };

/* "", or of several parts " on HOST", or " on node 2". */
static const char *whose_part(const struct watch *w, char where[WHERE_BYTES])
{
	where[0] = '\0';
	if (w->parts)
		snprintf(where, WHERE_BYTES, " on %s", bspj_parts_host(w->parts));
	return where;
}

static void report_stuck(const struct watch *w)
{
	char where[WHERE_BYTES], why[64];

	snprintf(why, sizeof(why), "no progress for %s s",
		 bspj_seconds(w->watchdog.timeout_s).text);
	bspj_watchdog_report_all(&w->watchdog, why, whose_part(w, where), " (BSP_WATCHDOG)");
}

static void warn_of_hang(struct watch *w)
{
	char where[WHERE_BYTES];

	bspj_watchdog_warn(&w->watchdog, whose_part(w, where));
}

/* The first of several parts, which has process 0, is notified of all progress. */
static void check_progress(struct watch *w)
{
	bool ends = w->children->how->watchdog_s > 0;

	if (bspj_watchdog_moved(&w->watchdog)) {
		if (w->parts)
			bspj_parts_send_moved(w->parts);
		return;
	}
	if (w->ending || w->children->first > 0)
		return;
	/* No supervisor of a part sees all processes. BSP_WAIT=warn:0 is to say nothing. */
	if (!w->parts && w->children->how->warn_s > 0 &&
	    bspj_deadlock_look(&w->deadlock, &w->watchdog)) {
		bspj_deadlock_report(&w->watchdog, "");
		begin_ending(w, EXIT_FAILURE);
		return;
	}
	if (!ends || !bspj_watchdog_has_expired(&w->watchdog)) {
		/* A step may take long: the job goes on, and is warned of after twice as long. */
		if (!bspj_watchdog_must_warn(&w->watchdog, w->children->how->warn_s))
			return;
		if (w->parts)
			bspj_parts_send_warning(w->parts);
		warn_of_hang(w);
		return;
	}
	if (w->parts)
		bspj_parts_send_stuck(w->parts);
	report_stuck(w);
	begin_ending(w, EXIT_FAILURE);
	if (w->parts)
		bspj_parts_send_failure(w->parts, 0, EXIT_FAILURE,
					"has waited for too long (BSP_WATCHDOG)");
}

/* ---- Signals ------------------------------------------------------------- */

/* One that a terminal sent went to all processes; any other is handed on. */
static void supervise_pass_on(struct watch *w, const siginfo_t *info)
{
	char where[WHERE_BYTES];

	/* Where it was, if it seems to hang, and no process is about to say why it ends. */
	if ((info->si_signo == SIGINT || info->si_signo == SIGTERM || info->si_signo == SIGQUIT) &&
	    !w->ending && !w->asked && w->left > 0 &&
	    !atomic_load(&w->children->table->failed_rank) &&
	    bspj_watchdog_sees_hang(&w->watchdog))
		bspj_watchdog_report_hang(&w->watchdog, info->si_signo, whose_part(w, where));
	if (info->si_signo != SIGUSR1 && info->si_signo != SIGUSR2)
		w->asked = info->si_signo;
	if (w->left == 0 && w->asked) {
		/* For other parts: all of ours have ended. */
		w->obeyed = true;
		begin_ending(w, SIGNALLED + w->asked);
		if (w->parts)
			bspj_parts_send_failure(w->parts, w->children->first, w->status,
						"was no longer waited for");
	}
	if (info->si_code > 0)
		return;
	signal_all(w, info->si_signo, -1);
	if (w->parts)
		bspj_parts_signal(w->parts, info->si_signo);
}

static void read_signals(struct watch *w)
{
	static const struct timespec at_once;
	siginfo_t info;

	while (sigtimedwait(&w->wanted, &info, &at_once) > 0)
		if (info.si_signo != SIGCHLD)
			supervise_pass_on(w, &info);
	supervise_reap(w);
}

/* As nohup leaves it, or a shell for what runs in the background: then the processes ignore it. */
static bool is_ignored(int signo)
{
	struct sigaction is;

	return sigaction(signo, NULL, &is) == 0 && !(is.sa_flags & SA_SIGINFO) &&
	       is.sa_handler == SIG_IGN;
}

static void open_signals(struct watch *w)
{
	static const int wanted[] = { SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 };

	sigemptyset(&w->wanted);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (wanted[i] == SIGCHLD || !is_ignored(wanted[i]))
			sigaddset(&w->wanted, wanted[i]);
	sigprocmask(SIG_BLOCK, &w->wanted, NULL);
	w->signals = signalfd(-1, &w->wanted, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* ---- Starting ------------------------------------------------------------- */

static int64_t start_ms(const struct watch *w)
{
	return START_MS + (int64_t)START_EACH_MS * w->watchdog.nprocs;
}

static void check_start(struct watch *w)
{
	const struct bspj_children *children = w->children;

	/* By the time that the watchdog counts: a job may be stopped while it begins. */
	if (w->ending || (int64_t)(w->watchdog.ran_ns / 1000000) < w->start_until)
		return;
	w->start_until = 0;
	for (int p = 0; p < children->nprocs && !w->ending; p++) {
		if (!children->child[p].pid ||
		    atomic_load(&children->table->rank[children->first + p].state) != BSPJ_STARTING)
			continue;
		bspj_watchdog_report(
			&w->watchdog, children->first + p,
			"has not begun within %d s; is memory short, or a limit (ulimit -a)?",
			(int)(start_ms(w) / 1000));
		begin_ending(w, EXIT_FAILURE);
		if (w->parts)
			bspj_parts_send_failure(w->parts, children->first + p, EXIT_FAILURE,
						"has not begun in time");
	}
}

/* ---- Another SPMD part ------------------------------------------------------ */

/* The others of the last part, of which some may still run. */
static int keep_old_children(struct watch *w)
{
	const struct bspj_children *children = w->children;

	for (int p = 1; p < children->nprocs; p++) {
		struct old_child *old;

		if (!children->child[p].pid) {
			if (!w->old_status)
				w->old_status = WEXITSTATUS(children->child[p].status);
			continue;
		}
		old = malloc(sizeof(*old));
		if (!old)
			return -ENOMEM;
		*old = (struct old_child){
			w->old, children->child[p].pid, children->child[p].held, p,
			children->table, children->nprocs,
		};
		w->old = old;
		children->child[p].pid = 0;
	}
	return 0;
}

static struct pollfd *make_fds(const struct watch *w)
{
	int noutput = w->output ? bspj_output_fds(w->output) : 0;

	return calloc((size_t)(2 + noutput + BSPJ_PARTS_FDS), sizeof(struct pollfd));
}

static int supervise_take_over(struct watch *w)
{
	struct bspj_children *children = w->children, *next = &w->next;
	struct pollfd *fds;
	int err = keep_old_children(w);

	for (int p = 1; !err && w->output && p < next->nprocs; p++)
		err = bspj_output_add(w->output, &next->child[p], p) ? 0 : -ENOMEM;
	fds = err ? NULL : make_fds(w);
	if (!fds)
		return -ENOMEM;
	free(w->fds);
	w->fds = fds;
	next->child[0].pid = children->child[0].pid;
	next->child[0].held = children->child[0].held;
	for (int p = 1; p < next->nprocs; p++)
		next->child[p].pid = atomic_load(&next->table->rank[p].pid);
	release_table(w, children->table, children->nprocs);
	free(children->child);
	*children = *next;
	next->table = NULL;
	w->left += children->nprocs - 1;
	w->watchdog = supervise_watchdog_of(children);
	w->deadlock = (struct bspj_deadlock){ .looked_ns = 0 };
	w->start_until = start_ms(w);
	/* One that process 0 has just forked may have ended already, without being known. */
	for (int p = 1; p < children->nprocs; p++)
		if (kill(children->child[p].pid, 0) < 0 && errno == ESRCH)
			on_child_exit(w, p, SIGKILL);
	return 0;
}

/* Process 0 fails, then, and all ends with it. */
static void supervise_answer(struct watch *w, int err)
{
	if (send(w->children->control, &err, sizeof(err), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		return;
}

static bool makes_sense(const struct watch *w, const struct bspj_again *what)
{
	return what->nprocs >= 1 && what->process >= 0 && what->process < what->nprocs &&
	       what->left < what->nprocs &&
	       (what->process == 0 || (w->next.table && w->next.nprocs == what->nprocs));
}

/* The @n descriptors are of the table, or of a process: struct bspj_again. */
static int supervise_on_again(struct watch *w, const struct bspj_again *what, const int *fds, int n)
{
	struct bspj_children *next = &w->next;
	struct bspj_child *child;
	void *at;

	if (!makes_sense(w, what))
		return -EPROTO;
	if (what->process == 0) {
		at = mmap(NULL, bspj_status_table_bytes(what->nprocs), PROT_READ | PROT_WRITE,
			  MAP_SHARED, fds[0], 0);
		close(fds[0]);
		*next = *w->children;
		next->table = at == MAP_FAILED ? NULL : at;
		next->nprocs = what->nprocs;
		next->child = bspj_children_create(what->nprocs);
		return next->table && next->child ? 0 : -ENOMEM;
	}
	child = &next->child[what->process];
	child->out = n >= 2 ? fds[0] : -1;
	child->err = n >= 2 ? fds[1] : -1;
	child->held = n % 2 ? fds[n - 1] : -1;
	return 0;
}

/* False: there is nothing more now. */
static bool supervise_receive(struct watch *w)
{
	struct bspj_again what;
	struct iovec bytes = { .iov_base = &what, .iov_len = sizeof(what) };
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(BSPJ_AGAIN_FDS * sizeof(int))] = { 0 };
	struct msghdr message = {
		.msg_iov = &bytes,
		.msg_iovlen = 1,
		.msg_control = room,
		.msg_controllen = sizeof(room),
	};
	ssize_t n = recvmsg(w->children->control, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	struct cmsghdr *with = CMSG_FIRSTHDR(&message);
	int fds[BSPJ_AGAIN_FDS], err;
	size_t len;

	if (n < 0)
		return errno == EINTR;
	if (n != sizeof(what)) {
		close(w->children->control);
		w->children->control = -1;
		return false;
	}
	if (!with || (message.msg_flags & MSG_CTRUNC)) {
		supervise_answer(w, -EMFILE);
		return false;
	}
	len = with->cmsg_len - CMSG_LEN(0);
	memcpy(fds, CMSG_DATA(with), len);
	err = supervise_on_again(w, &what, fds, (int)(len / sizeof(int)));
	if (err || what.left == 0)	/* else there is more to come */
		supervise_answer(w, err ? err : supervise_take_over(w));
	return true;
}

/* ---- The loop ------------------------------------------------------------ */

/* The shorter of two times in ms, where -1 is none. */
static int sooner(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Milliseconds until something is to be done without an event; -1: never. */
static int supervise_timeout_ms(const struct watch *w)
{
	int ms = w->parts ? bspj_parts_timeout_ms(w->parts) : -1;

	if (w->ending || w->signals < 0)
		return 50;
	if (w->output)
		ms = sooner(ms, bspj_output_timeout_ms(w->output));
	/* progress is looked at once a second in any case, for a signal that ends the job */
	return sooner(ms, w->watchdog.look_ms);
}

static void wait_for_events(struct watch *w)
{
	struct pollfd *fds = w->fds;
	int n, nparts;

	fds[0] = (struct pollfd){ .fd = w->signals, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = w->ending ? -1 : w->children->control, .events = POLLIN };
	n = w->output ? bspj_output_poll(w->output, fds + 2) : 0;
	nparts = w->parts ? bspj_parts_poll(w->parts, fds + 2 + n) : 0;
	if (poll(fds, 2 + n + nparts, supervise_timeout_ms(w)) < 0)
		return;
	if (w->parts) {
		struct bspj_news news = bspj_parts_see_to(w->parts, fds + 2 + n);

		if (news.moved)
			bspj_watchdog_note_progress(&w->watchdog);
		if (news.stuck && !w->ending)
			report_stuck(w);
		if (news.warn && !w->ending)
			warn_of_hang(w);
		if (news.failed)
			begin_ending(w, news.status);
	}
	if (w->output)
		bspj_output_see_to(w->output, fds + 2);
	if (fds[1].revents) {		/* which is freed when another part begins */
		while (w->children->control >= 0 && !w->ending && supervise_receive(w))
			;
	}
}

static void watch_once(struct watch *w)
{
	wait_for_events(w);
	read_signals(w);
	check_progress(w);
	if (w->start_until)
		check_start(w);
	if (w->ending && supervise_now_ms() >= w->kill_failed_at)
		signal_all(w, SIGKILL, -1);
}

/* Status of the first process, else the first that is not 0. */
static int status_of_job(const struct watch *w)
{
	if (w->ending)
		return w->status;
	for (int p = 0; p < w->children->nprocs; p++)
		if (WEXITSTATUS(w->children->child[p].status))
			return WEXITSTATUS(w->children->child[p].status);
	return w->old_status;
}

static void die_by(int signo)
{
	sigset_t set;

	signal(signo, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signo);
	raise(signo);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* All of this part have ended well; the others are waited for. */
static bool supervise_is_over(struct watch *w)
{
	int status;

	if (w->left > 0)
		return false;
	if (!w->parts || w->ending)
		return true;
	bspj_parts_send_over(w->parts, status_of_job(w));
	return bspj_parts_are_over(w->parts, &status);
}

static int final_status(const struct watch *w)
{
	int status;

	if (!w->parts || w->ending || !bspj_parts_are_over(w->parts, &status))
		status = status_of_job(w);
	return !status && w->output && bspj_output_failed(w->output) ? EXIT_FAILURE : status;
}

/*
 * All processes have ended. A reader is waited for until a signal says that it is not worth it,
 * and for a second more.
 */
static void finish_output(struct watch *w)
{
	struct pollfd *fds = w->fds;
	int64_t until = 0;

	while (bspj_output_finish(w->output)) {
		fds[0] = (struct pollfd){ .fd = w->signals, .events = POLLIN };
		poll(fds, 1 + bspj_output_poll(w->output, fds + 1),
		     w->asked || w->signals < 0 ? 50 : -1);
		read_signals(w);
		if (w->asked && !until)
			until = supervise_now_ms() + GRACE_MS;
		if (until && supervise_now_ms() >= until)
			return;
	}
}

/*
 * The supervisors of other nodes end when they know that all is over, and have written what their
 * processes have; one that does not has processes whose output is lost.
 */
static void await_supervisors(struct watch *w)
{
	int64_t until = supervise_now_ms() + SUPERVISORS_MS;
	bool killed = false;

	while (bspj_parts_have_supervisors(w->parts)) {
		struct pollfd signals = { .fd = w->signals, .events = POLLIN };

		poll(&signals, 1, w->signals < 0 ? 50 : 1000);
		read_signals(w);
		if (!w->ending || killed || supervise_now_ms() < until)
			continue;
		bspj_parts_kill(w->parts);
		killed = true;
	}
}

_Noreturn void bspj_supervise(struct bspj_children *children)
{
	struct watch w = { .children = children, .parts = children->how->parts,
			   .left = children->nprocs, .watchdog = supervise_watchdog_of(children) };
	struct rlimit limit;

	prctl(PR_SET_CHILD_SUBREAPER, 1ul, 0ul, 0ul, 0ul);
	/* Several SPMD parts may run, with descriptors for each; they keep their own limit. */
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	w.start_until = start_ms(&w);
	open_signals(&w);
	if (children->how->tag_output)
		w.output = bspj_output_open(children);
	w.fds = make_fds(&w);
	if (!w.fds || (children->how->tag_output && !w.output)) {
		bspj_watchdog_report(&w.watchdog, 0, "no memory to watch over %d processes",
				     children->nprocs);
		signal_all(&w, SIGKILL, -1);
		_exit(EXIT_FAILURE);
	}
	supervise_reap(&w);
	while (!supervise_is_over(&w))
		watch_once(&w);
	if (w.output)
		finish_output(&w);
	if (w.parts) {
		bspj_parts_flush(w.parts);
		await_supervisors(&w);
	}
	bspj_findings_report(children->table, w.watchdog.words->step, w.watchdog.nprocs);
	if (w.obeyed)
		die_by(w.asked);
	_exit(final_status(&w));
}
