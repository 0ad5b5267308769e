/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory in use stays bounded however often areas are exposed and unexposed. */
#include "../lib/windows.h"

enum { TIMES = 600, WARM = 20, BYTES = 1 << 20, GROWTH_PAGES = 512 };

/* Shared pages that are there. Private ones are also the business of malloc() and its checkers. */
static long pages(void)
{
	FILE *statm = fopen("/proc/self/statm", "re");
	long all, resident, shared;

	if (!statm || fscanf(statm, "%ld %ld %ld", &all, &resident, &shared) != 3)
		bail("no /proc/self/statm");
	fclose(statm);
	return shared;
}

static void body(struct bspt *t)
{
	unsigned char *area = map_private(BYTES);
	long before = 0, after;
	int refused = 0;

	fill(area, BYTES, 1);
	for (int i = 0; i < TIMES; i++) {
		struct window w = expose(t, area, BYTES - (size_t)(i % 10) * PAGE);

		refused += w.refused;
		if (!w.refused)
			t->ops->unexpose(t, w.name);
		if (i == WARM)
			before = pages();
	}
	after = pages();
	is_int(0, refused, "areas that could not be exposed");
	ok(after - before <= GROWTH_PAGES, "no more memory after hundreds of times");
	if (after - before > GROWTH_PAGES)
		diag("%ld pages, then %ld", before, after);
	is_int(0, wrong(area, BYTES, 1), "the contents stay");
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)64 << 20 };

	over_windows(body, plan, "an area of 1 MiB");
	return done_testing();
}
