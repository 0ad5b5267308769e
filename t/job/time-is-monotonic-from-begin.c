/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_time counts seconds from bsp_begin, and never goes back. */
#include "../lib/spmd.h"

#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Looks at another clock around each bsp_time() bound it, however long the process is stopped. */
static void counts_seconds(void)
{
	double before = now(), first = bsp_time(), after = now(), earliest, last, latest;

	while (now() - after < 0.02)
		continue;
	earliest = now();
	last = bsp_time();
	latest = now();
	ok(last - first >= earliest - after - 1e-6 && last - first <= latest - before + 1e-6,
	   "it counts seconds");
}

static void body(void)
{
	double start = now(), first, last, begun;
	bool back = false, stood = true;

	enter();
	first = bsp_time();
	begun = now();
	ok(first >= 0 && first <= begun - start, "at first it is what has passed since bsp_begin");
	last = first;
	while (now() - begun < 0.02) {
		double t = bsp_time();

		back = back || t < last;
		stood = stood && t == last;
		last = t;
	}
	ok(!back, "it never goes back");
	ok(!stood, "it goes on");
	bsp_sync();
	ok(bsp_time() >= last, "bsp_sync does not set it back");
	counts_seconds();
	bsp_end();
}

int main(void)
{
	lives_ok(body, 0, "on several processes");
	lives_ok(body, 1, "on one process");
	return done_testing();
}
