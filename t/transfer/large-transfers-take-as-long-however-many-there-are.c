/* SPDX-License-Identifier: BSD-3-Clause */
/* A large transfer takes as long among many as among few, to the same place or to places of their
 * own. */
#include "../lib/growth.h"
#include "../lib/spmd.h"

enum { LARGE = 40000, MANY = 4096 };

static char area[LARGE * 64], source[LARGE];

static void to_one_place(long n)
{
	for (long i = 0; i < n; i++)
		bsp_put(0, source, area, 0, LARGE);
	bsp_sync();
}

static void to_places_of_their_own(long n)
{
	for (long i = 0; i < n; i++)
		bsp_put(0, source, area, i % 64 * LARGE, LARGE);
	bsp_sync();
}

static void from_one_place(long n)
{
	for (long i = 0; i < n; i++)
		bsp_get(0, area, 0, source, LARGE);
	bsp_sync();
}

static void body(void)
{
	double each_ns = 5000 + fresh_ns(LARGE);

	enter();
	publish(area, sizeof area);
	grows_as_n(to_one_place, MANY, each_ns, "puts to one place");
	grows_as_n(to_places_of_their_own, MANY, each_ns, "puts to places of their own");
	grows_as_n(from_one_place, MANY, each_ns, "gets to one place");
	bsp_end();
}

int main(void)
{
	lives_ok(body, 3, "large transfers");
	return done_testing();
}
