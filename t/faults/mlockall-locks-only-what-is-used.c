/* SPDX-License-Identifier: BSD-3-Clause */
/* Mlockall() in a program fills and locks what the job has used, and not what it has reserved. */
#include "../lib/spmd.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>

/*
 * The memory that a job reserves for each process, and a limit below it: a job that fills all of it
 * is reported, and does no harm.
 */
static const char reserve[] = "256M";
enum { FILLED_MOST_MIB = 160 };

static char area[4 << 20], source[sizeof area];

static long resident_mib(void)
{
	char line[128];
	long kib = -1;
	FILE *status = fopen("/proc/self/status", "re");

	while (status && kib < 0 && fgets(line, sizeof line, status))
		if (sscanf(line, "VmRSS: %ld", &kib) != 1)
			kib = -1;
	if (status)
		fclose(status);
	return kib / 1024;
}

/*
 * Small and large, through chunks and windows, so that more memory comes into use in every
 * superstep.
 */
static void use_memory(void)
{
	publish(area, sizeof area);
	for (size_t len = 8; len <= sizeof area; len *= 4) {
		fill(source, len, (uint32_t)(len + (size_t)bsp_pid()));
		bsp_put(right(), source, area, 0, (bsp_size_t)len);
		bsp_sync();
		is_int(0, wrong_from(area, len, (uint32_t)(len + (size_t)left()), 0),
		       "%zu bytes put", len);
		bsp_sync();	/* an unbuffered put may write at once */
		fill(source, len, (uint32_t)(len + 1000 + (size_t)bsp_pid()));
		bsp_hpput(right(), source, area, 0, (bsp_size_t)len);
		bsp_sync();
		is_int(0, wrong_from(area, len, (uint32_t)(len + 1000 + (size_t)left()), 0),
		       "%zu bytes hpput", len);
	}
	bsp_pop_reg(area);
	bsp_sync();
}

static void lock(int what)
{
	if (mlockall(what) < 0)
		bail("mlockall: %s", strerror(errno));
}

static void check_filled(const char *when)
{
	ok(job_networked() || resident_mib() < FILLED_MOST_MIB, "%s: %d MiB at most", when,
	   FILLED_MOST_MIB);
}

static void locked_in_the_middle(void)
{
	enter();
	use_memory();
	lock(MCL_CURRENT);
	check_filled("what there was");
	use_memory();
	lock(MCL_CURRENT | MCL_FUTURE);
	check_filled("and what is to come");
	use_memory();
	check_filled("which has come");
	bsp_end();
}

static void locked_before_begin(void)
{
	lock(MCL_CURRENT | MCL_FUTURE);
	enter();
	lock(MCL_CURRENT | MCL_FUTURE);
	use_memory();
	check_filled("all from the beginning");
	bsp_end();
}

int main(void)
{
	if (mlockall(MCL_FUTURE) < 0 || munlockall() < 0)
		skip_all("no memory may be locked here: %s", strerror(errno));
	setenv("BSP_SHM_RESERVE", reserve, 1);
	for (int nprocs = 2; nprocs <= 3 && nprocs <= job_max_nprocs(); nprocs++) {
		lives_ok(locked_in_the_middle, nprocs,
			 "%d processes lock their memory while they run", nprocs);
		lives_ok(locked_before_begin, nprocs, "%d processes are locked when they begin",
			 nprocs);
	}
	return done_testing();
}
