/* SPDX-License-Identifier: BSD-3-Clause */
/* Large areas used by hpput and hpget over several supersteps keep what they hold, and neighbours
 * too. */
#include "../lib/spmd.h"

#include <sys/mman.h>

enum { SIZE = 300007, MARGIN = 5003, ROOM = SIZE + 2 * MARGIN, STEPS = 4 };

static unsigned char static_room[ROOM];
static unsigned char source[SIZE], copy[SIZE];

/* Seeds that differ for every use, process and superstep. */
static uint32_t seed(int use, int step, bsp_pid_t pid)
{
	return (uint32_t)(1000 * use + 10 * step) + 100000 * (uint32_t)pid;
}

/* Gets return the contents from before its pages were shared, and local writes afterwards. */
static long get_all(unsigned char *area, int step)
{
	bsp_sync();
	bsp_hpget(right(), area, 0, copy, SIZE);
	bsp_sync();
	return wrong(copy, SIZE, seed(2, step, right()));
}

static long put_all(unsigned char *area, int step)
{
	fill(source, SIZE, seed(1, step, bsp_pid()));
	bsp_hpput(right(), source, area, 0, SIZE);
	bsp_sync();
	return wrong(area, SIZE, seed(1, step, left()));
}

/* Buffered and unbuffered, first and last bytes. */
static long put_ends(unsigned char *area, int step)
{
	fill(area, SIZE, seed(3, step, bsp_pid()));
	fill(source, SIZE, seed(4, step, bsp_pid()));
	bsp_sync();
	bsp_hpput(right(), source, area, 0, 70000);
	bsp_put(right(), source + SIZE - 70000, area, SIZE - 70000, 70000);
	bsp_sync();
	return wrong(area, 70000, seed(4, step, left())) +
	       wrong_from(area + 70000, SIZE - 140000, seed(3, step, bsp_pid()), 70000) +
	       wrong_from(area + SIZE - 70000, 70000, seed(4, step, left()), SIZE - 70000);
}

static void exercise(unsigned char *room, const char *kind)
{
	unsigned char *area = room + MARGIN;
	long got = 0, put = 0, ends = 0;

	fill(room, ROOM, 77);
	publish(area, SIZE);
	for (int step = 0; step < STEPS; step++) {
		fill(area, SIZE, seed(2, step, bsp_pid()));
		got += get_all(area, step);
		put += put_all(area, step);
		ends += put_ends(area, step);
	}
	fill(area, SIZE, 99);
	bsp_pop_reg(area);
	bsp_sync();
	is_int(0, got, "hpget from %s", kind);
	is_int(0, put, "hpput to %s", kind);
	is_int(0, ends, "hpput and put to the ends of %s", kind);
	is_int(0, wrong(area, SIZE, 99), "%s keeps its contents when popped", kind);
	is_int(0, wrong(room, MARGIN, 77) +
	       wrong_from(room + MARGIN + SIZE, MARGIN, 77, MARGIN + SIZE),
	       "the neighbours of %s are untouched", kind);
}

static void body(void)
{
	unsigned char stack_room[ROOM];
	unsigned char *heap_room = malloc(ROOM);
	unsigned char *mapped = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	enter();
	exercise(static_room, "static memory");
	exercise(heap_room, "malloced memory");
	exercise(stack_room, "the stack");
	exercise(mapped, "mapped memory");
	exercise(static_room, "static memory again");
	bsp_end();
	free(heap_room);
	munmap(mapped, ROOM);
}

int main(void)
{
	lives_ok(body, 2, "on two processes");
	lives_ok(body, 3, "on three processes");
	lives_ok(body, 1, "on one process");
	return done_testing();
}
