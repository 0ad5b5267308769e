// SPDX-License-Identifier: BSD-3-Clause
/* supervise.c - watch over the processes of a job: deaths, signals, progress. */

/*
 * One loop around poll(): signals come through a signalfd, tagged output through
 * pipes, the watchdog by the timeout. A job goes through three stages: all is
 * well; it is ending (somebody died or reported an error, the rest is being
 * killed); all processes are gone. A process that has claimed the right to report
 * an error (board->culprit) is given a second to do so before it is killed.
 */

#include "wireup.h"

#include "transport/transport.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_MOST = 400, GRACE_MS = 1000 };

struct watch {
	struct bspt_crew *crew;
	int left;			/* processes not gone */
	bool ending;
	int status;			/* to end with, once ending */
	int asked;			/* last signal that we were sent to hand on; 0: none */
	bool obeyed;			/* a process died of it */
	int64_t kill_culprit_at;	/* ms; 0: not set */
	uint64_t progress;		/* sum over the board when last looked at */
	int64_t progress_at;
	sigset_t wanted;		/* signals we take, blocked */
	int signals;			/* signalfd that wakes us for them; -1: we look every now and then */
	struct bspt_stream *streams;	/* 2 for each process, or NULL */
};

static int64_t now_ms(void)
{
	return bspt_now_ns() / 1000000;
}

/* ---- Messages ------------------------------------------------------------ */

/*
 * A place is a text that the process inherited from us, unless it was loaded
 * later; so it is read in a way that cannot fault, and doubted.
 */
static const char *text_of(const char *place, char *text)
{
	int mem = place ? open("/proc/self/mem", O_RDONLY | O_CLOEXEC) : -1;
	ssize_t n = 0;

	if (mem >= 0) {
		n = pread(mem, text, TEXT_MOST - 1, (off_t)(uintptr_t)place);
		close(mem);
	}
	if (n <= 0)
		return NULL;
	text[n] = '\0';
	for (const char *c = text; *c; c++)
		if (*c < ' ')
			return NULL;
	return strchr(text, ':') ? text : NULL;
}

/* " (process 2, superstep 14, after prog.c:12)" */
static void where(const struct watch *w, int p, char *buf, size_t len)
{
	const struct bspt_seat *seat = &w->crew->board->seats[p];
	bool syncing = atomic_load(&seat->state) == BSPT_SYNCING;
	char text[TEXT_MOST];
	const char *place = text_of(atomic_load(&seat->place), text);

	snprintf(buf, len, "(process %d, superstep %u%s%s)", p, atomic_load(&seat->step),
		 !place ? "" : syncing ? ", " : ", after ", place ? place : "");
}

__attribute__((format(printf, 3, 4)))
static void report(const struct watch *w, int p, const char *format, ...)
{
	char reason[TEXT_MOST], place[TEXT_MOST + 64];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	where(w, p, place, sizeof(place));
	dprintf(STDERR_FILENO, "bsp: %s %s\n", reason, place);
}

/* ---- Ending -------------------------------------------------------------- */

static void signal_all(const struct watch *w, int signo, int except)
{
	for (int p = 0; p < w->crew->nprocs; p++)
		if (w->crew->children[p].pid && p != except)
			kill(w->crew->children[p].pid, signo);
}

static void begin_ending(struct watch *w, int status)
{
	int culprit = atomic_load(&w->crew->board->culprit) - 1;

	if (w->ending)
		return;
	w->ending = true;
	w->status = status;
	w->kill_culprit_at = now_ms() + GRACE_MS;
	signal_all(w, SIGKILL, culprit);
}

static bool was_culprit(const struct watch *w, int p)
{
	return atomic_load(&w->crew->board->culprit) == p + 1;
}

static int status_of_signal(int signo)
{
	return 128 + signo;
}

/* Process @p died before bsp_end, by a signal, or with an error that it reported. */
static void died(struct watch *w, int p, int status)
{
	bool silent = w->ending || atomic_load(&w->crew->board->culprit);

	if (WIFSIGNALED(status)) {
		w->obeyed |= WTERMSIG(status) == w->asked;
		if (!silent && !w->obeyed)
			report(w, p, "killed by signal %d (%s)", WTERMSIG(status),
			       strsignal(WTERMSIG(status)));
		begin_ending(w, status_of_signal(WTERMSIG(status)));
		return;
	}
	if (!silent)
		report(w, p, "exited with status %d before bsp_end", WEXITSTATUS(status));
	begin_ending(w, WEXITSTATUS(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
	if (was_culprit(w, p))
		w->status = WEXITSTATUS(status);
}

static void gone(struct watch *w, int p, int status)
{
	bool ended = atomic_load(&w->crew->board->seats[p].state) == BSPT_ENDED;

	w->crew->children[p].pid = 0;
	w->crew->children[p].status = status;
	w->left--;
	if (!ended || !WIFEXITED(status) || was_culprit(w, p))
		died(w, p, status);
}

static void reap(struct watch *w)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (int p = 0; p < w->crew->nprocs; p++)
			if (w->crew->children[p].pid == pid)
				gone(w, p, status);
}

/* ---- Signals ------------------------------------------------------------- */

/* One that a terminal sent went to all processes; any other is handed on. */
static void pass_on(struct watch *w, const siginfo_t *info)
{
	if (info->si_signo != SIGUSR1 && info->si_signo != SIGUSR2)
		w->asked = info->si_signo;
	if (info->si_code <= 0)
		signal_all(w, info->si_signo, -1);
}

static void read_signals(struct watch *w)
{
	static const struct timespec at_once;
	siginfo_t info;

	while (sigtimedwait(&w->wanted, &info, &at_once) > 0)
		if (info.si_signo != SIGCHLD)
			pass_on(w, &info);
	reap(w);
}

static void open_signals(struct watch *w)
{
	static const int wanted[] = { SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 };

	sigemptyset(&w->wanted);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		sigaddset(&w->wanted, wanted[i]);
	sigprocmask(SIG_BLOCK, &w->wanted, NULL);
	w->signals = signalfd(-1, &w->wanted, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* ---- Watchdog ------------------------------------------------------------ */

static int count_in(const struct watch *w, enum bspt_state state)
{
	int n = 0;

	for (int p = 0; p < w->crew->nprocs; p++)
		n += atomic_load(&w->crew->board->seats[p].state) == state;
	return n;
}

/* After bsp_end a program may take its time, unless somebody waits for somebody. */
static bool is_over(const struct watch *w)
{
	return count_in(w, BSPT_ENDED) && !count_in(w, BSPT_SYNCING);
}

static uint64_t progress_of(const struct watch *w)
{
	uint64_t sum = 0;

	for (int p = 0; p < w->crew->nprocs; p++)
		sum += ((uint64_t)atomic_load(&w->crew->board->seats[p].step) << 2) +
		       atomic_load(&w->crew->board->seats[p].state);
	return sum;
}

static void report_position(const struct watch *w, int p)
{
	static const char *const doing[] = {
		[BSPT_STARTING] = "has not begun",
		[BSPT_COMPUTING] = "computing",
		[BSPT_SYNCING] = "waiting in bsp_sync or bsp_end",
		[BSPT_READING] = "waiting",
		[BSPT_ENDED] = "has left bsp_end",
	};
	const struct bspt_seat *seat = &w->crew->board->seats[p];
	uint32_t state = atomic_load(&seat->state);

	if (state == BSPT_READING)
		report(w, p, "  waiting in %.*s", (int)sizeof(seat->waits_for) - 1, seat->waits_for);
	else
		report(w, p, "  %s", doing[state <= BSPT_ENDED ? state : 0]);
}

static void report_hang(const struct watch *w)
{
	dprintf(STDERR_FILENO, "bsp: no progress for %g s, %d of %d processes have not ended their superstep (BSP_WATCHDOG)\n",
		w->crew->how->watchdog_s,
		count_in(w, BSPT_COMPUTING) + count_in(w, BSPT_STARTING) + count_in(w, BSPT_READING),
		w->crew->nprocs);
	for (int p = 0; p < w->crew->nprocs; p++)
		report_position(w, p);
}

static void check_progress(struct watch *w)
{
	uint64_t progress = progress_of(w);
	int64_t now = now_ms();

	if (progress != w->progress || is_over(w)) {
		w->progress = progress;
		w->progress_at = now;
		return;
	}
	if (w->ending || now - w->progress_at < w->crew->how->watchdog_s * 1000)
		return;
	report_hang(w);
	begin_ending(w, EXIT_FAILURE);
}

/* ---- The loop ------------------------------------------------------------ */

/* Milliseconds until something is to be done without an event; -1: never. */
static int patience(const struct watch *w)
{
	double dog = w->crew->how->watchdog_s * 1000 / 4;

	if (w->ending || w->signals < 0)
		return 50;
	if (dog <= 0)
		return -1;
	return dog < 10 ? 10 : dog > 1000 ? 1000 : (int)dog;
}

static void wait_for_events(struct watch *w, struct pollfd *fds)
{
	int n = w->streams ? 2 * w->crew->nprocs : 0;

	fds[0] = (struct pollfd){ .fd = w->signals, .events = POLLIN };
	for (int i = 0; i < n; i++)
		fds[1 + i] = (struct pollfd){ .fd = w->streams[i].from, .events = POLLIN };
	if (poll(fds, 1 + n, patience(w)) <= 0)
		return;
	for (int i = 0; i < n; i++)
		if (fds[1 + i].revents)
			bspt_stream_relay(&w->streams[i]);
}

static void watch_once(struct watch *w, struct pollfd *fds)
{
	wait_for_events(w, fds);
	read_signals(w);
	if (w->crew->how->watchdog_s > 0)
		check_progress(w);
	if (w->ending && now_ms() >= w->kill_culprit_at)
		signal_all(w, SIGKILL, -1);
}

/* Status of process 0, else the first that is not 0. */
static int status_of_job(const struct watch *w)
{
	if (w->ending)
		return w->status;
	for (int p = 0; p < w->crew->nprocs; p++)
		if (WEXITSTATUS(w->crew->children[p].status))
			return WEXITSTATUS(w->crew->children[p].status);
	return EXIT_SUCCESS;
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

_Noreturn void bspt_supervise(struct bspt_crew *crew)
{
	struct watch w = { .crew = crew, .left = crew->nprocs, .progress_at = now_ms() };
	struct pollfd *fds = calloc(1 + 2 * crew->nprocs, sizeof(*fds));

	open_signals(&w);
	if (crew->how->tag_output)
		w.streams = bspt_streams_open(crew);
	if (!fds || (crew->how->tag_output && !w.streams)) {
		report(&w, 0, "no memory to watch over %d processes", crew->nprocs);
		signal_all(&w, SIGKILL, -1);
		_exit(EXIT_FAILURE);
	}
	reap(&w);
	while (w.left > 0)
		watch_once(&w, fds);
	if (w.streams)
		bspt_streams_drain(w.streams, crew->nprocs);
	if (w.obeyed)
		die_by(w.asked);
	_exit(status_of_job(&w));
}
