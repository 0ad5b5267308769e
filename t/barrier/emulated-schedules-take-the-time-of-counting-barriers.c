/* SPDX-License-Identifier: BSD-3-Clause */
/* On an emulated network a dissemination barrier by schedule takes the time of the counting, which
 * replays one. */

/*
 * The counting barrier works out when the messages of a dissemination barrier would arrive; the
 * schedule sends them. They are a few bytes longer, as each names its schedule, so on a network
 * where bytes cost next to nothing the two agree.
 */

#include "../lib/relaxed.h"

enum { SYNCS = 40 };

static double *seconds;		/* shared with the job */

static void body(void)
{
	double began;

	enter();
	bsp_sync();
	began = bsp_time();
	for (int i = 0; i < SYNCS; i++)
		bsp_sync();
	if (bsp_pid() == 0)
		*seconds = (bsp_time() - began) / SYNCS;
	bsp_end();
}

static double seconds_of(const char *barrier, int nprocs)
{
	char claim[40];

	*seconds = 0;
	snprintf(claim, sizeof claim, "%d processes", nprocs);
	under("BSP_BARRIER", barrier, body, nprocs, claim);
	return *seconds;
}

static void compare(const char *network, int nprocs)
{
	double counting, schedule;

	setenv("BSP_EMULATE", network, 1);
	counting = seconds_of("counting", nprocs);
	schedule = seconds_of("dissemination", nprocs);
	is_near(counting, schedule, 0.01 * counting, "%s, %d processes: within a percent", network,
		nprocs);
}

int main(void)
{
	static const int sizes[] = { 2, 3, 4, 5, 7, 8, 9, 16, 17, 32 };

	seconds = mmap(NULL, sizeof *seconds, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (seconds == MAP_FAILED)
		bail("no shared memory");
	setenv("BSP_TRANSPORT", "emu", 1);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		compare("L=50us,o=5us,g=5us,G=1ns,cpu=0", sizes[i]);
		compare("L=5us,o=1us,g=2us,G=0.1ns,cpu=0", sizes[i]);
	}
	return done_testing();
}
