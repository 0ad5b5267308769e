/* SPDX-License-Identifier: BSD-3-Clause */
/* A put's source may change after the call, an unbuffered one's after bsp_sync. */
#include "../lib/relaxed.h"

enum { SUPERSTEPS = 12, SIZES = 5, MOST = 1 << 20, CHANGED = 4711 };

static const size_t sizes[SIZES] = { 1, 40, 5000, 70000, MOST };
static unsigned char area[SIZES][MOST];
static unsigned char hp_area[2][SIZES][MOST];	/* by turns: what is read is not put to meanwhile */
static unsigned char source[MOST], hp_source[SIZES][MOST];
static int wrong_puts, wrong_hpputs;

static uint32_t seed(int pid, int i, int s)
{
	return (uint32_t)(s * 1000 + i * 100 + pid);
}

static void put_all(int s)
{
	for (int i = 0; i < SIZES; i++) {
		fill(source, sizes[i], seed((int)bsp_pid(), i, s));
		bsp_put(right(), source, area[i], 0, (bsp_size_t)sizes[i]);
		fill(source, sizes[i], CHANGED);
		fill(hp_source[i], sizes[i], seed((int)bsp_pid(), i, s));
		bsp_hpput(right(), hp_source[i], hp_area[s % 2][i], 0, (bsp_size_t)sizes[i]);
	}
}

static void spoil(void)
{
	for (int i = 0; i < SIZES; i++)
		fill(hp_source[i], sizes[i], CHANGED);
}

static void read_all(int s)
{
	for (int i = 0; i < SIZES; i++) {
		bsp_read(area[i], 1);
		bsp_read(hp_area[s % 2][i], 1);
		wrong_puts += wrong(area[i], sizes[i], seed((int)left(), i, s)) != 0;
		wrong_hpputs += wrong(hp_area[s % 2][i], sizes[i], seed((int)left(), i, s)) != 0;
	}
}

static void body(void)
{
	enter_relaxed();
	for (int i = 0; i < SIZES; i++) {
		bsp_push_reg(area[i], (bsp_size_t)sizes[i]);
		bsp_push_reg(hp_area[0][i], (bsp_size_t)sizes[i]);
		bsp_push_reg(hp_area[1][i], (bsp_size_t)sizes[i]);
	}
	bsp_sync();
	for (int s = 0; s < SUPERSTEPS; s++) {
		put_all(s);
		bsp_sync();
		spoil();
		read_all(s);
	}
	is_int(0, wrong_puts, "puts carry what their source held at the call");
	is_int(0, wrong_hpputs, "unbuffered puts what it held until bsp_sync returned");
	bsp_end();
}

int main(void)
{
	under_each(body, 2, "sizes of 1 byte to 1 MiB");
	under("BSP_SHARE", "0", body, 2, "sizes of 1 byte to 1 MiB");
	under("BSP_SHARE", "4k", body, 3, "sizes of 1 byte to 1 MiB");
	lives_ok(body, 1, "to oneself");
	return done_testing();
}
