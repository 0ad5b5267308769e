/* SPDX-License-Identifier: BSD-3-Clause */
/* A put, get or message for a process that does not exist ends the job. */
#include "../lib/spmd.h"

#include <limits.h>

static int x, v, pid;

static void begin(void)
{
	enter();
	publish(&x, sizeof x);
}

static void put(void)
{
	begin();
	expect_site(), bsp_put(pid, &v, &x, 0, sizeof x);
	bsp_end();
}

static void hpput(void)
{
	begin();
	expect_site(), bsp_hpput(pid, &v, &x, 0, sizeof x);
	bsp_end();
}

static void get(void)
{
	begin();
	expect_site(), bsp_get(pid, &x, 0, &v, sizeof x);
	bsp_end();
}

static void hpget(void)
{
	begin();
	expect_site(), bsp_hpget(pid, &x, 0, &v, sizeof x);
	bsp_end();
}

static void send(void)
{
	begin();
	expect_site(), bsp_send(pid, NULL, &v, sizeof v);
	bsp_end();
}

static void hpsend(void)
{
	begin();
	expect_site(), bsp_hpsend(pid, NULL, &v, sizeof v);
	bsp_end();
}

/* Unlike a transfer of 0 bytes, an empty message is one. */
static void send_nothing(void)
{
	begin();
	expect_site(), bsp_send(pid, NULL, NULL, 0);
	bsp_end();
}

int main(void)
{
	static const int pids[] = { -1, 2, INT_MAX, INT_MIN };

	for (int i = 0; i < 4; i++) {
		pid = pids[i];
		dies_ok(put, 2, "bsp_put: ", "put to %d of 2", pid);
		dies_ok(hpput, 2, "bsp_hpput: ", "hpput to %d of 2", pid);
		dies_ok(get, 2, "bsp_get: ", "get from %d of 2", pid);
		dies_ok(hpget, 2, "bsp_hpget: ", "hpget from %d of 2", pid);
		dies_ok(send, 2, "bsp_send: ", "send to %d of 2", pid);
		dies_ok(hpsend, 2, "bsp_hpsend: ", "hpsend to %d of 2", pid);
		dies_ok(send_nothing, 2, "bsp_send: ", "an empty message to %d of 2", pid);
	}
	pid = 1;
	dies_ok(put, 1, "bsp_put: process 1 does not exist", "put to 1 of 1");
	return done_testing();
}
