// SPDX-License-Identifier: BSD-3-Clause
/* system_file.c - what the system says in small files of /proc and /sys. */

#include "transport.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool bspt_system_file(const char *path, char *text, size_t len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, len - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

const char *bspt_task_stat(const char *path, char *text, size_t len)
{
	const char *name_end = bspt_system_file(path, text, len) ? strrchr(text, ')') : NULL;

	return name_end ? name_end + 1 : NULL;
}
