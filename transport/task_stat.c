// SPDX-License-Identifier: BSD-3-Clause
/* task_stat.c - what the system says of a process or a thread: /proc/PID/stat. */

#include "transport.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

const char *bspt_task_stat(const char *path, char *text, size_t len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, len - 1);
	const char *name_end;

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	name_end = strrchr(text, ')');
	return name_end ? name_end + 1 : NULL;
}
