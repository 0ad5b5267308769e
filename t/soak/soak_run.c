/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_run.c - a random program: its beginning, its supersteps, its end. */

#include "soak.h"

#include <stdarg.h>
#include <stdio.h>

void (*soak_failed)(void);

void soak_fail(const char *format, ...)
{
	char text[400];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	fprintf(stderr, "soak: seed %llu, superstep %d of %d (%s, %s), process %d of %d: %s\n",
		(unsigned long long)soak.seed, soak.step, soak.steps, soak.phase->name,
		soak.relaxed ? "relaxed" : "classic", soak.me, soak.nprocs, text);
	if (soak_failed)
		soak_failed();
	bsp_abort("%s", text);
}

void soak_begin(void)
{
	const char *sync = getenv("BSP_SYNC"), *barrier = getenv("BSP_BARRIER");

	if (soak.coll)
		force_algorithms(soak.coll - 1);
	bsp_begin(bsp_nprocs());
	soak.nprocs = (int)bsp_nprocs();
	soak.me = (int)bsp_pid();
	if (soak.nprocs > PROCS)
		bsp_abort("soak: at most %d processes", PROCS);
	soak.forced = (sync && !strcmp(sync, "classic")) ||
		      (barrier && !strcmp(barrier, "twophase"));
	soak_model_open();
	soak_neighbors_open();
	soak_arena_open();
	memcpy(soak_arena(), soak_memory(soak.me), ARENA);
}

void soak_supersteps(void)
{
	for (soak.step = 0; soak.step < soak.steps; soak.step++) {
		soak_plan();
		soak_make();
		soak_run();
	}
}

void soak_end(void)
{
	bsp_end();
	soak.nops = 0;
	soak_check_memory();
	soak_model_close();
	soak_arena_close();
}
