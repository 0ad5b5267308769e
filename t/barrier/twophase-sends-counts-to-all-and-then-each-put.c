/* SPDX-License-Identifier: BSD-3-Clause */
/* With BSP_BARRIER=twophase a superstep is a message to each other process, then one for each put
 * and message, in the order of the calls. */

/*
 * Messages are counted in virtual time: on a network where nothing costs time but each message, one
 * microsecond of its sender's processor and one of its receiver's. A process that has nothing to
 * send sends P - 1 messages and receives as many; each put is one more for both sides.
 */

#include "../lib/relaxed.h"

enum { NPROCS = 4, PUTS = 5, SMALL = 8, LARGE = 300000 };

static char area[LARGE];
static double (*took)[NPROCS];	/* shared with the job: microseconds, by superstep and process */

/* Process 0 puts to process 1, gets from 2 and sends to 3; all at once and each alone. */
static void deed(int what)
{
	static char bytes[LARGE], got[2];

	if (what == 1 || what == 4)
		for (int i = 0; i < PUTS; i++)
			bsp_put(1, bytes, area, i * SMALL, i < 3 ? SMALL : 100 * SMALL);
	if (what == 2 || what == 4)
		for (int i = 0; i < 2; i++)
			bsp_get(2, area, i, &got[i], 1);
	if (what == 3 || what == 4)
		for (int i = 0; i < 3; i++)
			bsp_send(3, NULL, bytes, SMALL);
	if (what == 5)
		bsp_put(1, bytes, area, 0, LARGE);
	if (what == 6)
		bsp_hpput(1, bytes, area, 0, LARGE);
}

enum { DEEDS = 7 };

static int deed_now;

static void count(void)
{
	double began;

	enter();
	publish(area, sizeof area);	/* after which all have the same time */
	began = bsp_time();
	if (bsp_pid() == 0)
		deed(deed_now);
	bsp_sync();
	took[deed_now][bsp_pid()] = (bsp_time() - began) * 1e6;
	bsp_end();
}

static void counted(int what, int pid, double messages, const char *claim)
{
	is_near(2 * (NPROCS - 1) + messages, took[what][pid], 0.01, "%s", claim);
}

static void check_counts(void)
{
	setenv("BSP_TRANSPORT", "emu", 1);
	setenv("BSP_EMULATE", "L=0us,o=1us,g=0us,G=0ns,cpu=0", 1);
	for (deed_now = 0; deed_now < DEEDS; deed_now++)
		under("BSP_BARRIER", "twophase", count, NPROCS,
		      "a message takes a microsecond at either end");
	unsetenv("BSP_EMULATE");
	unsetenv("BSP_TRANSPORT");
	for (int pid = 0; pid < NPROCS; pid++)
		counted(0, pid, 0, "without puts: P - 1 messages, and as many received");
	counted(1, 0, PUTS, "one more for each put");
	counted(1, 1, PUTS + 1, "which its receiver has when the last one is there");
	counted(1, 2, 0, "others wait for none of them");
	counted(2, 0, 2, "gets are asked for in the first phase, and answered in one message");
	counted(3, 0, 3, "one for each message of the program");
	counted(4, 0, PUTS + 3 + 1, "puts, messages and gets");
	counted(5, 0, 1, "one for a large put");
	counted(6, 0, 1, "one for a large unbuffered put");
}

/* ---- The order, bounds, relaxed programs ----------------------------------------- */

static void order(void)
{
	char early = 1, late = 2;

	enter();
	publish(area, sizeof area);
	for (int i = 0; i < 20; i++) {
		bsp_put(0, &early, area, 0, 1);
		bsp_put(0, &late, area, 0, 1);
		early += 2;
		late += 2;
		bsp_sync();
		if (bsp_pid() == 0)
			is_int(late - 2, area[0], "the last of two puts to the same byte stays");
	}
	bsp_end();
}

static void beyond(void)
{
	enter();
	publish(area, 10);
	if (bsp_pid() == 1)
		bsp_put(0, area, area, 4, 7);
	bsp_sync();
	bsp_end();
}

static void relaxed(void)
{
	int value = 7;

	enter_relaxed();
	publish(area, sizeof area);
	bsp_put((bsp_pid() + 1) % bsp_nprocs(), &value, area, 0, sizeof value);
	bsp_sync();
	is_int(7, *(int *)(void *)area, "relaxed supersteps are classic: no read has to wait");
	bsp_read(area, 1);
	bsp_end();
}

int main(void)
{
	took = mmap(NULL, DEEDS * sizeof *took, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		    -1, 0);
	if (took == MAP_FAILED)
		bail("no shared memory");
	if (!job_networked())
		check_counts();
	under("BSP_BARRIER", "twophase", order, 3, "puts are written in their order");
	setenv("BSP_BARRIER", "twophase", 1);
	dies_ok(beyond, 2, "bsp_put: offset 4 + 7 bytes is beyond the 10 bytes registered on "
		"process 0", "a put beyond its area is named");
	unsetenv("BSP_BARRIER");
	under("BSP_BARRIER", "twophase", relaxed, 3, "a relaxed program");
	return done_testing();
}
