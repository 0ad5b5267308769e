/* SPDX-License-Identifier: BSD-3-Clause */
/* Gets of many MiB, buffered or not, count one each and return all their bytes. */
#include "../lib/relaxed.h"

enum { LARGE = 12 * 1024 * 1024 + 5, NEEDED_MIB = 500 };

static unsigned char *area, *copy;
static bool unbuffered;

static void body(void)
{
	area = malloc(LARGE);
	copy = malloc(LARGE);
	if (!area || !copy)
		bail("no memory");
	enter_relaxed();
	publish(area, LARGE);
	for (int s = 0; s < 3; s++) {
		fill(area, LARGE, (uint32_t)(10 * s + (int)bsp_pid()));
		bsp_sync();	/* an unbuffered get may read at once */
		bsp_serve(area, 1);
		if (unbuffered)
			bsp_hpget(right(), area, 0, copy, LARGE);
		else
			bsp_get(right(), area, 0, copy, LARGE);
		bsp_sync();
		fill(area, LARGE, 4711);
		is_int(0, wrong(copy, LARGE, (uint32_t)(10 * s + (int)right())), "all of it");
	}
	bsp_end();
	free(area);
	free(copy);
}

int main(void)
{
	if (available_mib() < NEEDED_MIB)
		skip_all("needs %d MiB of memory", NEEDED_MIB);
	under_each(body, 2, "12 MiB");
	lives_ok(body, 1, "12 MiB from oneself");
	unbuffered = true;
	under_each(body, 2, "12 MiB unbuffered");
	return done_testing();
}
