/* SPDX-License-Identifier: BSD-3-Clause */
/* An area that peers wrote to directly is the process's alone from the call of bsp_pop_reg on. */

/*
 * Programs free an area right after the pop, and memory allocators count on what the kernel does
 * to private pages: MADV_DONTNEED empties them. Puts of peers in that superstep still arrive.
 */
#include "../lib/spmd.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 1 << 20, HALF = SIZE / 2, QUARTER = SIZE / 4 };

static unsigned char source[SIZE], copy[SIZE];
static int flag;

static unsigned char *map_area(void)
{
	void *area = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		bail("no memory for an area");
	return area;
}

/* After these supersteps peers write directly. */
static unsigned char *written_directly(void)
{
	unsigned char *area = map_area();

	fill(source, SIZE, 20 + (uint32_t)bsp_pid());
	bsp_push_reg(&flag, sizeof flag);
	publish(area, SIZE);
	for (int i = 0; i < 3; i++) {
		bsp_hpput(right(), source, area, 0, SIZE);
		bsp_sync();
	}
	is_int(0, wrong(area, SIZE, 20 + (uint32_t)left()), "the puts have arrived");
	return area;
}

static long not_zero(const unsigned char *area)
{
	long n = 0;

	for (size_t i = 0; i < SIZE; i++)
		n += area[i] != 0;
	return n;
}

/* Writes of a child are seen by no other process. */
static bool child_has_a_copy(unsigned char *area)
{
	unsigned char before = area[HALF];
	pid_t child = fork();

	if (child == 0) {
		memset(area, ~before, SIZE);
		_exit(0);
	}
	return waitpid(child, NULL, 0) == child && area[HALF] == before;
}

static void emptied_after_the_pop(void)
{
	unsigned char *area;

	enter();
	area = written_directly();
	bsp_pop_reg(area);
	ok(child_has_a_copy(area), "a child has a copy after the pop");
	madvise(area, SIZE, MADV_DONTNEED);
	is_int(0, not_zero(area), "what was given back to the system after the pop is empty");
	bsp_sync();
	is_int(0, not_zero(area), "also after the bsp_sync");
	bsp_end();
}

static void unmapped_after_the_pop(void)
{
	unsigned char *area, *other;

	enter();
	area = written_directly();
	bsp_pop_reg(area);
	munmap(area, SIZE);
	other = mmap(area, SIZE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	fill(other, SIZE, 7);
	bsp_sync();
	is_int(0, wrong(other, SIZE, 7), "what came to these addresses stays");
	bsp_end();
}

static void emptied_after_the_end(void)
{
	unsigned char *area;
	uint32_t seed;

	enter();
	area = written_directly();
	seed = 20 + (uint32_t)left();
	bsp_end();
	is_int(0, wrong(area, SIZE, seed),
	       "the contents are there after bsp_end");
	ok(child_has_a_copy(area), "a child has a copy after bsp_end");
	madvise(area, SIZE, MADV_DONTNEED);
	is_int(0, not_zero(area), "what was given back to the system after bsp_end is empty");
}

/* Wait for the other process's flag. */
static void await_flag(bsp_pid_t pid)
{
	int raised = 0;

	while (!raised)
		bsp_direct_get(pid, &flag, 0, &raised, sizeof raised);
}

/*
 * Process 0 has popped, and goes on to use what no process puts to, before process 1 puts to one
 * quarter and gets another.
 */
static void put_to_after_the_pop(void)
{
	unsigned char *area;

	enter();
	area = written_directly();
	if (bsp_pid() == 0) {
		fill(area, SIZE, 1);
		bsp_pop_reg(area);
		fill(area + HALF, HALF, 5);
		flag = 1;
	} else {
		await_flag(0);
		fill(source, SIZE, 3);
		bsp_hpput(0, source, area, QUARTER, QUARTER);
		bsp_hpget(0, area, 0, copy, QUARTER);
		bsp_pop_reg(area);
	}
	bsp_sync();
	if (bsp_pid() == 0) {
		is_int(0, wrong(area, QUARTER, 1), "what is left alone stays");
		is_int(0, wrong(area + QUARTER, QUARTER, 3), "a put after the pop arrives");
		is_int(0, wrong(area + HALF, HALF, 5), "no other byte is touched");
	} else {
		is_int(0, wrong(copy, QUARTER, 1), "a get after the pop reads what is there");
	}
	bsp_end();
}

/* Puts of relaxed supersteps may take effect before the end of the superstep of the pop. */
static void read_after_the_pop(void)
{
	unsigned char *area;

	enter();
	area = written_directly();
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	fill(source, SIZE, 40 + (uint32_t)bsp_pid());
	bsp_hpput(right(), source, area, 0, SIZE);
	bsp_sync();
	bsp_pop_reg(area);
	bsp_read(area, 1);
	is_int(0, wrong(area, SIZE, 40 + (uint32_t)left()), "bsp_read after the pop has the put");
	fill(area, HALF, 6);
	bsp_sync();
	is_int(0, wrong(area, HALF, 6), "what is written after bsp_read stays");
	bsp_end();
}

/* A pop means the push of the same superstep, so the older registration goes on. */
static void pop_of_a_new_push(void)
{
	unsigned char *area;

	enter();
	area = written_directly();
	bsp_push_reg(area, SIZE);
	bsp_pop_reg(area);
	bsp_sync();
	fill(source, SIZE, 50 + (uint32_t)bsp_pid());
	bsp_hpput(right(), source, area, 0, SIZE);
	bsp_sync();
	is_int(0, wrong(area, SIZE, 50 + (uint32_t)left()), "the older registration is written to");
	bsp_pop_reg(area);
	madvise(area, SIZE, MADV_DONTNEED);
	is_int(0, not_zero(area), "its pop makes the area private");
	bsp_sync();
	bsp_end();
}

int main(void)
{
	lives_ok(emptied_after_the_pop, 0, "given back to the system after the pop");
	lives_ok(unmapped_after_the_pop, 0, "unmapped after the pop");
	lives_ok(emptied_after_the_end, 0, "given back to the system after bsp_end");
	lives_ok(put_to_after_the_pop, 2, "put to after the pop");
	lives_ok(read_after_the_pop, 0, "puts of relaxed supersteps");
	lives_ok(pop_of_a_new_push, 0, "pushed and popped again in one superstep");
	return done_testing();
}
