/* SPDX-License-Identifier: BSD-3-Clause */
/* Shm makes no window in a process that has half of the mappings that the system allows. */
#include "../lib/windows.h"

enum { BYTES = 16 * PAGE };

static long mappings_most(void)
{
	FILE *file = fopen("/proc/sys/vm/max_map_count", "r");
	long most = 0;

	if (!file || fscanf(file, "%ld", &most) != 1)
		skip_all("no /proc/sys/vm/max_map_count here");
	fclose(file);
	return most;
}

/* Two mappings each: every second page has another protection. */
static unsigned char *map_pages_apart(long pairs)
{
	unsigned char *at = map_private((size_t)pairs * 2 * PAGE);

	for (long i = 0; i < pairs; i++)
		if (mprotect(at + i * 2 * PAGE, PAGE, PROT_READ))
			bail("mprotect: %s", strerror(errno));
	return at;
}

static bool is_exposed(struct bspt *t, unsigned char *area)
{
	struct window w = expose(t, area, BYTES);

	if (!w.refused)
		t->ops->unexpose(t, w.name);
	return !w.refused;
}

static void body(struct bspt *t)
{
	long pairs = mappings_most() / 4;
	unsigned char *area = map_private(BYTES), *many;

	fill(area, BYTES, 1);
	ok(is_exposed(t, area), "with few mappings there is a window");
	many = map_pages_apart(pairs);
	ok(!is_exposed(t, area), "with half of those allowed there is none");
	munmap(many, (size_t)pairs * 2 * PAGE);
	ok(is_exposed(t, area), "when they are gone there is one again");
	ok(wrong(area, BYTES, 1) == 0, "the contents stay");
	meet(t);
}

int main(void)
{
	const struct bspt_ops *shm = bspt_find("shm");

	if (!shm || !is_wanted(shm))
		skip_all("not applicable: this is about shm");
	if (mappings_most() > 1 << 20)
		skip_all("not applicable: this system allows any number of mappings");
	over(shm, body, (struct bspt_plan){ .nprocs = 2, .reserve_bytes = (size_t)256 << 20 },
	     "many mappings");
	return done_testing();
}
