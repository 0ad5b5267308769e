// SPDX-License-Identifier: BSD-3-Clause
/* supervise.c - watch over the processes of a job: deaths, signals, output, progress. */

/*
 * One loop around poll(): signals come through a signalfd, tagged output through
 * pipes, the watchdog by the timeout. A job goes through three stages: all is
 * well; it is ending (somebody died or reported an error, the rest is being
 * killed); all processes are gone. A process that has claimed the right to report
 * an error (board->culprit) is given a second to do so before it is killed.
 */

#include "wireup.h"

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

enum { LINE_MOST = 65536, TEXT_MOST = 256, GRACE_MS = 1000 };

/* One tagged stream. */
struct stream {
	int from, to;		/* from is -1 when closed */
	int process;
	size_t len;
	char *line;		/* LINE_MOST bytes, what came since the last newline */
};

struct watch {
	struct bspt_crew *crew;
	int left;			/* processes not gone */
	bool ending;
	int status;			/* to end with, once ending */
	int asked;			/* signal that asked us to end; 0: none */
	int64_t kill_culprit_at;	/* ms; 0: not set */
	uint64_t progress;		/* sum over the board when last looked at */
	int64_t progress_at;
	sigset_t wanted;		/* signals we take, blocked */
	int signals;			/* signalfd that wakes us for them; -1: we look every now and then */
	struct stream *streams;		/* 2 for each process, or NULL */
};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
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
	bool silent = w->ending || w->asked || atomic_load(&w->crew->board->culprit);

	if (WIFSIGNALED(status)) {
		if (!silent)
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

/* ---- Tagged output ------------------------------------------------------- */

static void write_all(int fd, const char *buf, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, buf, len);

		if (n < 0 && errno != EINTR)
			return;
		if (n > 0) {
			buf += n;
			len -= n;
		}
	}
}

/* One line with its tag, in one write so that lines stay whole. */
static void emit(const struct stream *s, const char *line, size_t len)
{
	static char tagged[LINE_MOST + 32];
	int tag = snprintf(tagged, 32, "[%d] ", s->process);

	memcpy(tagged + tag, line, len);
	if (len == 0 || line[len - 1] != '\n')
		tagged[tag + len++] = '\n';
	write_all(s->to, tagged, tag + len);
}

static void emit_lines(struct stream *s)
{
	char *at = s->line, *end = s->line + s->len, *newline;

	while ((newline = memchr(at, '\n', end - at))) {
		emit(s, at, newline + 1 - at);
		at = newline + 1;
	}
	if (at == s->line && s->len == LINE_MOST) {
		emit(s, at, s->len);
		at = end;
	}
	s->len = end - at;
	memmove(s->line, at, s->len);
}

/* Read what there is. False when nothing more comes. */
static bool relay(struct stream *s)
{
	ssize_t n = read(s->from, s->line + s->len, LINE_MOST - s->len);

	if (n < 0)
		return errno == EINTR;
	if (n == 0)
		return false;
	s->len += n;
	emit_lines(s);
	return true;
}

static void close_stream(struct stream *s)
{
	if (s->len)
		emit(s, s->line, s->len);
	close(s->from);
	s->from = -1;
	s->len = 0;
}

static struct stream open_stream(int from, int to, int process)
{
	fcntl(from, F_SETFL, O_NONBLOCK);
	return (struct stream){ .from = from, .to = to, .process = process,
				.line = malloc(LINE_MOST) };
}

static struct stream *open_streams(const struct bspt_crew *crew)
{
	struct stream *streams = calloc(2 * crew->nprocs, sizeof(*streams));

	for (int p = 0; streams && p < crew->nprocs; p++) {
		streams[2 * p] = open_stream(crew->children[p].out, STDOUT_FILENO, p);
		streams[2 * p + 1] = open_stream(crew->children[p].err, STDERR_FILENO, p);
	}
	return streams;
}

/* What the dead left in their pipes. A child of theirs may still hold them open: no waiting. */
static void drain_streams(struct watch *w)
{
	for (int i = 0; w->streams && i < 2 * w->crew->nprocs; i++) {
		struct stream *s = &w->streams[i];

		if (s->from < 0)
			continue;
		while (relay(s))
			;
		close_stream(s);
	}
}

/* ---- Watchdog ------------------------------------------------------------ */

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
		[BSPT_ENDED] = "has left bsp_end",
	};
	uint32_t state = atomic_load(&w->crew->board->seats[p].state);

	report(w, p, "  %s", doing[state <= BSPT_ENDED ? state : 0]);
}

static void report_hang(const struct watch *w)
{
	int missing = 0;

	for (int p = 0; p < w->crew->nprocs; p++)
		missing += atomic_load(&w->crew->board->seats[p].state) != BSPT_SYNCING;
	dprintf(STDERR_FILENO, "bsp: no progress for %g s, %d of %d processes have not ended their superstep (BSP_WATCHDOG)\n",
		w->crew->how->watchdog_s, missing, w->crew->nprocs);
	for (int p = 0; p < w->crew->nprocs; p++)
		report_position(w, p);
}

static void check_progress(struct watch *w)
{
	uint64_t progress = progress_of(w);
	int64_t now = now_ms();

	if (progress != w->progress) {
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
		if (fds[1 + i].revents && !relay(&w->streams[i]))
			close_stream(&w->streams[i]);
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
		w.streams = open_streams(crew);
	reap(&w);
	while (w.left > 0)
		watch_once(&w, fds);
	drain_streams(&w);
	if (w.ending && w.asked)
		die_by(w.asked);
	_exit(status_of_job(&w));
}
