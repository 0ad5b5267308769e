// SPDX-License-Identifier: BSD-3-Clause
/* launch_run.c - run a launcher, and see to it that it ends. */

/*
 * A launcher that loses a node ends the job, unless it has something to say to that node at the
 * time: TCP sends no keepalives while data wait for an answer, it sends the data again, for
 * a quarter of an hour. So bsprun looks once a second at the launcher's connections, as
 * /proc/PID/net/tcp shows them: one that has sent the same again and again for as long as
 * lifeline of BSP_WAIT says has no other end. Then bsprun sends the launcher SIGTERM, and two
 * seconds later SIGKILL; its daemons on other nodes end when their connection does.
 *
 * Signals are the launcher's business: bsprun hands on those that it is sent. Signals of
 * the terminal go to both anyway. If bsprun dies the kernel tells the launcher to end.
 */

#include "launch.h"
#include "common/complain.h"

#include "transport/hostname.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	ESTABLISHED = 1,
	RETRANSMITTING = 1,	/* the timer that is set */
	AGAIN_MOST = 2,		/* times that the same may be sent without being suspect */
	GRACE_S = 2,
	LIMIT_LEAST_S = 2,
	/* of mpirun, for a program that it cannot start, and for one that it does not find */
	STATUS_NOT_STARTED = 132,
	STATUS_NOT_FOUND = 134,
};

/* A connection that may be dead. */
struct suspect {
	unsigned long inode;	/* 0: none */
	int looks;		/* at which it was, one a second; none while we are stopped */
	char peer[INET6_ADDRSTRLEN];
};

static time_t now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* ---- Connections ------------------------------------------------------------ */

/* Is the socket @inode one that @pid holds? */
static bool holds(pid_t pid, unsigned long inode)
{
	char path[300], wanted[40], target[40];
	const struct dirent *entry;
	bool found = false;
	ssize_t len;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	snprintf(wanted, sizeof(wanted), "socket:[%lu]", inode);
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%s", (int)pid, entry->d_name);
		len = readlink(path, target, sizeof(target) - 1);
		target[len > 0 ? len : 0] = '\0';
		found = strcmp(target, wanted) == 0;
	}
	if (dir)
		closedir(dir);
	return found;
}

/* The kernel writes addresses as words of the machine. */
static void write_address(const char *hex, char *text)
{
	uint32_t word[4] = { 0 };
	int n = strlen(hex) / 8;

	for (int i = 0; i < n && i < 4; i++)
		if (sscanf(hex + 8 * i, "%8x", &word[i]) != 1)
			return;
	inet_ntop(n == 1 ? AF_INET : AF_INET6, word, text, INET6_ADDRSTRLEN);
}

/*
 * One line of the table: a connection of @pid on which the same has been sent several times?
 * The old suspect, if it is still one, stays it.
 */
static void read_connection(pid_t pid, const char *line, const struct suspect *old,
			    struct suspect *found)
{
	unsigned int state, timer, again;
	unsigned long inode;
	char peer[33];

	if (sscanf(line, " %*u: %*[0-9A-F]:%*x %32[0-9A-F]:%*x %x %*x:%*x %x:%*x %x %*u %*u %lu",
		   peer, &state, &timer, &again, &inode) != 5)
		return;
	if (state != ESTABLISHED || timer != RETRANSMITTING || again <= AGAIN_MOST)
		return;
	if (inode == old->inode) {
		*found = *old;
		found->looks++;
	} else if (found->inode == 0 && holds(pid, inode)) {
		*found = (struct suspect){ .inode = inode, .looks = 0 };
		write_address(peer, found->peer);
	}
}

static void read_table(pid_t pid, const char *table, const struct suspect *old,
		       struct suspect *found)
{
	char path[64], *line = NULL;
	size_t room = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/net/%s", (int)pid, table);
	file = fopen(path, "r");
	if (!file)
		return;
	while (getline(&line, &room, file) >= 0)
		read_connection(pid, line, old, found);
	free(line);
	fclose(file);
}

/* ---- The launcher ----------------------------------------------------------- */

/* 0: it may wait for ever. */
static time_t limit_s(void)
{
	double limit = launch_lifeline();

	return limit <= 0 ? 0 : limit < LIMIT_LEAST_S ? LIMIT_LEAST_S : limit;
}

/* As nohup leaves it: then it ends neither the launcher nor what that starts. */
static bool is_ignored_here(int signo)
{
	struct sigaction is;

	return sigaction(signo, NULL, &is) == 0 && is.sa_handler == SIG_IGN;
}

/* The new process, with the signals as they were; @signs: it names itself for the library. */
static pid_t run_start(char **word, const char *path, const sigset_t *old, bool signs)
{
	pid_t parent = getpid(), pid = fork();
	char own[16];

	if (pid < 0)
		fail(1, "cannot start %s: %s", word[0], strerror(errno));
	if (pid > 0)
		return pid;
	sigprocmask(SIG_SETMASK, old, NULL);
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() != parent)
		_exit(1);
	snprintf(own, sizeof(own), "%d", (int)getpid());
	if (!signs || setenv("BSP_BSPRUN", own, 1) == 0)
		execvp(path, word);
	fail(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE, "cannot run %s: %s",
	     word[0], strerror(errno));
}

/* It was asked to end at @end_since (0: not yet), when @s has been silent for too long. */
static time_t end_if_lost(pid_t pid, const char *name, struct suspect *s, time_t end_since)
{
	struct suspect found = { .inode = 0 };
	time_t limit = limit_s();

	if (end_since) {
		if (now_s() - end_since >= GRACE_S)
			kill(pid, SIGKILL);
		return end_since;
	}
	if (limit == 0)
		return 0;
	read_table(pid, "tcp", s, &found);
	read_table(pid, "tcp6", s, &found);
	*s = found;
	if (s->inode == 0 || s->looks < limit)
		return 0;
	complain("%s has no answer from %s any more; it is asked to end", name, s->peer);
	kill(pid, SIGTERM);
	return now_s();
}

/* Returns its status when it has ended; @name is that of a launcher, or NULL. */
static int watch(const char *name, pid_t pid, const sigset_t *set)
{
	static const struct timespec second = { .tv_sec = 1 };
	struct suspect suspect = { .inode = 0 };
	time_t end_since = 0;
	siginfo_t info;
	int status;

	for (;;) {
		int sig = sigtimedwait(set, &info, &second);

		if (waitpid(pid, &status, WNOHANG) == pid)
			return status;
		if (sig > 0 && sig != SIGCHLD && info.si_code != SI_KERNEL)
			kill(pid, sig);
		if (sig < 0 && name)
			end_since = end_if_lost(pid, name, &suspect, end_since);
	}
}

static int launch_attend(char **word, const char *path, const char *name)
{
	static const int signals[] = {
		SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2,
	};
	sigset_t set, old;
	int status;

	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!is_ignored_here(signals[i]))
			sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, &old);
	status = watch(name, run_start(word, path, &old, !name), &set);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int launch_program(char **word, const char *path)
{
	return launch_attend(word, path, NULL);
}

/*
 * mpirun has one status for a program that is missing and for one that is not executable, and both
 * of its statuses are those of signals, SIGILL and SIGABRT. A look at the file tells them apart.
 */
static int launch_status_of(const struct launch *l, int status)
{
	if ((status != STATUS_NOT_STARTED && status != STATUS_NOT_FOUND) ||
	    strncmp(l->word[0], "mpirun", 6) != 0)
		return status;
	if (!strchr(l->program, '/'))
		return EXIT_NOT_FOUND;
	if (access(l->program, X_OK) == 0)
		return status;
	return errno == ENOENT || errno == ENOTDIR ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

int launch_run(const struct launch *l)
{
	int status = launch_status_of(l, launch_attend(l->word, l->word[0], l->word[0]));

	if (status == 128 + SIGABRT && l->long_name)
		complain("mpirun of Open MPI 4 aborts where a host name has %d bytes or more "
			 "before its first digit: %s has %zu; give the address of this host",
			 BSPT_HOSTNAME_PREFIX, l->long_name, strcspn(l->long_name, "0123456789"));
	if (status)
		complain("%s ended with status %d%s%s", l->word[0], status,
			 l->hosts ? "; the hosts were " : "", l->hosts ? l->hosts : "");
	return status;
}
