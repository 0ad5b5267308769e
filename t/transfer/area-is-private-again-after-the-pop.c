/* SPDX-License-Identifier: BSD-3-Clause */
/* An area that hp transfers used can be freed after its pop, and its memory used anew. */
#include "../lib/spmd.h"

#include <sys/mman.h>

static const size_t sizes[] = { 90000, 1000000, 70000, 4000000, 131072, 1000000 };

/* Rotate by hpput through an area that comes and goes; what comes next starts empty. */
static long once(size_t size, uint32_t seed)
{
	unsigned char *source = malloc(size), *area = malloc(size), *fresh;
	long bad;

	fill(source, size, seed + (uint32_t)bsp_pid());
	publish(area, size);
	bsp_hpput(right(), source, area, 0, (bsp_size_t)size);
	bsp_sync();
	bad = wrong(area, size, seed + (uint32_t)left());
	bsp_sync();
	bsp_hpput(right(), source, area, 0, (bsp_size_t)size);
	bsp_pop_reg(area);
	bsp_sync();
	bad += wrong(area, size, seed + (uint32_t)left());
	fill(area, size, 500 + (uint32_t)bsp_pid());
	bsp_sync();
	bad += wrong(area, size, 500 + (uint32_t)bsp_pid());
	free(area);
	fresh = calloc(1, size);
	for (size_t i = 0; i < size; i++)
		bad += fresh[i] != 0;
	free(fresh), free(source);
	return bad;
}

static void malloced(void)
{
	long bad = 0;

	enter();
	for (size_t i = 0; i < 3 * sizeof sizes / sizeof *sizes; i++)
		bad += once(sizes[i % (sizeof sizes / sizeof *sizes)], 10 * (uint32_t)i);
	is_int(0, bad, "no byte is wrong");
	bsp_end();
}

/* The same addresses, mapped anew each time. */
static void mapped_anew(void)
{
	enum { SIZE = 1 << 20 };
	static unsigned char source[SIZE];
	long bad = 0;
	unsigned char *area = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	enter();
	for (uint32_t round = 0; round < 5; round++) {
		for (size_t i = 0; i < SIZE; i += 512)
			bad += area[i] != 0;
		fill(source, SIZE, 10 * round + (uint32_t)bsp_pid());
		publish(area, SIZE);
		bsp_hpput(right(), source, area, 0, SIZE);
		bsp_sync();
		bad += wrong(area, SIZE, 10 * round + (uint32_t)left());
		bsp_pop_reg(area);
		bsp_sync();
		munmap(area, SIZE);
		area = mmap(area, SIZE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	}
	is_int(0, bad, "no byte is wrong");
	bsp_end();
}

int main(void)
{
	lives_ok(malloced, 2, "malloced and freed");
	lives_ok(malloced, 3, "malloced and freed on three");
	lives_ok(mapped_anew, 2, "mapped and unmapped");
	lives_ok(mapped_anew, 1, "mapped and unmapped on one process");
	return done_testing();
}
