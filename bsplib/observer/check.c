// SPDX-License-Identifier: BSD-3-Clause
/* check.c - bsprun --check: is the program well-formed for relaxed synchronisation? */

/*
 * The program runs with barriers, so everything of a superstep is there when it ends,
 * and what the program says of its relaxed supersteps is compared with what there was.
 * Definition 1 of Kim, Ha and Jhon (see arrival.c), and what goes beyond it:
 *
 *	(1)	areas of a process do not overlap		updates.c
 *	(2)	a put lies inside the area of the sender too	updates.c; the target
 *								refuses it in any run
 *	(3)	a bsp_read depends on each put			updates.c
 *	(4)	puts that one bsp_read depends on do not	updates.c
 *		overlap, unless they are of one process
 *		and superstep
 *	n	of bsp_read					updates.c
 *		of bsp_serve and bsp_expect			announced.c
 *	gets	do not read what a put may still write		announced.c
 *	areas	and other memory of functions that have		frames.c
 *		returned
 *
 * A violation names call sites of other processes, which came with their records.
 */

#include "bsplib/observer/check.h"

#include "bsplib/core/observe.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/engine.h"
#include "bsplib/observer/partners.h"
#include "bsplib/transfer/chunked.h"

static uint64_t supersteps;	/* relaxed ones */

/* ---- Transfers ------------------------------------------------------------------------------ */

static void check_put(const struct bspi_transfer *t, uint32_t slot)
{
	bspi_updates_sent(t, slot);
	bspi_frames_moved(t);
	bspi_partners_note(t->pid);
}

static void check_get(const struct bspi_transfer *t, uint32_t slot)
{
	(void)slot;
	bspi_frames_moved(t);
	bspi_partners_note(t->pid);
}

static void check_message(const char *site, int pid, size_t tag_bytes, size_t nbytes)
{
	(void)site;
	(void)tag_bytes;
	(void)nbytes;
	bspi_announced_sent();
	bspi_partners_note(pid);
}

/* ---- The end of a superstep ------------------------------------------------------------------ */

static void check_begin(bool barrier)
{
	bspi_announced_begin(barrier);
	bspi_updates_begin();
	bspi_partners_step(!bspi_wants_relaxed());
	if (bspi_mode_turns() && !bspi_wants_relaxed()) {
		bspi_updates_none_is_read("the first classic bsp_sync");
		bspi_announced_lost("bsp_sync");
	}
}

static void compare_superstep(void)
{
	bspi_updates_compare();
	bspi_announced_compare();
	supersteps += bspi_wants_relaxed();
}

static void check_end(void)
{
	struct bspi_checked sum = { .supersteps = supersteps + bspi_wants_relaxed() };

	bspi_announced_begin(true);
	bspi_updates_none_is_read("bsp_end");
	bspi_announced_compare();
	bspi_announced_lost("bsp_end");
	if (bspi_asks_relaxed())
		bspi_updates_never_sent();
	bspi_violations_send();
	/*
	 * Process 0 fails for all; a launcher ends the others, and process 0 as well, when one
	 * has failed.
	 */
	if (bspi_violations() && !bspi.job.launched)
		bspi_violations_fail();
	bspi_updates_sum(&sum);
	bspi_announced_sum(&sum);
	sum.violations = bspi_violations();
	sum.unshown = bspi_violations_unshown();
	bspi_suggest_send(&sum);
}

/* ---- Opening and closing ---------------------------------------------------------------- */

static void check_close(void)
{
	supersteps = 0;
	bspi_updates_close();
	bspi_frames_close();
	bspi_announced_close();
	bspi_violations_close();
	bspi_suggest_close();
	bspi_partners_close();
}

static void check_report(const char *site)
{
	(void)site;
	bspi_suggest_report();
}

void bspi_check_open(void)
{
	static struct bspi_observer checker = {
		.put = check_put,
		.get = check_get,
		.message = check_message,
		.sync_begins = bspi_frames_compare,
		.way_is_known = check_begin,
		.registrations = bspi_updates_follow_registrations,
		.superstep_is_whole = compare_superstep,
		.read_begins = bspi_updates_read,
		.read_test = bspi_updates_read_test,
		.serve = bspi_announced_serve,
		.expect_begins = bspi_announced_expect,
		.job_ends = check_end,
		.report = check_report,
		.close = check_close,
	};

	if (!bspi.env.check)
		return;
	bspi.slow = true;
	bspi_updates_open();
	bspi_frames_open();
	bspi_announced_open();
	bspi_suggest_open();
	if (bspi.env.check > 1)
		bspi_partners_open();
	bspi_observe(&checker);
}
