/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers of 1 byte to several MiB, aligned or not, arrive whole and touch nothing else. */
#include "../lib/spmd.h"

enum { MOST = 5 * 1024 * 1024 + 3, MARGIN = 64, ROOM = MOST + 2 * MARGIN };

static const int sizes[] = {
	1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 255, 257, 1000,
	4095, 4096, 4097, 16383, 16384, 16385, 32767, 65535, 65536, 65537, 131071, 131073,
	262144, 1048575, 1048576, 1048577, 3000000, MOST,
};

static unsigned char area[ROOM], source[ROOM], copy[ROOM];

static long touched(const unsigned char *bytes, size_t n)
{
	long count = 0;

	for (size_t i = 0; i < n; i++)
		count += bytes[i] != 0xa5;
	return count;
}

/* Bytes that are not as they must be after @size bytes came to @at, in a place of 0xa5. */
static long damage(const unsigned char *place, size_t at, size_t size, uint32_t seed)
{
	return wrong(place + at, size, seed) + touched(place + at - 16, 16) +
	       touched(place + at + size, 16);
}

static long transfer(int size, size_t at, bool hp)
{
	uint32_t me = (uint32_t)bsp_pid();
	long bad;

	memset(area, 0xa5, at + (size_t)size + MARGIN);
	memset(copy, 0xa5, at + (size_t)size + MARGIN);
	fill(source + at, (size_t)size, me);
	bsp_sync();
	if (hp) {
		bsp_hpput(right(), source + at, area, (bsp_size_t)at, size);
		bsp_hpget(right(), source, (bsp_size_t)at, copy + at, size);
	} else {
		bsp_put(right(), source + at, area, (bsp_size_t)at, size);
		bsp_get(right(), source, (bsp_size_t)at, copy + at, size);
	}
	bsp_sync();
	bad = damage(area, at, (size_t)size, (uint32_t)left()) +
	      damage(copy, at, (size_t)size, (uint32_t)right());
	if (bad)
		diag("%ld bytes wrong of %d at %zu", bad, size, at);
	return bad;
}

static void all_sizes(bool hp)
{
	long bad = 0;

	enter();
	bsp_push_reg(source, sizeof source);
	publish(area, sizeof area);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		bad += transfer(sizes[i], MARGIN, hp);
		bad += transfer(sizes[i], MARGIN - 16 + i % 32, hp);
	}
	is_int(0, bad, "no byte is wrong");
	bsp_end();
}

static void buffered(void)
{
	all_sizes(false);
}

static void unbuffered(void)
{
	all_sizes(true);
}

int main(void)
{
	lives_ok(buffered, 2, "put and get");
	lives_ok(unbuffered, 2, "hpput and hpget");
	lives_ok(buffered, 3, "put and get among three");
	lives_ok(buffered, 1, "put and get on one process");
	lives_ok(unbuffered, 1, "hpput and hpget on one process");
	return done_testing();
}
