/* SPDX-License-Identifier: BSD-3-Clause */
/* The size_t interface finds wrong processes and ranges, up to the largest numbers. */
#define BSP_MCBSP
#include "../lib/spmd.h"

#include <limits.h>

enum { SIZE = 100 };

static char area[SIZE], other[SIZE + 1];
static struct {
	unsigned int pid;
	size_t offset;
	size_t nbytes;
} now;

static void begin(void)
{
	enter();
	publish(area, SIZE);
}

static void put(void)
{
	begin();
	expect_site(), bsp_put(now.pid, other, area, now.offset, now.nbytes);
	bsp_sync();
	bsp_end();
}

static void hpput(void)
{
	begin();
	expect_site(), bsp_hpput(now.pid, other, area, now.offset, now.nbytes);
	bsp_sync();
	bsp_end();
}

static void get(void)
{
	begin();
	expect_site(), bsp_get(now.pid, area, now.offset, other, now.nbytes);
	bsp_sync();
	bsp_end();
}

static void hpget(void)
{
	begin();
	expect_site(), bsp_hpget(now.pid, area, now.offset, other, now.nbytes);
	bsp_sync();
	bsp_end();
}

static void send(void)
{
	begin();
	expect_site(), bsp_send(now.pid, NULL, other, 1);
	bsp_end();
}

static void begin_0(void)
{
	expect_site(), bsp_begin(0);
	bsp_end();
}

static void push_null(void)
{
	enter();
	expect_site(), bsp_push_reg(NULL, SIZE_MAX);
	bsp_end();
}

static void transfers(unsigned int pid, size_t offset, size_t nbytes)
{
	now.pid = pid;
	now.offset = offset;
	now.nbytes = nbytes;
	/* a put may read all of its source before the target finds out, if there can be so much */
	if (nbytes <= sizeof other || nbytes > SIZE_MAX / 2) {
		dies_ok(put, 2, "bsp_put: ", "put of %zu bytes at %zu on %u", nbytes, offset, pid);
		dies_ok(hpput, 2, "bsp_hpput: ", "hpput of %zu bytes at %zu on %u", nbytes,
			offset, pid);
	}
	dies_ok(get, 2, "bsp_get: ", "get of %zu bytes at %zu on %u", nbytes, offset, pid);
	dies_ok(hpget, 2, "bsp_hpget: ", "hpget of %zu bytes at %zu on %u", nbytes, offset, pid);
}

int main(void)
{
	transfers(1, 0, SIZE + 1);
	transfers(0, SIZE, 1);
	transfers(1, SIZE_MAX, 1);
	transfers(1, 1, SIZE_MAX);
	transfers(1, SIZE_MAX, SIZE_MAX);
	transfers(1, SIZE_MAX - 3, 8);
	transfers(1, (size_t)1 << 32, 4);
	transfers(1, 0, ((size_t)1 << 32) + 4);
	transfers(1, (size_t)1 << 63, (size_t)1 << 63);
	transfers(2, 0, 1);
	transfers(UINT_MAX, 0, 1);
	dies_ok(send, 2, "bsp_send: ", "a message to process UINT_MAX");
	dies_ok(begin_0, 2, "bsp_begin: ", "bsp_begin(0)");
	dies_ok(push_null, 2, "bsp_push_reg: ", "a registration of NULL with a size");
	return done_testing();
}
