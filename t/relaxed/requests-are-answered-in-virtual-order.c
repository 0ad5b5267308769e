/* SPDX-License-Identifier: BSD-3-Clause */
/* With order=1 a request is answered at its virtual time, however late it comes in real time. */

#include "../lib/relaxed.h"

#include <time.h>

enum { PROCS = 5, ROUNDS = 12, BYTES = 4096 };

static double *times;		/* of each process at its end; shared with the job */
static bool delayed;

/* In each round another process comes late, in real time alone: nothing computes here. */
static void come_late(int round)
{
	const struct timespec ms = { .tv_nsec = 3000000 };

	if (delayed && round % PROCS == bsp_pid())
		nanosleep(&ms, NULL);
}

/*
 * All to all in asked puts; no barrier between rounds. Unbuffered, as how a copy is aligned decides
 * how it is padded in a chunk.
 */
static void body(void)
{
	static char to[PROCS * BYTES], from[BYTES];
	int me;

	enter_relaxed();
	me = bsp_pid();
	bsp_push_reg(to, sizeof to);
	bsp_sync();
	for (int round = 0; round < ROUNDS; round++) {
		for (int k = 1; k < PROCS; k++)
			bsp_hpput((me + k) % PROCS, from, to, me * BYTES, BYTES - 64 * me);
		come_late(round);
		bsp_sync();
		come_late(round + 2);
		bsp_read(to, PROCS - 1);
	}
	times[me] = bsp_time();
	bsp_end();
}

static void run(const char *network, bool late, double *seen)
{
	setenv("BSP_EMULATE", network, 1);
	delayed = late;
	memset(times, 0, PROCS * sizeof *times);
	under("BSP_EAGER", "0", body, PROCS, late ? "processes that come late" : "others");
	memcpy(seen, times, PROCS * sizeof *times);
}

static void compare(const char *network)
{
	double quiet[PROCS], late[PROCS];
	int differ = 0;

	run(network, false, quiet);
	run(network, true, late);
	for (int p = 0; p < PROCS; p++)
		differ += quiet[p] != late[p];
	ok(quiet[0] > 0 && differ == 0, "%s: the same times", network);
	for (int p = 0; p < PROCS && differ; p++)
		printf("# process %d: %.9f, %.9f s\n", p, quiet[p], late[p]);
}

int main(void)
{
	times = mmap(NULL, PROCS * sizeof *times, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (times == MAP_FAILED)
		bail("no shared memory");
	setenv("BSP_TRANSPORT", "emu", 1);
	compare("L=24us,o=10us,g=10us,G=29ns,cpu=0,order=1");
	compare("L=1us,o=0.3us,g=2us,G=1ns,cpu=0,jitter=5us,order=1");
	compare("L=1us,o=0.3us,g=2us,G=1ns,cpu=0,jitter=5us,seed=7,order=1");
	return done_testing();
}
