/* SPDX-License-Identifier: BSD-3-Clause */
/* However small the credit, who has used it up goes on as soon as its receivers do. */
#include "../lib/relaxed.h"

enum { LENGTH = 3000, SUPERSTEPS = 50, MOST = 8, SHARE = LENGTH / MOST };

static int x, y;
static unsigned char data[LENGTH], area[SUPERSTEPS][LENGTH];

/* Process 0 waits for a put behind many messages that it does not expect before. */
static void messages_come_first(void)
{
	int v = 5;

	enter_relaxed();
	publish(&x, sizeof x);
	for (int s = 0; s < SUPERSTEPS; s++) {
		if (bsp_pid() == 1)
			bsp_send(0, NULL, data, LENGTH);
		bsp_sync();
	}
	if (bsp_pid() == 1)
		bsp_put(0, &v, &x, 0, sizeof v);
	bsp_sync();
	if (bsp_pid() == 0) {
		bsp_read(&x, 1);
		is_int(5, x, "the put behind the messages");
		bsp_expect(SUPERSTEPS);
	}
	bsp_end();
}

static void puts_come_first(void)
{
	enter_relaxed();
	bsp_push_reg(area, sizeof area);
	publish(&x, sizeof x);
	for (int s = 0; s < SUPERSTEPS; s++) {
		bsp_put(right(), data, area, (bsp_size_t)(s * LENGTH), LENGTH);
		bsp_sync();
	}
	bsp_put(right(), &y, &x, 0, sizeof y);
	bsp_sync();
	bsp_read(&x, 1);
	bsp_read(area, SUPERSTEPS);
	ok(true, "both areas have been read");
	bsp_end();
}

/* No process reads what fills all credits before the end; what goes round is behind it. */
static void all_to_all(void)
{
	enter_relaxed();
	bsp_push_reg(area, sizeof area);
	publish(&x, sizeof x);
	for (int s = 0; s < SUPERSTEPS; s++) {
		for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
			bsp_put((bsp_pid_t)pid, data, area,
				(bsp_size_t)(s * LENGTH + (int)bsp_pid() * SHARE), SHARE);
		bsp_put(right(), &s, &x, 0, sizeof s);
		bsp_sync();
		bsp_read(&x, 1);
	}
	bsp_read(area, SUPERSTEPS * (int)bsp_nprocs());
	ok(true, "all have come through");
	bsp_end();
}

/* A token goes round; the process that has it not floods its neighbour. */
static void token(void)
{
	int v = 1, laps = 3;

	enter_relaxed();
	bsp_push_reg(area, sizeof area);
	publish(&x, sizeof x);
	for (int s = 0; s < laps * (int)bsp_nprocs(); s++) {
		bool has_it = s % (int)bsp_nprocs() == (int)bsp_pid();

		if (s && has_it) {
			bsp_read(&x, 1);
			v = x + 1;
		}
		if (has_it)
			bsp_put(right(), &v, &x, 0, sizeof v);
		bsp_put(left(), data, area, (bsp_size_t)(s * LENGTH), LENGTH);
		bsp_sync();
	}
	if (bsp_pid() == 0) {
		bsp_read(&x, 1);
		is_int(laps * (int)bsp_nprocs(), x, "all laps");
	}
	bsp_read(area, laps * (int)bsp_nprocs());
	bsp_end();
}

int main(void)
{
	static const char *const credits[] = { "1", "64", "4096", "auto" };

	setenv("BSP_SYNC", "program", 1);
	for (int i = 0; i < 4; i++) {
		const char *credit = credits[i];

		under("BSP_CREDIT", credit, messages_come_first, 2, "messages no process looks at");
		under("BSP_CREDIT", credit, puts_come_first, 3, "puts no process reads yet");
		under("BSP_CREDIT", credit, all_to_all, 8, "all to all of eight");
		under("BSP_CREDIT", credit, token, 5, "a token");
	}
	return done_testing();
}
