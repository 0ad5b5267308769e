// SPDX-License-Identifier: BSD-3-Clause
/* stdfds.c - standard input, output and error are open, so that nothing else gets their numbers. */

#include "job/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/*
 * A process may start without them (<&- >&-). Then a socket of a library would be descriptor 0,
 * and be closed as the input of a process, or have messages written into it. open() returns the
 * least number that is free.
 */
void bspj_keep_stdfds(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd ? O_WRONLY : O_RDONLY) < 0)
			return; /* no files, or no /dev/null: then there is nothing to be had */
}
