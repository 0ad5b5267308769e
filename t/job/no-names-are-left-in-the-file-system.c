/* SPDX-License-Identifier: BSD-3-Clause */
/* A job puts no names into the file system, so none can be left by any death; where MPI must, they
 * go. */
#include "../lib/spmd.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const folders[] = { "/dev/shm", "/tmp", "/dev/mqueue", "." };

/*
 * When a folder last changed. A change that another program makes at the same time is taken for
 * ours: so the folders are hidden from them where that is possible, and where not we try again.
 */
static long long stamp(const char *folder)
{
	struct stat s;

	if (stat(folder, &s))
		return -1;
	return (long long)s.st_mtim.tv_sec * 1000000000 + s.st_mtim.tv_nsec;
}

static bool is_here(const char *folder)
{
	char here[1000];

	return !getcwd(here, sizeof here) || !strncmp(here, folder, strlen(folder));
}

/* Folders of our own in the place of those that all programs share. */
static void hide_folders(void)
{
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (*folders[i] == '/' && !is_here(folders[i]))
			mount("none", folders[i], "tmpfs", 0, NULL);
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

/* The files that MPI puts into a folder while a job runs. */
struct names {
	char at[64][64];
	int n;
};

static bool is_of_mpi(const char *name)
{
	return !strncmp(name, "bsp-", 4) || !strncmp(name, "vader_segment", 13);
}

static struct names list(const char *folder)
{
	struct names names = { .n = 0 };
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && names.n < 64 && (entry = readdir(dir)))
		if (is_of_mpi(entry->d_name))
			snprintf(names.at[names.n++], sizeof names.at[0], "%.63s", entry->d_name);
	if (dir)
		closedir(dir);
	return names;
}

static bool has(const struct names *names, const char *name)
{
	for (int i = 0; i < names->n; i++)
		if (!strcmp(names->at[i], name))
			return true;
	return false;
}

/* Is one of them there now, but not before? */
static bool lingers(const char *folder, const struct names *names, const struct names *before)
{
	struct names now = list(folder);

	for (int i = 0; i < names->n; i++)
		if (!has(before, names->at[i]) && has(&now, names->at[i]))
			return true;
	return false;
}

/*
 * The process that removes them sees the end of the job at the same time as this test. The files of
 * another job go as well. If they stay, the watchdog of the test ends the wait.
 */
static void cleared_after(void (*body)(void), const char *folder, const char *what)
{
	struct names before = list(folder), names;

	job_run(body, 0);
	names = list(folder);
	while (lingers(folder, &names, &before))
		sched_yield();
	ok(!lingers(folder, &names, &before), "%s: nothing is left in %s", what, folder);
}

static int main_networked(void)
{
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		cleared_after(ends_well, folders[i], "a job that ends well");
		cleared_after(is_killed, folders[i], "a job whose process 0 is killed");
	}
	return done_testing();
}

int main(void)
{
	if (job_networked())
		return main_networked();
	hide_folders();
	unchanged_by(ends_well, "a job that ends well");
	unchanged_by(is_killed, "a job whose process 0 is killed");
	return done_testing();
}
