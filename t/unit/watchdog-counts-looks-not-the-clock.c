/* SPDX-License-Identifier: BSD-3-Clause */
/* A watchdog that does not look, because its job is stopped, counts that time as one look. */

#include "job/internal.h"

#include "../lib/tap.h"

#include <stdlib.h>
#include <time.h>

enum { LOOK_MS = 20, STOP_MS = 500 };

static struct bspj_status_table *table;

static void let_pass(int ms)
{
	struct timespec t = { .tv_nsec = ms * 1000000L };

	nanosleep(&t, NULL);
}

static void stops_count_as_a_look(struct bspj_watchdog *w)
{
	bspj_watchdog_moved(w);
	for (int stops = 1; stops <= 3; stops++) {
		let_pass(STOP_MS);
		ok(!bspj_watchdog_moved(w), "no progress in a stop of %d ms", STOP_MS);
		ok(bspj_watchdog_still_s(w) <= 1.001e-3 * LOOK_MS * stops,
		   "which counts as a look of %d ms", LOOK_MS);
		ok(!bspj_watchdog_has_expired(w) && !bspj_watchdog_must_warn(w, w->timeout_s),
		   "so that the job goes on, without a warning");
	}
}

static void looks_add_up(struct bspj_watchdog *w)
{
	int looks = 0;

	for (; !bspj_watchdog_has_expired(w); looks++) {
		let_pass(LOOK_MS);
		bspj_watchdog_moved(w);
	}
	ok(looks > 0 && looks <= w->timeout_s * 1000 / LOOK_MS,
	   "one that looks sees the timeout, after %d looks", looks);
	atomic_store(&table->rank[0].step, 1);
	ok(bspj_watchdog_moved(w) && !bspj_watchdog_has_expired(w), "progress begins it again");
}

int main(void)
{
	struct bspj_watchdog w = { .nprocs = 1, .timeout_s = 0.4, .look_ms = LOOK_MS };

	table = calloc(1, sizeof(*table) + sizeof(table->rank[0]));
	w.table = table;
	if (!table)
		bail("no memory");
	is_int(1000, bspj_watchdog_look_ms(10, 600), "looks of a second for longer timeouts");
	is_int(250, bspj_watchdog_look_ms(1, 600), "four for a short one");
	is_int(250, bspj_watchdog_look_ms(0, 1), "or for a warning");
	atomic_store(&table->rank[0].state, BSPJ_COMPUTING);
	stops_count_as_a_look(&w);
	looks_add_up(&w);
	free(table);
	return done_testing();
}
