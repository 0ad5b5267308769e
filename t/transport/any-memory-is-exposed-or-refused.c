/* SPDX-License-Identifier: BSD-3-Clause */
/* Any memory offered to expose is within reach or refused, and is never damaged. */
#include "../lib/windows.h"

#include <fcntl.h>

enum { BYTES = 16 * PAGE };

static const unsigned char constant[BYTES] = { 1, 2, 3 };

/* Expose, let the next process read, unexpose: the contents are the same at any time. */
static void check(struct bspt *t, void *base, size_t len, const char *kind)
{
	unsigned char *before = malloc(len), *seen = malloc(len);
	struct window mine, theirs;

	memcpy(before, base, len);
	mine = expose(t, base, len);
	ok(memcmp(base, before, len) == 0, "%s: the same after expose", kind);
	theirs = exchange(t, &mine, next_mate(t));
	if (!theirs.refused) {
		read_window(t, next_mate(t), theirs.name, theirs.head, seen, reach(&theirs));
		ok(memcmp(seen, before + theirs.head, reach(&theirs)) == 0, "%s: can be read",
		   kind);
	}
	meet(t);
	if (!mine.refused)
		t->ops->unexpose(t, mine.name);
	ok(memcmp(base, before, len) == 0, "%s: the same after unexpose", kind);
	free(before);
	free(seen);
	meet(t);
}

static void *map_program(size_t len)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	void *at = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

	close(fd);
	if (at == MAP_FAILED)
		bail("cannot map the program");
	return at;
}

/* Two areas with pages in common; whichever is exposed works. */
static void overlapping(struct bspt *t)
{
	unsigned char *area = map_private(2 * BYTES);
	struct window first, second;

	fill(area, 2 * BYTES, 5);
	first = expose(t, area, BYTES);
	second = expose(t, area + BYTES / 2, BYTES);
	ok(wrong(area, 2 * BYTES, 5) == 0, "overlapping: the same after both were offered");
	if (!second.refused)
		t->ops->unexpose(t, second.name);
	ok(wrong(area, 2 * BYTES, 5) == 0, "overlapping: the same after the second");
	if (!first.refused)
		t->ops->unexpose(t, first.name);
	ok(wrong(area, 2 * BYTES, 5) == 0, "overlapping: the same after both");
	check(t, area, 2 * BYTES, "what was exposed before");
}

static void body(struct bspt *t)
{
	unsigned char stack[BYTES];
	unsigned char *mixture = map_private(BYTES);
	void *read_only = map_private(BYTES);
	void *shared = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	memset(stack, 7, sizeof stack);
	check(t, stack, sizeof stack, "stack");
	check(t, (void *)(uintptr_t)constant, sizeof constant, "constants");
	memset(read_only, 8, BYTES);
	mprotect(read_only, BYTES, PROT_READ);
	check(t, read_only, BYTES, "read-only");
	memset(mixture, 9, BYTES);
	mprotect(mixture + BYTES / 2, PAGE, PROT_READ);
	check(t, mixture, BYTES, "read-only in the middle");
	memset(shared, 10, BYTES);
	check(t, shared, BYTES, "shared by the program");
	check(t, map_program(2 * PAGE), 2 * PAGE, "a file");
	overlapping(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)256 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };

	over_windows(body, plan, "memory of all kinds");
	return done_testing();
}
