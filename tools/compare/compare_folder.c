// SPDX-License-Identifier: BSD-3-Clause
/* compare_folder.c - a folder for reports and recordings that no end of bsprun leaves behind. */

/*
 * SIGKILL cannot be handled, so the folder belongs to a process of its own: it makes the folder,
 * sends the path, waits until bsprun's end of a socket closes, and removes the folder. It is in a
 * session of its own and blocks all signals, so no signal for bsprun or its group ends it. The
 * program does not have the socket (SOCK_CLOEXEC), so an orphan of it delays nothing.
 */

#include "compare.h"
#include "common/complain.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	DEPTH = 8,
	TRIES = 200,		/* while a program that is about to end still writes */
	PAUSE_MS = 10,
};

/* In bsprun: the process that removes the folder, and the socket to it. */
static pid_t remover;
static int lifeline = -1;

/* The message from the remover when it has made the folder, or failed to. */
struct made {
	int err;
	char path[COMPARE_FOLDER];
};

/* ---- The process that removes it ------------------------------------------- */

static int folder_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

/* Is it gone? A file that appears meanwhile needs another try. */
static bool folder_remove(const char *path)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };

	for (int i = 0; i < TRIES; i++) {
		nftw(path, folder_remove_one, DEPTH, FTW_DEPTH | FTW_PHYS);
		if (access(path, F_OK) && errno == ENOENT)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

/* The path must be the same wherever the program goes. */
static void folder_create(struct made *made, const char *dir)
{
	char *place = realpath(dir, NULL);
	int n = place ? snprintf(made->path, sizeof(made->path), "%s/bsprun-XXXXXX", place) : 0;

	if (!place)
		made->err = errno;
	else if (n >= (int)sizeof(made->path))
		made->err = ENAMETOOLONG;
	else if (!mkdtemp(made->path))
		made->err = errno;
	free(place);
}

static _Noreturn void folder_keep(int fd, const char *dir)
{
	struct made made = { 0 };
	sigset_t all;
	char byte;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	setsid();
	folder_create(&made, dir);
	if (made.err == 0 && chdir("/") == 0 &&
	    send(fd, &made, sizeof(made), MSG_NOSIGNAL) == sizeof(made))
		while (read(fd, &byte, 1) < 0 && errno == EINTR)
			;
	else if (made.err)
		send(fd, &made, sizeof(made), MSG_NOSIGNAL);
	_exit(made.err || folder_remove(made.path) ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* ---- bsprun ---------------------------------------------------------------- */

static int folder_start(const char *dir)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return errno;
	remover = fork();
	if (remover == 0) {
		close(ends[0]);
		folder_keep(ends[1], dir);
	}
	close(ends[1]);
	lifeline = ends[0];
	return remover < 0 ? errno : 0;
}

int compare_folder_make(char *folder)
{
	const char *set = getenv("TMPDIR");
	const char *dir = set && set[0] ? set : "/tmp";
	struct made made = { 0 };
	ssize_t n = 0;

	made.err = folder_start(dir);
	if (made.err == 0)
		while ((n = recv(lifeline, &made, sizeof(made), 0)) < 0 && errno == EINTR)
			;
	if (made.err == 0 && n != sizeof(made))
		made.err = ECHILD;
	if (made.err == 0) {
		memcpy(folder, made.path, sizeof(made.path));
		return 0;
	}
	complain("no temporary folder in %s: %s", dir, strerror(made.err));
	compare_folder_remove();
	return 1;
}

void compare_folder_remove(void)
{
	if (lifeline >= 0)
		close(lifeline);
	lifeline = -1;
	while (remover > 0 && waitpid(remover, NULL, 0) < 0 && errno == EINTR)
		;
	remover = 0;
}
