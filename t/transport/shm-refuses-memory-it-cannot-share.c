/* SPDX-License-Identifier: BSD-3-Clause */
/* Shm exposes whole pages of plain private memory, once; all else is refused and kept. */
#include "../lib/windows.h"

#include <fcntl.h>

enum { BYTES = 16 * PAGE };

static void refused(struct bspt *t, void *base, size_t len, const char *kind)
{
	uint64_t window = 12345;
	size_t head = 77, tail = 88;

	t->ops->survey(t);
	is_int(-ENOTSUP, t->ops->expose(t, base, len, &window, &head, &tail), "%s: refused", kind);
	ok(window == 12345 && head == 77 && tail == 88, "%s: nothing is reported", kind);
}

static void *map_program(void)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	void *at = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);

	close(fd);
	return at;
}

static void *map_hole(void)
{
	unsigned char *area = map_private(BYTES);

	munmap(area + BYTES / 2, PAGE);
	return area;
}

static void strange_memory(struct bspt *t)
{
	unsigned char stack[BYTES];
	void *read_only = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *shared = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	memset(stack, 7, sizeof stack);
	refused(t, stack, sizeof stack, "stack");
	ok(stack[0] == 7 && stack[BYTES - 1] == 7, "stack: as it was");
	refused(t, read_only, BYTES, "read-only");
	refused(t, shared, BYTES, "shared by the program");
	refused(t, map_program(), PAGE, "a file");
	refused(t, map_hole(), BYTES, "with a hole");
}

static void strange_sizes(struct bspt *t)
{
	unsigned char *area = map_private(BYTES), *large = map_private((size_t)1 << 30);

	refused(t, area, 0, "no byte");
	refused(t, area, PAGE - 1, "less than a page");
	refused(t, area + 1, 2 * PAGE - 2, "no whole page");
	refused(t, area + 1, SIZE_MAX, "to the end of addresses and on");
	refused(t, NULL, PAGE, "no address");
	large[0] = large[((size_t)1 << 30) - 1] = 9;
	refused(t, large, (size_t)1 << 30, "more than all shared memory");
	ok(large[0] == 9 && large[((size_t)1 << 30) - 1] == 9, "more than all: as it was");
}

static void overlapping(struct bspt *t)
{
	unsigned char *area = map_private(3 * BYTES);
	struct window w;

	fill(area, 3 * BYTES, 3);
	w = expose(t, area + BYTES, BYTES);
	ok(!w.refused, "the middle third is exposed");
	refused(t, area + BYTES, BYTES, "the same again");
	refused(t, area, 3 * BYTES, "what contains it");
	refused(t, area + BYTES + PAGE, 2 * PAGE, "a part of it");
	refused(t, area, BYTES + 2 * PAGE, "what ends in it");
	refused(t, area + 2 * BYTES - 2 * PAGE, 3 * PAGE, "what begins in it");
	ok(wrong(area, 3 * BYTES, 3) == 0, "all is as it was");
	t->ops->unexpose(t, w.name);
	ok(wrong(area, 3 * BYTES, 3) == 0, "and after unexpose");
	w = expose(t, area, 3 * BYTES);
	ok(!w.refused, "now the whole is exposed");
	t->ops->unexpose(t, w.name);
}

/* A page can only belong to one window, but windows may share the page they do not cover. */
static void neighbours(struct bspt *t)
{
	unsigned char *area = map_private(2 * BYTES);
	struct window low, high;

	fill(area, 2 * BYTES, 4);
	low = expose(t, area, BYTES + 100);
	high = expose(t, area + BYTES + 100, BYTES - 100);
	ok(!low.refused && !high.refused, "neighbours in a page are both exposed");
	is_int(100, (long)low.tail, "neither covers their common page: tail");
	is_int(PAGE - 100, (long)high.head, "neither covers their common page: head");
	t->ops->unexpose(t, low.name);
	t->ops->unexpose(t, high.name);
	ok(wrong(area, 2 * BYTES, 4) == 0, "all is as it was");
}

/* A peer that writes when it must not any more does no harm. */
static void private_again(struct bspt *t)
{
	unsigned char *area = map_private(BYTES);
	struct window mine, theirs;

	fill(area, BYTES, 5);
	mine = expose(t, area, BYTES);
	theirs = exchange(t, &mine, next_of(t));
	t->ops->unexpose(t, mine.name);
	meet(t);
	t->ops->window_write(t, next_of(t), theirs.name, 0, "late", 4);
	meet(t);
	ok(wrong(area, BYTES, 5) == 0, "what is written after unexpose is not seen");
	ok(is_private(area, BYTES), "the memory is private again");
	meet(t);
}

static void body(struct bspt *t)
{
	strange_memory(t);
	strange_sizes(t);
	overlapping(t);
	neighbours(t);
	private_again(t);
}

int main(void)
{
	const struct bspt_ops *shm = bspt_find("shm");

	if (!shm || !is_wanted(shm))
		skip_all("not applicable: this is about shm");
	over(shm, body, (struct bspt_plan){ .nprocs = 2, .reserve_bytes = (size_t)256 << 20 },
	     "refusals");
	return done_testing();
}
