// SPDX-License-Identifier: BSD-3-Clause
/* taken.c - the processors to which other jobs on this machine have bound processes. */

#include "taken.h"

#include "cores.h"

#include <fcntl.h>
#include <unistd.h>

int bspj_taken_open(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC);
}

/*
 * Marks are locks for reading, which need no right to write. Whether a lock for writing would be
 * granted may be asked without that right as well.
 */
static struct flock taken_lock(short type, off_t start, off_t len)
{
	return (struct flock){
		.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = len,
	};
}

/* Has another job marked one of @len processors from @cpu on? */
static int taken_any(int fd, off_t cpu, off_t len)
{
	struct flock lock = taken_lock(F_WRLCK, cpu, len);

	return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

int bspj_taken_by_others(int fd, cpu_set_t *set)
{
	CPU_ZERO(set);
	if (taken_any(fd, 0, BSPJ_CPUS_MOST))
		for (int cpu = 0; cpu < BSPJ_CPUS_MOST; cpu++)
			if (taken_any(fd, cpu, 1))
				CPU_SET(cpu, set);
	return CPU_COUNT(set);
}

void bspj_taken_mark(int fd, const cpu_set_t *set)
{
	for (int cpu = 0; cpu < BSPJ_CPUS_MOST; cpu++) {
		struct flock lock = taken_lock(F_RDLCK, cpu, 1);

		if (CPU_ISSET(cpu, set))
			fcntl(fd, F_OFD_SETLK, &lock);
	}
}

void bspj_taken_unmark(int fd)
{
	struct flock lock = taken_lock(F_UNLCK, 0, BSPJ_CPUS_MOST);

	fcntl(fd, F_OFD_SETLK, &lock);
}
