/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_section is local, nests and spans supersteps; ends that do not match are named. */
#include "../lib/spmd.h"

#include <stdio.h>

static void good(void)
{
	char name[8] = "copied";

	bsp_section_end("none");	/* outside: no call at all */
	bsp_section(NULL);
	enter();
	if (bsp_pid() == 0) {
		bsp_section(name);
		strcpy(name, "other");
	}
	bsp_section("outer");
	bsp_sync();
	bsp_section("outer");
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	bsp_sync();
	bsp_section_end("outer");
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	bsp_section_end("outer");
	if (bsp_pid() == 0)
		bsp_section_end("copied");
	for (int i = 0; i < 1000; i++) {
		char many[20];

		snprintf(many, sizeof(many), "many %d", i);
		bsp_section(many);
	}
	ok(1, "sections of one process, nested, of one name, over supersteps, 1000 at a time");
	bsp_end();
	bsp_section_end("none");
}

/* A section left open in one part is not open in the next. */
static void open_at_the_end(void)
{
	bsp_begin(1);
	bsp_section("open");
	bsp_end();
	bsp_begin(1);
	bsp_section_end("open");
	bsp_end();
}

static void mismatch(void)
{
	enter();
	bsp_section("a");
	bsp_section("b");
	bsp_section_end("b");
	bsp_section_end("c");
	bsp_end();
}

static void no_begin(void)
{
	enter();
	bsp_section_end("solve");
	bsp_end();
}

static void no_name(void)
{
	enter();
	bsp_section(NULL);
	bsp_end();
}

static void empty_name(void)
{
	enter();
	bsp_section("");
	bsp_end();
}

static void long_name(void)
{
	char name[102];

	memset(name, 'x', 101);
	name[101] = '\0';
	enter();
	bsp_section_end(name);
	bsp_end();
}

/* Both lines follow from where the function stands: they are 3 apart. */
static void names_both_lines(void)
{
	int begun = 0, ended = 0;
	const char *at;

	dies_ok(mismatch, 1, "bsp_section_end", "an end of another name");
	at = strstr(job_err(), "\"a\", by bsp_section at ");
	ok(at != NULL, "the section that is open is named");
	if (at)
		sscanf(strchr(at, ':'), ":%d", &begun);
	at = strrchr(job_err(), ':');
	ok(strstr(job_err(), "section \"c\" is to end") != NULL, "and the one that is to end");
	if (at)
		sscanf(at, ":%d", &ended);
	ok(begun > 0, "with the line of its call");
	is_int(3, ended - begun, "and the line of the other");
}

int main(void)
{
	lives_ok(good, 0, "a program with sections runs");
	names_both_lines();
	dies_ok(no_begin, 0, "bsp_section_end", "an end without a beginning");
	ok(strstr(job_err(), "call bsp_section(\"solve\") before"), "says what to do");
	dies_ok(open_at_the_end, 1, "bsp_section_end", "an end of a section of the part before");
	dies_ok(no_name, 0, "bsp_section", "no name");
	dies_ok(empty_name, 0, "bsp_section", "an empty name");
	dies_ok(long_name, 0, "bsp_section_end", "a name of 101 bytes");
	return done_testing();
}
