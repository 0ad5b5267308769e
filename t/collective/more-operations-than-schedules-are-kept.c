/* SPDX-License-Identifier: BSD-3-Clause */
/* Hundreds of different operations may be under way: schedules that have to go are waited for,
 * alike on all. */
#include "../lib/collective.h"

enum { MANY = 300 };

static bsp_request r[MANY];
static char *src[MANY], *dst[MANY];

static size_t bytes_of(int i)
{
	return (size_t)(1 + i * 7);
}

static void start(int i)
{
	size_t bytes = bytes_of(i);

	src[i] = memory(bytes);
	dst[i] = memory(bytes * (size_t)procs());
	fill(src[i], bytes, number(1, me(), i % 256));
	r[i] = bsp_iallgather(src[i], dst[i], bytes);
}

static void finish(int i)
{
	size_t bytes = bytes_of(i);

	bsp_wait(&r[i]);
	for (int p = 0; p < procs(); p++)
		none_wrong(wrong(dst[i] + (size_t)p * bytes, bytes, number(1, p, i % 256)),
			   "bsp_iallgather", bytes, i);
	free(src[i]);
	free(dst[i]);
}

/*
 * Process 0 waits for the newest first, the others for the oldest, so they need what is kept
 * differently long.
 */
static void body(void)
{
	enter();
	for (int i = 0; i < MANY; i++)
		start(i);
	for (int i = 0; i < MANY; i++)
		finish(me() == 0 ? MANY - 1 - i : i);
	bsp_end();
}

/* Each is waited for at once on one process, and late on the others. */
static void uneven(void)
{
	enter();
	for (int i = 0; i < MANY; i++) {
		start(i);
		if (me() == 1)
			finish(i);
	}
	for (int i = 0; i < MANY && me() != 1; i++)
		finish(i);
	bsp_end();
}

static long resident_kib(void)
{
	char line[200];
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f && fgets(line, sizeof line, f))
		sscanf(line, "%*d %ld", &pages);
	if (f)
		fclose(f);
	return pages * 4;
}

/*
 * A thousand sizes of 64 KiB and more for each process: what is kept of them stays below a bound.
 */
static void bounded(void)
{
	size_t most = 65536 + 1000;
	char *own, *all;
	long before = 0;

	enter();
	own = memory(most);
	all = memory(most * (size_t)procs());
	for (size_t i = 0; i < 1000; i++) {
		if (i == 300)
			before = resident_kib();
		bsp_allgather(own, all, 65536 + i);
	}
	ok(resident_kib() - before < 32 * 1024, "memory does not grow");
	free(own);
	free(all);
	bsp_end();
}

int main(void)
{
	lives_ok(body, 3, "in two orders");
	lives_ok(uneven, 3, "sooner here and later there");
	setenv("BSP_COLL", "allgather:gather-bcast", 1);
	lives_ok(body, 5, "in two orders, other messages");
	if (job_networked())
		not_applicable("memory is that of the library below, too");
	else
		lives_ok(bounded, 2, "a thousand sizes");
	return done_testing();
}
