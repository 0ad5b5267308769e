/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that computes without a processor is seen in recordings and by --stat. */
#include "../lib/spmd.h"

#include "common/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLEPT = 400000000, LITTLE = SLEPT / 4 };

static void sleep_as_process_1(void)
{
	struct timespec slept = { .tv_nsec = SLEPT };

	enter();
	if (bsp_pid() == 1)
		nanosleep(&slept, NULL);
	bsp_sync();
	bsp_end();
}

/* The first call of a process. */
static struct recording_event first_call(const struct recording *r, int pid)
{
	struct recording_cursor cursor;
	struct recording_event e = { .kind = RECORDING_KINDS };

	recording_begin(&cursor, &r->parts[pid]);
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
	other = first_call(&r, 0);
	slept = first_call(&r, 1);
	is_int(RECORDING_SYNC, slept.kind, "its first call is bsp_sync");
	ok(slept.computed >= SLEPT, "before it the time passed");
	ok(slept.processor < LITTLE, "but there was a processor for little of it");
	ok(other.processor <= other.computed, "the other process has no more than passed");
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
	rmdir(folder);
	return done_testing();
}
