/* SPDX-License-Identifier: BSD-3-Clause */
/* A put larger than anything that carries it counts one, when its last byte is here. */
#include "../lib/relaxed.h"

enum { LARGE = 24 * 1024 * 1024 + 7, NEEDED_MIB = 800 };

static unsigned char *area, *source;
static int x;
static bool unbuffered;

static void put_large(bsp_pid_t pid)
{
	if (unbuffered)
		bsp_hpput(pid, source, area, 3, LARGE);
	else
		bsp_put(pid, source, area, 3, LARGE);
}

/* With a small put before it, to another area, which is read before or after it. */
static void body(void)
{
	area = malloc(LARGE + 3);
	source = malloc(LARGE);
	if (!area || !source)
		bail("no memory");
	enter_relaxed();
	bsp_push_reg(&x, sizeof x);
	publish(area, LARGE + 3);
	for (int s = 0; s < 3; s++) {
		int v = 100 * s + (int)bsp_pid();

		fill(source, LARGE, (uint32_t)v);
		bsp_put(right(), &v, &x, 0, sizeof v);
		put_large(right());
		bsp_sync();
		if (s % 2)
			bsp_read(&x, 1);
		bsp_read(area, 1);
		is_int(0, wrong(area + 3, LARGE, (uint32_t)(100 * s + (int)left())), "all of it");
		if (s % 2 == 0)
			bsp_read(&x, 1);
		is_int(100 * s + (int)left(), x, "and the small put");
		bsp_sync();	/* in the next superstep an unbuffered put may write at once */
	}
	bsp_end();
	free(area);
	free(source);
}

int main(void)
{
	if (available_mib() < NEEDED_MIB)
		skip_all("needs %d MiB of memory", NEEDED_MIB);
	under_each(body, 2, "24 MiB");
	lives_ok(body, 1, "24 MiB to oneself");
	unbuffered = true;
	under_each(body, 2, "24 MiB unbuffered");
	return done_testing();
}
