/* SPDX-License-Identifier: BSD-3-Clause */
/* Unexpose changes nothing that came in the place of an area and loses nothing of its rest. */

/*
 * A program may free an area and withdraw its registration only then; free()
 * gives all of it back to the kernel, or a part, or nothing, and what it keeps
 * serves the next malloc(). So what still shows shared pages after unexpose() must
 * not show those that the next window or chunk is made of.
 */

#include "../lib/windows.h"

enum { BYTES = 64 * PAGE, HALF = BYTES / 2 };

/* Use whatever memory unexpose() has given back. */
static void use_again(struct bspt *t)
{
	for (int i = 0; i < 4; i++) {
		unsigned char *area = map_private(BYTES);
		struct window w;

		w = expose(t, area, BYTES);
		fill(area, BYTES, 100);
		if (i % 2 && !w.refused)
			t->ops->unexpose(t, w.name);
	}
	for (uint32_t i = 0; i < 8; i++)
		post(t, next_of(t), i, BYTES);
	for (uint32_t i = 0; i < 8; i++)
		fetch(t, prev_of(t), i, BYTES);
}

static struct window exposed(struct bspt *t, unsigned char **area)
{
	struct window w;

	*area = map_private(BYTES);
	fill(*area, BYTES, 1);
	w = expose(t, *area, BYTES);
	if (w.refused)
		bail("a mapping was refused");
	return w;
}

static void map_over(unsigned char *at, size_t len)
{
	if (mmap(at, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		 -1, 0) != at)
		bail("cannot map over an area");
	fill(at, len, 2);
}

static void replaced(struct bspt *t)
{
	unsigned char *area;
	struct window w = exposed(t, &area);

	map_over(area, BYTES);
	t->ops->unexpose(t, w.name);
	use_again(t);
	is_int(0, wrong(area, BYTES, 2), "all replaced: what came there stays");
	meet(t);
}

static void removed(struct bspt *t)
{
	unsigned char *area;
	struct window w = exposed(t, &area);
	int err;

	munmap(area, BYTES);
	t->ops->unexpose(t, w.name);
	err = mprotect(area, PAGE, PROT_READ);
	is_int(-1, err, "all removed: nothing comes there");
	use_again(t);
	meet(t);
}

static void half_removed(struct bspt *t)
{
	unsigned char *area;
	struct window w = exposed(t, &area);

	munmap(area + HALF, HALF);
	t->ops->unexpose(t, w.name);
	is_int(0, wrong(area, HALF, 1), "half removed: the rest stays");
	use_again(t);
	is_int(0, wrong(area, HALF, 1), "half removed: the rest is the program's alone");
	meet(t);
}

static void middle_replaced(struct bspt *t)
{
	unsigned char *area;
	struct window w = exposed(t, &area);

	map_over(area + HALF, PAGE);
	t->ops->unexpose(t, w.name);
	use_again(t);
	is_int(0, wrong(area + HALF, PAGE, 2), "middle replaced: what came there stays");
	is_int(0, wrong_part(area, 0, HALF, 1), "middle replaced: so does what is before it");
	is_int(0, wrong_part(area, HALF + PAGE, BYTES, 1), "middle replaced: and behind it");
	meet(t);
}

static void moved(struct bspt *t)
{
	unsigned char *area, *elsewhere = map_private(BYTES);
	struct window w = exposed(t, &area);

	if (mremap(area, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, elsewhere) != elsewhere)
		bail("cannot move an area");
	t->ops->unexpose(t, w.name);
	use_again(t);
	is_int(0, wrong(elsewhere, BYTES, 1), "moved: the contents are the program's alone");
	meet(t);
}

static void body(struct bspt *t)
{
	replaced(t);
	removed(t);
	half_removed(t);
	middle_replaced(t);
	moved(t);
}

int main(void)
{
	const struct bspt_ops *shm = bspt_find("shm");

	if (!shm || !is_wanted(shm))
		skip_all("not applicable: this is about shm");
	over(shm, body, (struct bspt_plan){ .nprocs = 2, .reserve_bytes = (size_t)512 << 20 },
	     "areas that went before they were unexposed");
	return done_testing();
}
