/* SPDX-License-Identifier: BSD-3-Clause */
/* Recordings have what a process computed with a processor, and what of it the library took. */
#include "../lib/spmd.h"

#include "common/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLEPT = 400000000, LITTLE = SLEPT / 4, LARGE = 1 << 20, PUTS = 20 };

static void sleep_as_process_1(void)
{
	struct timespec slept = { .tv_nsec = SLEPT };

	enter();
	if (bsp_pid() == 1)
		nanosleep(&slept, NULL);
	bsp_sync();
	bsp_end();
}

/* Its supersteps: a push; puts of large and small areas, and messages; then nothing. */
static void put_much(void)
{
	static char from[LARGE], to[LARGE];

	enter();
	bsp_push_reg(to, LARGE);
	bsp_sync();
	for (int i = 0; i < PUTS; i++)
		bsp_put(bsp_nprocs() - 1 - bsp_pid(), from, to, 0, LARGE);
	bsp_sync();
	for (int i = 0; i < 100 * PUTS; i++)
		bsp_put(bsp_nprocs() - 1 - bsp_pid(), from, to, 0, LARGE / 512);
	bsp_sync();
	for (int i = 0; i < PUTS; i++)
		bsp_send(bsp_nprocs() - 1 - bsp_pid(), NULL, from, LARGE);
	bsp_sync();
	bsp_end();
}

/* The @n-th call of a process. */
static struct recording_event nth_call(const struct recording *r, int pid, int n)
{
	struct recording_cursor cursor;
	struct recording_event e = { .kind = RECORDING_KINDS };

	recording_begin(&cursor, &r->parts[pid]);
	while (n-- >= 0)
		recording_next(&cursor, &e);
	recording_end(&cursor);
	return e;
}

static void look_at(const char *file)
{
	struct recording_event slept, other;
	struct recording r;
	char why[200] = "";

	if (!ok(recording_open(&r, file, why, sizeof(why)) == 0, "the run is recorded")) {
		diag("%s", why);
		return;
	}
	other = nth_call(&r, 0, 0);
	slept = nth_call(&r, 1, 0);
	is_int(RECORDING_SYNC, slept.kind, "its first call is bsp_sync");
	ok(slept.computed >= SLEPT, "before it the time passed");
	ok(slept.processor < LITTLE, "but there was a processor for little of it");
	ok(other.processor <= other.computed, "the other process has no more than passed");
	recording_close(&r);
}

static bool is_librarys(const struct recording_event *e)
{
	return e->program < e->processor / 2;
}

static void look_at_puts(const char *file)
{
	struct recording_event e[5];
	struct recording r;
	char why[200] = "";

	if (!ok(recording_open(&r, file, why, sizeof(why)) == 0, "the other run is recorded")) {
		diag("%s", why);
		return;
	}
	for (int i = 0; i < 5; i++)
		e[i] = nth_call(&r, 0, i);
	is_int(e[0].processor, e[0].program, "without puts all is the program's");
	ok(is_librarys(&e[1]), "what large puts take is the library's");
	ok(is_librarys(&e[2]), "and what small ones take");
	ok(is_librarys(&e[3]), "and what messages take");
	is_int(RECORDING_LAST, e[4].end, "bsp_end follows");
	is_int(e[4].processor, e[4].program, "and none of that is left for the end");
	for (int i = 1; i < 4; i++)
		diag("%llu ns, of the program %llu", (unsigned long long)e[i].processor,
		     (unsigned long long)e[i].program);
	recording_close(&r);
}

int main(void)
{
	char folder[] = "/tmp/processor.XXXXXX", file[40];

	if (!mkdtemp(folder))
		bail("no folder");
	snprintf(file, sizeof(file), "%s/run", folder);
	setenv("BSP_RECORD", file, 1);
	setenv("BSP_STAT", "1", 1);
	job_run(sleep_as_process_1, 2);
	is_int(0, job_status(), "the program runs");
	ok(strstr(job_err(), "computed the processes had a processor for 0."),
	   "statistics say that there was no processor");
	look_at(file);
	unlink(file);
	job_run(put_much, 2);
	is_int(0, job_status(), "so does one that puts much");
	look_at_puts(file);
	unlink(file);
	rmdir(folder);
	return done_testing();
}
