/* SPDX-License-Identifier: BSD-3-Clause */
/* Hpput and hpget have happened when bsp_sync returns, to oneself with overlap too. */
#include "../lib/spmd.h"

static void neighbours(size_t size)
{
	unsigned char *area = malloc(size), *source = malloc(size), *copy = malloc(size);

	enter();
	bsp_push_reg(source, (bsp_size_t)size);
	publish(area, size);
	fill(source, size, (uint32_t)bsp_pid());
	bsp_hpput(right(), source, area, 0, (bsp_size_t)size);
	bsp_sync();
	is_int(0, wrong(area, size, (uint32_t)left()), "hpput of %zu bytes", size);
	bsp_hpget(right(), source, 0, copy, (bsp_size_t)size);
	bsp_sync();
	is_int(0, wrong(copy, size, (uint32_t)right()), "hpget of %zu bytes", size);
	bsp_end();
	free(area), free(source), free(copy);
}

static void small(void)
{
	neighbours(24);
}

static void large(void)
{
	neighbours(3000001);
}

static void overlap(size_t size, size_t shift)
{
	unsigned char *area = calloc(1, size);

	publish(area, size);
	fill(area, size, 1);
	bsp_hpput(bsp_pid(), area, area, (bsp_size_t)shift, (bsp_size_t)(size - shift));
	bsp_sync();
	is_int(0, wrong(area + shift, size - shift, 1), "%zu of %zu bytes up", shift, size);
	fill(area, size, 2);
	bsp_hpput(bsp_pid(), area + shift, area, 0, (bsp_size_t)(size - shift));
	bsp_sync();
	is_int(0, wrong_from(area, size - shift, 2, shift), "%zu of %zu bytes down", shift, size);
	fill(area, size, 3);
	bsp_hpget(bsp_pid(), area, (bsp_size_t)shift, area, (bsp_size_t)(size - shift));
	bsp_sync();
	is_int(0, wrong_from(area, size - shift, 3, shift), "%zu of %zu bytes got down", shift,
	       size);
	fill(area, size, 4);
	bsp_hpget(bsp_pid(), area, 0, area + shift, (bsp_size_t)(size - shift));
	bsp_sync();
	is_int(0, wrong(area + shift, size - shift, 4), "%zu of %zu bytes got up", shift, size);
	bsp_pop_reg(area);
	bsp_sync();
	free(area);
}

static void overlap_with_self(void)
{
	enter();
	overlap(100, 3);
	overlap(5000, 8);
	overlap(600000, 4096);
	overlap(600000, 13);
	overlap(2500000, 1);
	bsp_end();
}

int main(void)
{
	lives_ok(small, 0, "a few bytes");
	lives_ok(small, 1, "a few bytes on one process");
	lives_ok(large, 0, "many bytes");
	lives_ok(large, 1, "many bytes on one process");
	lives_ok(overlap_with_self, 0, "to oneself");
	lives_ok(overlap_with_self, 1, "to oneself on one process");
	return done_testing();
}
