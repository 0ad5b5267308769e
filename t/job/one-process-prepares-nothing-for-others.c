/* SPDX-License-Identifier: BSD-3-Clause */
/* A job of one process reserves no memory for messages to others, over any transport. */
#include "../lib/spmd.h"

#include <stdio.h>

enum { MIB_MOST = 512 };	/* over shm two processes reserve GiB */

/* Address space in use, MiB. */
static long mebibytes(void)
{
	FILE *statm = fopen("/proc/self/statm", "r");
	long pages;

	if (!statm || fscanf(statm, "%ld", &pages) != 1)
		bail("no /proc/self/statm");
	fclose(statm);
	return pages / 256;
}

static void alone(void)
{
	long before = mebibytes();

	enter();
	ok(mebibytes() - before < MIB_MOST, "little address space is taken");
	bsp_end();
}

int main(void)
{
	lives_ok(alone, 1, "one process");
	return done_testing();
}
