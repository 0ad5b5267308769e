/* SPDX-License-Identifier: BSD-3-Clause */
/* The system gets the memory of a superstep with 280 MB back some quiet supersteps later. */
#include "bsp.h"
#include "../lib/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MB = 1 << 20,
	ALL = 280 * MB,		/* bytes of all processes */
	QUIET = 40,		/* supersteps */
	AREA = MB,
	LEFT = 28 * MB,		/* bytes that may be left: a tenth */
};

/*
 * Bytes of this process that are in memory, what it shares included; or the most there ever were.
 */
static long memory(const char *name)
{
	FILE *status = fopen("/proc/self/status", "re");
	char line[200];
	long kb = -1;

	while (status && fgets(line, sizeof line, status))
		if (strncmp(line, name, strlen(name)) == 0)
			kb = strtol(line + strlen(name), NULL, 10);
	if (kb < 0)
		bail("no %s in /proc/self/status", name);
	fclose(status);
	return kb * 1024;
}

/* The most memory is counted from here on. */
static void forget_most(void)
{
	FILE *refs = fopen("/proc/self/clear_refs", "we");

	if (!refs || fputs("5", refs) < 0 || fclose(refs) < 0)
		bail("no /proc/self/clear_refs");
}

static char *area, *source;

static void quiet(int n)
{
	for (int i = 0; i < n; i++) {
		bsp_put((bsp_pid() + 1) % bsp_nprocs(), source, area, 0, 8);
		bsp_sync();
	}
}

static void puts_of(int bytes)
{
	long n = ALL / bsp_nprocs() / bytes;

	for (long i = 0; i < n; i++)
		bsp_put((bsp_pid() + 1) % bsp_nprocs(), source, area, 0, bytes);
	bsp_sync();
}

static void messages_of(int bytes)
{
	long n = ALL / bsp_nprocs() / bytes;

	for (long i = 0; i < n; i++)
		bsp_send((bsp_pid() + 1) % bsp_nprocs(), source, source, bytes);
	bsp_sync();
}

static void goes_back(void (*large)(int bytes), int bytes, const char *what)
{
	long before, most, after;

	quiet(QUIET);
	forget_most();
	before = memory("VmRSS:");
	large(bytes);
	most = memory("VmHWM:");
	quiet(QUIET);
	after = memory("VmRSS:");
	ok(most - before > ALL / bsp_nprocs() / 4, "%s of %d bytes took memory", what, bytes);
	ok(after - before < LEFT, "%s of %d bytes: memory has gone back", what, bytes);
	if (bsp_pid() == 0 || after - before >= LEFT)
		diag("process %d, %s of %d bytes: %ld MB before, %ld MB at most, %ld MB after",
		     bsp_pid(), what, bytes, before / MB, most / MB, after / MB);
}

static void body(void)
{
	bsp_begin(bsp_nprocs());
	tap_process(bsp_pid());
	area = calloc(1, AREA);
	source = calloc(1, AREA);
	if (!area || !source)
		bail("no memory");
	memset(area, 1, AREA);
	memset(source, 2, AREA);
	bsp_push_reg(area, AREA);
	bsp_sync();
	goes_back(puts_of, 100, "puts");
	goes_back(puts_of, 8000, "puts");
	goes_back(puts_of, AREA, "puts");
	goes_back(messages_of, 200, "messages");
	bsp_pop_reg(area);
	bsp_sync();
	free(area);
	free(source);
	bsp_end();
}

int main(void)
{
	if (SANITIZED)
		skip_all("not applicable: memory under sanitizers is not ours to measure");
	lives_ok(body, 0, "memory of a large superstep goes back");
	return done_testing();
}
