/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording has the sections of each process: names, lines, and where they are between calls. */
#include "../lib/spmd.h"

#include "common/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void with_sections(void)
{
	char name[] = "setup";

	enter();
	bsp_section(name);
	memset(name, 'x', 5);
	bsp_sync();
	if (bsp_pid() == 1) {
		bsp_section("inner");
		bsp_section_end("inner");
	}
	bsp_section_end("setup");
	bsp_end();
}

/* Events of a process in a line; their times, which are in order, are looked at. */
static const char *events_of(const struct recording *r, int pid, bool with_sections_too)
{
	static char text[400];
	struct recording_cursor cursor;
	struct recording_event e;
	uint64_t last = 0;

	text[0] = '\0';
	recording_begin(&cursor, &r->parts[pid]);
	cursor.with_sections = with_sections_too;
	while (recording_next(&cursor, &e)) {
		size_t len = strlen(text);

		snprintf(text + len, sizeof(text) - len, "%s%s%s%s", len ? " " : "",
			 e.kind == RECORDING_SECTION ? "+" :
			 e.kind == RECORDING_SECTION_END ? "-" : "",
			 e.kind == RECORDING_SYNC && !e.name[0] ? "sync" : e.name,
			 strstr(e.site, "recordings-have-sections.c:") ? "" : " nowhere");
		if (e.begin < last)
			snprintf(text, sizeof(text), "times run backwards");
		last = e.finish;
	}
	recording_end(&cursor);
	return text;
}

static void look_at(const char *file)
{
	struct recording r;
	char why[200] = "";

	if (!ok(recording_open(&r, file, why, sizeof(why)) == 0, "the run is recorded")) {
		diag("%s", why);
		return;
	}
	is_str("+setup sync -setup bsp_end", events_of(&r, 0, true), "process 0");
	is_str("+setup sync +inner -inner -setup bsp_end", events_of(&r, 1, true), "process 1");
	is_str("sync bsp_end", events_of(&r, 1, false), "a reader may do without them");
	recording_close(&r);
}

int main(void)
{
	char folder[] = "/tmp/sections.XXXXXX", file[40];

	if (!mkdtemp(folder))
		bail("no folder");
	snprintf(file, sizeof(file), "%s/run", folder);
	setenv("BSP_RECORD", file, 1);
	job_run(with_sections, 2);
	is_int(0, job_status(), "the program runs");
	look_at(file);
	unlink(file);
	rmdir(folder);
	return done_testing();
}
