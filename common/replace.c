// SPDX-License-Identifier: BSD-3-Clause
/* replace.c - a file that takes the place of another, whole or not at all. */

#include "replace.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Those of the file that is there, or of a new one. */
static mode_t rights_of(const char *path)
{
	mode_t mask = umask(0);
	struct stat st;

	umask(mask);
	return stat(path, &st) == 0 ? st.st_mode & 07777 : 0666 & ~mask;
}

int replace_begin(struct replacement *r, const char *path)
{
	int fd, err;

	r->path = path;
	if (snprintf(r->temporary, sizeof(r->temporary), "%s.XXXXXX", path) >=
	    (int)sizeof(r->temporary))
		return ENAMETOOLONG;
	fd = mkstemp(r->temporary);
	if (fd < 0)
		return errno;
	r->out = fchmod(fd, rights_of(path)) == 0 ? fdopen(fd, "w") : NULL;
	if (r->out)
		return 0;
	err = errno;
	close(fd);
	unlink(r->temporary);
	return err;
}

/* On the disk; 0 or an error number. */
static int write_through(FILE *out)
{
	if (fflush(out) || fsync(fileno(out)) < 0)
		return errno;
	return ferror(out) ? EIO : 0;
}

int replace_end(struct replacement *r, bool keep)
{
	int err = keep ? write_through(r->out) : 0;

	if (fclose(r->out) && keep && !err)
		err = errno;
	if (keep && !err && rename(r->temporary, r->path))
		err = errno;
	if (!keep || err)
		unlink(r->temporary);
	return err;
}
