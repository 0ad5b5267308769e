/* SPDX-License-Identifier: BSD-3-Clause */
/* 467 - a job puts no names into the file system, so none can be left there by any kind of death. */
#include "spmd.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const folders[] = { "/dev/shm", "/tmp", "/dev/mqueue", "." };

/* When a folder last changed: what others do there at the same time is taken for ours, so try again. */
static long long stamp(const char *folder)
{
	struct stat s;

	if (stat(folder, &s))
		return -1;
	return (long long)s.st_mtim.tv_sec * 1000000000 + s.st_mtim.tv_nsec;
}

static char area[1 << 20], source[1 << 20];

static void use_memory(void)
{
	enter();
	publish(area, sizeof area);
	bsp_hpput(right(), source, area, 0, sizeof area);
	bsp_send(right(), NULL, source, sizeof source);
	bsp_sync();
}

static void ends_well(void)
{
	use_memory();
	bsp_end();
}

static void is_killed(void)
{
	use_memory();
	if (bsp_pid() == 0)
		kill(getpid(), SIGKILL);
	for (;;)
		bsp_sync();
}

static void unchanged_by(void (*body)(void), const char *what)
{
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		long long before = 0, after = 1;

		for (int attempt = 0; attempt < 5 && before != after; attempt++) {
			before = stamp(folders[i]);
			job_run(body, 0);
			after = stamp(folders[i]);
		}
		ok(before == after, "%s: nothing was made in %s", what, folders[i]);
	}
}

int main(void)
{
	unchanged_by(ends_well, "a job that ends well");
	unchanged_by(is_killed, "a job whose process 0 is killed");
	return done_testing();
}
