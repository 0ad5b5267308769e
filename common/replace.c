// SPDX-License-Identifier: BSD-3-Clause
/* replace.c - a file that takes the place of another, whole or not at all. */

/*
 * Written is a new file beside it, under a name that nothing has and that others cannot know. So no
 * link that another user has put there is followed, no file is cut that another run is writing or
 * has mapped, and of two runs that write to one name the later one's file stays, whole. All of it
 * holds on NFS, too: it needs exclusive creation and a rename that is atomic.
 */

#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SUFFIX = 8, TRIES = 100 };

bool replace_name(char *name, size_t room, const char *path, const char *end)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
	unsigned char random[SUFFIX];
	char suffix[SUFFIX + 1] = "";
	struct timespec now;
	int len;

	/* Letters that others cannot guess. */
	if (getrandom(random, sizeof(random), GRND_NONBLOCK) != sizeof(random)) {
		clock_gettime(CLOCK_REALTIME, &now);
		for (int i = 0; i < SUFFIX; i++)
			random[i] = (unsigned char)((uint64_t)now.tv_nsec >> 3 * i ^ getpid());
	}
	for (int i = 0; i < SUFFIX; i++)
		suffix[i] = letters[random[i] % 32];
	len = snprintf(name, room, "%s.%s%s", path, suffix, end);
	return len > 0 && (size_t)len < room;
}

/*
 * A name for which the system opens something else is no file to be replaced, nor is a device or a
 * pipe.
 */
static bool is_special(const char *path)
{
	struct stat st;

	return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/std", 8) == 0 ||
	       strncmp(path, "/dev/fd/", 8) == 0 ||
	       (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

/* 0 or an error number; *@fd is open. */
static int create_beside(struct replacement *r, int *fd)
{
	for (int i = 0; i < TRIES; i++) {
		if (!replace_name(r->temporary, sizeof(r->temporary), r->path, ""))
			return ENAMETOOLONG;
		*fd = open(r->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (*fd >= 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	return errno;
}

static int open_special(struct replacement *r)
{
	int fd = open(r->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	r->temporary[0] = '\0';
	r->out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!r->out && fd >= 0)
		close(fd);
	return r->out ? 0 : errno;
}

int replace_begin(struct replacement *r, const char *path)
{
	struct stat st;
	int fd = -1, err;

	r->path = path;
	r->unsynced = false;
	if (is_special(path))
		return open_special(r);
	err = create_beside(r, &fd);
	if (err)
		return err;
	/* The rights of the file that is there, which may be replaced only if it may be written. */
	if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	    (access(path, W_OK) || fchmod(fd, st.st_mode & 0777)))
		err = errno;
	r->out = err ? NULL : fdopen(fd, "w");
	if (r->out)
		return 0;
	err = err ? err : errno;
	close(fd);
	unlink(r->temporary);
	return err;
}

int replace_end(struct replacement *r, bool keep)
{
	bool is_file = r->temporary[0];
	int err = 0;

	if (keep && (fflush(r->out) ||
		     (is_file && !r->unsynced && fsync(fileno(r->out)) < 0)))
		err = errno;
	else if (keep && ferror(r->out))
		err = EIO;
	if (fclose(r->out) && keep && !err)
		err = errno;
	if (is_file && keep && !err && rename(r->temporary, r->path))
		err = errno;
	if (is_file && (!keep || err))
		unlink(r->temporary);
	return err;
}

int replace_try(const char *path)
{
	struct replacement r;
	struct stat st;
	int err;

	if (is_special(path))		/* to open a pipe would wait for its reader */
		return stat(path, &st) ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
	err = replace_begin(&r, path);
	if (!err)
		replace_end(&r, false);
	return err;
}
