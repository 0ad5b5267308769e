// SPDX-License-Identifier: BSD-3-Clause
/* measure_align.c - what each process says, and starts at the same moment. */

/*
 * Processes of one machine have one clock: process 0 sets a time a little later than a
 * superstep needs to tell it (the window, which grows when process 0 is late itself), and all
 * wait for it. On several machines, whose clocks differ, a barrier is as good as it gets.
 * Clocks of an emulated network are the same everywhere and can be moved on to the same time,
 * which none has reached yet.
 */

#include "measure.h"

#include "bsp.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/clock.h"

#include <math.h>
#include <stdio.h>

enum {
	LATER_NS = 1000000000,		/* of virtual time: more than two supersteps take */
	WINDOW_LEAST_NS = 20000, WINDOW_MOST_NS = 2000000,
	BOOT_MOST = 64,
};

static struct {
	bool known, same_clock;
	double window_ns;
} starts = { .window_ns = WINDOW_LEAST_NS };

const double *measure_gather(struct measure *m, double mine)
{
	bsp_put(0, &mine, m->gathered, m->me * (int)sizeof(mine), sizeof(mine));
	bsp_sync();
	return m->me == 0 ? m->gathered : NULL;
}

double measure_most(struct measure *m, double mine)
{
	const double *all = measure_gather(m, mine);
	double most = 0;

	for (int q = 0; all && q < m->nprocs; q++) {
		if (isnan(all[q]))
			return all[q];
		most = fmax(most, all[q]);
	}
	return most;
}

/* A number of the machine's last start. */
double measure_boot_number(void)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
	char text[BOOT_MOST] = "";
	double number = 0;

	if (!f)
		return 0;
	if (fgets(text, sizeof(text), f))
		for (const char *at = text; *at; at++)
			number = fmod(number * 131 + (unsigned char)*at, 4503599627370449.0);
	fclose(f);
	return number;
}

static void find_out(struct measure *m)
{
	const double *all = measure_gather(m, measure_boot_number());

	starts.same_clock = true;
	for (int q = 0; all && q < m->nprocs; q++)
		starts.same_clock = starts.same_clock && all[q] != 0 && all[q] == all[0];
	measure_agree(m, &starts.same_clock, sizeof(starts.same_clock));
	starts.known = true;
}

bool measure_has_one_clock(struct measure *m)
{
	if (!starts.known)
		find_out(m);
	return m->virtual_time || starts.same_clock;
}

void measure_align(struct measure *m)
{
	double when, late;

	if (!starts.known)
		find_out(m);
	if (m->virtual_time) {
		uint64_t at = (uint64_t)measure_most(m, (double)bspi_now()) + LATER_NS;

		measure_agree(m, &at, sizeof(at));
		bspi.net->ops->reach(bspi.net, at);
		return;
	}
	if (!starts.same_clock) {
		bsp_sync();
		return;
	}
	when = (double)bspt_now_ns() + starts.window_ns;
	measure_agree(m, &when, sizeof(when));
	late = (double)bspt_now_ns() - when;
	while ((double)bspt_now_ns() < when)
		;
	/* later than any window: a process was preempted, for which the window is not too short */
	if (m->me == 0 && late < WINDOW_MOST_NS)
		starts.window_ns =
			fmin(fmax(late > 0 ? 2 * starts.window_ns : 0.95 * starts.window_ns,
				  WINDOW_LEAST_NS),
			     WINDOW_MOST_NS);
}
