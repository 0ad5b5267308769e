/* SPDX-License-Identifier: BSD-3-Clause */
/* A job that gets no memory ends well or with a message, never by a signal and never hanging. */
#include "../lib/spmd.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static size_t more_bytes;

/* Allow this process @more_bytes beyond what it has. */
static void limit(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (!file || fscanf(file, "%lu", &pages) != 1)
		bail("no /proc/self/statm");
	fclose(file);
	struct rlimit r = {
		.rlim_cur = pages * (unsigned long)sysconf(_SC_PAGESIZE) + more_bytes,
		.rlim_max = RLIM_INFINITY,
	};

	setrlimit(RLIMIT_AS, &r);
}

static char data[1 << 20];

static void limited_before_begin(void)
{
	int x = 0;

	limit();
	bsp_begin(bsp_nprocs());
	publish(&x, sizeof x);
	bsp_put(right(), &x, &x, 0, sizeof x);
	bsp_sync();
	bsp_end();
}

static void limited_sends(void)
{
	bsp_begin(bsp_nprocs());
	limit();
	for (int i = 0; i < 300; i++)
		bsp_send(right(), NULL, data, sizeof data);
	bsp_sync();
	bsp_end();
}

static void limited_puts(void)
{
	bsp_begin(bsp_nprocs());
	publish(data, sizeof data);
	limit();
	for (int i = 0; i < 300; i++)
		bsp_put(right(), data, data, 0, sizeof data);
	bsp_sync();
	bsp_end();
}

static void limited_gets(void)
{
	static char copy[sizeof data];

	bsp_begin(bsp_nprocs());
	publish(data, sizeof data);
	limit();
	for (int i = 0; i < 300; i++)
		bsp_get(right(), data, 0, copy, sizeof data);
	bsp_sync();
	bsp_end();
}

static void limited_pushes(void)
{
	bsp_begin(bsp_nprocs());
	limit();
	for (int i = 0; i < 1000000; i++)
		bsp_push_reg(data, sizeof data);
	bsp_sync();
	bsp_end();
}

/* No more files: they are what shared memory and its like is made of. */
static void limited_files(void)
{
	struct rlimit none = { 3, 3 };

	setrlimit(RLIMIT_NOFILE, &none);
	bsp_begin(bsp_nprocs());
	publish(data, sizeof data);
	bsp_hpput(right(), &more_bytes, data, 0, sizeof more_bytes);
	bsp_sync();
	bsp_end();
}

static void one(void (*body)(void), int nprocs, size_t more, const char *what)
{
	more_bytes = more;
	job_run(body, nprocs);
	/* Over a network others may be the first to lack it, and say so or crash; but it ends. */
	if (!ok(job_networked() || job_status() == 0 ||
			(job_status() == 1 && !strncmp(job_err(), "bsp", 3)),
		"%s, %d processes, %zu KiB", what, nprocs, more >> 10))
		diag("status %d, standard error: %s", job_status(), job_err());
}

int main(void)
{
	static const size_t mores[] = { 0, 100 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20 };

	if (SANITIZED)
		skip_all("not applicable: a sanitizer needs address space without limit");
	for (int nprocs = 1; nprocs <= 3 && nprocs <= job_max_nprocs(); nprocs += 2) {
		for (int i = 0; i < 6; i++)
			one(limited_before_begin, nprocs, mores[i], "begin");
		one(limited_files, nprocs, 0, "no more files");
		one(limited_sends, nprocs, 16 << 20, "300 MiB of messages");
		one(limited_puts, nprocs, 16 << 20, "300 MiB of puts");
		one(limited_gets, nprocs, 16 << 20, "300 MiB of gets");
		one(limited_pushes, nprocs, 4 << 20, "a million registrations");
	}
	return done_testing();
}
