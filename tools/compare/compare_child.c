// SPDX-License-Identifier: BSD-3-Clause
/* compare_child.c - run the program once: its output, signals, and an end with nothing left. */

/*
 * The program gets a process group of its own, so that a signal reaches all of it
 * and what a signal leaves of it can be killed. It has no input: there is one input
 * and there are many runs. Its output comes through a pipe, of which the end is kept in
 * case that it fails.
 *
 * bsprun blocks the signals that would end or stop it and looks at them here, between
 * the program's output. It passes them on, waits for the program, and then takes them
 * itself. If bsprun is killed, the kernel ends the program (PR_SET_PDEATHSIG).
 */

#include "compare.h"
#include "common/complain.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	TICK_MS = 250,
	TAIL = 16384,		/* bytes of output that are kept */
	GRACE_S = 5,		/* with a program that was sent a signal and does not end */
};

/* Signals that end or stop bsprun unless they are handled. */
static const int passed_on[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGTSTP,
};

enum { NPASSED_ON = sizeof(passed_on) / sizeof(passed_on[0]) };

static sigset_t before;		/* signals that were blocked before we came */
static struct sigaction pipe_before;
static int signals = -1;	/* where blocked ones are read */

/* The program, while it runs. */
struct run {
	pid_t pid;
	int output;		/* its pipe, or -1 */
	siginfo_t end;		/* how it ended */
	int signal;		/* that was passed on to end it, or 0 */
	struct timespec since;	/* when */
	size_t written;		/* bytes of output so far */
	char tail[TAIL];	/* the last ones, at their number modulo TAIL */
};

int compare_child_begin(void)
{
	struct sigaction action;
	sigset_t ours;

	sigemptyset(&ours);
	sigaddset(&ours, SIGCHLD);
	for (int i = 0; i < NPASSED_ON; i++)
		if (sigaction(passed_on[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(&ours, passed_on[i]);
	/* standard error may be closed, but the report is still to be removed */
	sigaction(SIGPIPE, &(struct sigaction){ .sa_handler = SIG_IGN }, &pipe_before);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &ours, &before);
	signals = signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
	if (signals < 0) {
		complain("signalfd: %s", strerror(errno));
		return 1;
	}
	return 0;
}

void compare_child_end(int sig)
{
	if (signals >= 0)
		close(signals);
	signals = -1;
	if (sig) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
	sigaction(SIGPIPE, &pipe_before, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ---- The program's side ---------------------------------------------------- */

static void redirect(const struct compare_child *child, int output)
{
	int null = open("/dev/null", O_RDONLY);

	if (null >= 0)
		dup2(null, STDIN_FILENO);
	if (null > STDERR_FILENO)
		close(null);
	if (child->verbose)
		return;
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
}

static _Noreturn void become_program(const struct compare_child *child, int output, pid_t parent)
{
	const struct compare_way *way = child->way;

	if (prctl(PR_SET_PDEATHSIG, SIGTERM) || getppid() != parent)
		_exit(EXIT_FAILURE);
	setpgid(0, 0);
	/* a group of its own is in the background, where the terminal would stop it */
	signal(SIGTTOU, SIG_IGN);
	signal(SIGTTIN, SIG_IGN);
	redirect(child, output);
	sigaction(SIGPIPE, &pipe_before, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	/* settings that the way leaves to the user stay */
	if (setenv("BSP_SYNC", way->sync, 1) == 0 &&
	    (!way->barrier || setenv("BSP_BARRIER", way->barrier, 1) == 0) &&
	    (!way->eager || setenv("BSP_EAGER", way->eager, 1) == 0) &&
	    (!way->neighbors || setenv("BSP_NEIGHBORS", way->neighbors, 1) == 0) &&
	    setenv("BSP_REPORT", child->report, 1) == 0 &&
	    (!child->record || setenv("BSP_RECORD", child->record, 1) == 0))
		execv(child->path, child->program);
	complain("%s cannot be run: %s", child->path, strerror(errno));
	_exit(EXIT_NOT_EXECUTABLE);
}

/* ---- Our side -------------------------------------------------------------- */

static int child_start(struct run *run, const struct compare_child *child)
{
	pid_t parent = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC)) {
		complain("pipe: %s", strerror(errno));
		return 1;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	run->pid = fork();
	if (run->pid == 0)
		become_program(child, ends[1], parent);
	close(ends[1]);
	run->output = ends[0];
	if (run->pid > 0) {
		setpgid(run->pid, run->pid);
		return 0;
	}
	complain("fork: %s", strerror(errno));
	close(ends[0]);
	return 1;
}

/* Take in what there is of the output. */
static void listen_to(struct run *run)
{
	char buffer[4096];
	ssize_t n;

	while (run->output >= 0) {
		n = read(run->output, buffer, sizeof(buffer));
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n <= 0) {
			close(run->output);
			run->output = -1;
			return;
		}
		for (ssize_t i = 0; i < n; i++)
			run->tail[run->written++ % TAIL] = buffer[i];
	}
}

/* Print the kept end of the output, from the start of a line on. */
static void repeat_tail(const struct run *run)
{
	size_t from = run->written > TAIL ? run->written - TAIL : 0;
	size_t at = from;

	if (from > 0) {
		while (at < run->written && run->tail[at % TAIL] != '\n')
			at++;
		fputs("...", stderr);
	}
	for (; at < run->written; at++)
		fputc(run->tail[at % TAIL], stderr);
	if (run->written > 0 && run->tail[(run->written - 1) % TAIL] != '\n')
		fputc('\n', stderr);
}

/* Ctrl-Z: all stop, and go on together. */
static void stop_with(const struct run *run)
{
	kill(-run->pid, SIGSTOP);
	kill(getpid(), SIGSTOP);
	kill(-run->pid, SIGCONT);
}

static void pass_on(struct run *run)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		if (info.ssi_signo == SIGTSTP) {
			stop_with(run);
			continue;
		}
		kill(-run->pid, run->signal ? SIGKILL : (int)info.ssi_signo);
		if (!run->signal)
			clock_gettime(CLOCK_MONOTONIC, &run->since);
		run->signal = info.ssi_signo;
	}
}

static bool grace_is_over(const struct run *run)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return run->signal && now.tv_sec - run->since.tv_sec >= GRACE_S;
}

/* Has it ended? It is not yet waited for, so that its number still means its group. */
static bool has_ended(struct run *run)
{
	run->end.si_pid = 0;
	return waitid(P_PID, run->pid, &run->end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       run->end.si_pid != 0;
}

static void attend(struct run *run, const struct compare_child *child)
{
	struct pollfd what[] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = run->output, .events = POLLIN },
	};

	while (!has_ended(run)) {
		what[1].fd = run->output;
		poll(what, 2, TICK_MS);
		pass_on(run);
		listen_to(run);
		if (grace_is_over(run))
			kill(-run->pid, SIGKILL);
		child->tick(child->arg);
	}
	listen_to(run);
}

/* The status, as a shell has it; 0 if all is well. */
static int status_of(const struct run *run)
{
	if (run->signal)
		return 128 + run->signal;
	return (run->end.si_code == CLD_EXITED ? 0 : 128) + run->end.si_status;
}

int compare_child_run(const struct compare_child *child, int *sig)
{
	static struct run run;

	*sig = 0;
	run = (struct run){ .output = -1 };
	if (child_start(&run, child))
		return 1;
	attend(&run, child);
	if (run.output >= 0)
		close(run.output);
	if (status_of(&run))
		kill(-run.pid, SIGKILL);
	while (waitpid(run.pid, NULL, 0) < 0 && errno == EINTR)
		;
	*sig = run.signal;
	if (status_of(&run) && !run.signal) {
		child->clear(child->arg);
		repeat_tail(&run);
	}
	return status_of(&run);
}
