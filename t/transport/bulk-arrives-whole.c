/* SPDX-License-Identifier: BSD-3-Clause */
/* Bulk of any size arrives whole, both ways at a time, and nothing around it changes. */
#include "../lib/transports.h"

enum { AROUND = 64, NEEDED_MIB = 12000, STEP = 4096 };

static const size_t sizes[] = {
	0, 1, 63, 64, 65, 4095, 4096, 4097, 65536, 65537, 1 << 20, (1 << 20) + 1, 10000001,
};

static const size_t huge = ((size_t)2 << 30) + 1;

/* @off bytes from where memory is aligned. */
static void both_ways(struct bspt *t, size_t len, size_t off, uint32_t id)
{
	unsigned char *src = malloc(len + off + AROUND), *area = malloc(len + off + 2 * AROUND);
	unsigned char *dst = area + off + AROUND;
	struct bspt_bulk in, out;
	long bad;

	fill(src + off, len, id + (uint32_t)t->me);
	fill(area, len + off + 2 * AROUND, 99);
	receive_bulk(t, &in, prev_of(t), id, dst, len);
	send_bulk(t, &out, next_of(t), id, src + off, len);
	await_bulk(t, &out);
	await_bulk(t, &in);
	bad = wrong(dst, len, id + (uint32_t)prev_of(t));
	fill(dst, 0, 0);
	for (size_t i = 0; i < len; i++)
		dst[i] = pattern(99, (size_t)(dst - area) + i);
	bad += wrong(area, len + off + 2 * AROUND, 99);
	is_int(0, bad, "%zu bytes, %zu from where memory is aligned: wrong ones", len, off);
	meet(t);
	free(src);
	free(area);
}

static void every_size(struct bspt *t)
{
	uint32_t id = 1;

	if (!carries_bulk(t, next_of(t)) || !carries_bulk(t, prev_of(t))) {
		not_applicable("%s does not move in bulk here", t->ops->name);
		return;
	}
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		both_ways(t, sizes[i], 0, id++);
		both_ways(t, sizes[i], 3, id++);
	}
}

static unsigned char *map_huge(void)
{
	void *at = mmap(NULL, huge, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		bail("no address space");
	madvise(at, huge, MADV_HUGEPAGE);	/* for less time; without, too */
	return at;
}

/* Marks in each page, and at the ends. */
static long wrong_marks(const unsigned char *area)
{
	long n = area[huge - 1] != 'z';

	for (size_t i = 0; i < huge - 1; i += STEP)
		n += area[i] != pattern(5, i);
	return n;
}

static void set_marks(unsigned char *area)
{
	for (size_t i = 0; i < huge - 1; i += STEP)
		area[i] = pattern(5, i);
	area[huge - 1] = 'z';
}

static void one_huge(struct bspt *t)
{
	unsigned char *area = map_huge();
	struct bspt_bulk b;

	if (!carries_bulk(t, next_of(t))) {
		not_applicable("%s does not move in bulk here", t->ops->name);
		return;
	}
	if (t->me == 0) {
		set_marks(area);
		send_bulk(t, &b, 1, 7, area, huge);
		await_bulk(t, &b);
	} else {
		receive_bulk(t, &b, 0, 7, area, huge);
		await_bulk(t, &b);
		is_int(0, wrong_marks(area), "marks in 2^31 + 1 bytes that are wrong");
	}
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)64 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };

	over_bulk(every_size, plan, "sizes of all kinds, yielding");
	plan.wait_policy.yield_ns = 0;
	over_bulk(every_size, plan, "sizes of all kinds, sleeping");
	if (SANITIZED)
		not_applicable("2^31 + 1 bytes: a sanitizer takes memory of its own");
	else if (available_mib() < NEEDED_MIB)
		skip("2^31 + 1 bytes: needs %d MiB of memory", NEEDED_MIB);
	else
		over_bulk(one_huge, plan, "2^31 + 1 bytes");
	return done_testing();
}
