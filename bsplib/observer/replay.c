// SPDX-License-Identifier: BSD-3-Clause
/* replay.c - an emulated run computes for as long as a recorded one did. */

/*
 * Processor time differs from run to run, and with it what an emulated run computes; so two runs
 * that are to be compared take the times of one recording instead. Times between two calls of
 * bsp_sync, bsp_read or bsp_expect are added up, with those between the calls of collective
 * operations and schedules, which a program may make more or less often (bsp_test), and pass at
 * the end of the first of the two: before anything is sent that was put after it. Before the
 * first call they pass when that begins.
 *
 * Sections of the program cut such a time: what was computed before one begins or ends passes
 * before it does, so that a section has as much of it as in the recorded run.
 */

#include "bsplib/observer/replay.h"

#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"

#include "common/recording.h"

#include <stdio.h>
#include <stdlib.h>

static struct {
	struct recording recording;
	struct recording_cursor cursor;
	enum recording_kind next;	/* the call that is to come; 0: none is */
	bool begun;
	uint64_t total, passed;		/* of what is computed before that call, ns */
	uint64_t *cuts;			/* of this: where sections begin or end; the next is @cut */
	size_t ncuts, cuts_room, cut;
	int parts;			/* SPMD parts before this one; each has a recording */
	char file[4110];
} replay;

static _Noreturn void refuse_replay(const char *call, const char *what)
{
	bspi_fail(call, bspi_own_site(), "the recording %s (BSP_REPLAY) %s", replay.file, what);
}

static void replay_pass(uint64_t until)
{
	bspi.net->ops->charge(bspi.net, until > replay.passed ? until - replay.passed : 0);
	if (until > replay.passed)
		replay.passed = until;
}

/* Up to the next section, or to the next call. */
static void replay_pass_piece(void)
{
	replay_pass(replay.cut < replay.ncuts ? replay.cuts[replay.cut] : replay.total);
	replay.cut++;
}

static void note_cut(uint64_t at)
{
	replay.cuts = bspi_grow(replay.cuts, replay.ncuts, sizeof(*replay.cuts),
				&replay.cuts_room);
	replay.cuts[replay.ncuts++] = at;
}

/* How much of what was computed before @e had been by @at, ns after the end of the call before. */
static uint64_t program_by(const struct recording_event *e, uint64_t at)
{
	if (at >= e->computed)
		return e->program;
	return (uint64_t)((double)e->program * ((double)at / (double)e->computed));
}

/* The next call that is replayed; what was computed before it, and where sections cut that. */
static void replay_read(void)
{
	struct recording_event e;
	size_t placed = 0;		/* these cuts are times of the whole; others of one call */

	replay.next = 0;
	replay.total = replay.passed = replay.ncuts = replay.cut = 0;
	while (!replay.next && recording_next(&replay.cursor, &e)) {
		if (e.kind == RECORDING_SECTION || e.kind == RECORDING_SECTION_END)
			note_cut(e.begin - replay.cursor.now);
		for (; e.computed && placed < replay.ncuts; placed++)
			replay.cuts[placed] = replay.total +
					      program_by(&e, replay.cuts[placed]);
		replay.total += e.program;
		if (e.kind == RECORDING_SYNC || e.kind == RECORDING_READ ||
		    e.kind == RECORDING_EXPECT)
			replay.next = e.kind;
	}
	for (; placed < replay.ncuts; placed++)
		replay.cuts[placed] = replay.total;
}

static void replay_compute(void)
{
	replay_read();
	replay_pass_piece();
}

static void replay_begin(void)
{
	if (!replay.begun)
		replay_compute();
	replay.begun = true;
}

static void replay_call(enum recording_kind kind, const char *call)
{
	replay_begin();
	replay_pass(replay.total);
	if (replay.next != kind)
		refuse_replay(call, "is of a run that made other calls here");
}

static void replay_section(const char *site, const char *name)
{
	(void)site;
	(void)name;
	replay_begin();
}

static void replay_goes_on(const char *site, const char *name)
{
	(void)site;
	(void)name;
	replay_pass_piece();
}

static void replay_sync_begins(const char *site, bool ending)
{
	(void)site;
	replay_call(RECORDING_SYNC, ending ? "bsp_end" : "bsp_sync");
}

static void replay_read_begins(const char *site, uint32_t slot, int n)
{
	(void)site;
	(void)slot;
	(void)n;
	replay_call(RECORDING_READ, "bsp_read");
}

static void replay_expect_begins(const char *site, int wanted, size_t *n)
{
	(void)site;
	(void)wanted;
	(void)n;
	replay_call(RECORDING_EXPECT, "bsp_expect");
}

static void replay_close(void)
{
	free(replay.cuts);
	replay.cuts = NULL;
	replay.cuts_room = 0;
	recording_end(&replay.cursor);
	recording_close(&replay.recording);
}

void bspi_replay_open(void)
{
	static struct bspi_observer before = {
		.sync_begins = replay_sync_begins,
		.read_begins = replay_read_begins,
		.expect_begins = replay_expect_begins,
		.section_begins = replay_section,
		.section_ends = replay_section,
		.close = replay_close,
	};
	char why[200];

	if (!bspi.env.replay[0])
		return;
	snprintf(replay.file, sizeof(replay.file), replay.parts ? "%s.%d" : "%s",
		 bspi.env.replay, replay.parts + 1);
	replay.parts++;
	if (!bspi.clock)
		refuse_replay("bsp_begin", "is for emulated networks: BSP_EMULATE");
	if (recording_open(&replay.recording, replay.file, why, sizeof(why)))
		refuse_replay("bsp_begin", why);
	if (replay.recording.nprocs != bspi.nprocs ||
	    !replay.recording.parts[bspi.me].head.nprocs)
		refuse_replay("bsp_begin", "is not one of all these processes");
	recording_begin(&replay.cursor, &replay.recording.parts[bspi.me]);
	replay.cursor.with_sections = true;
	replay.begun = false;
	bspi.net->ops->charge(bspi.net, 0);
	bspi_observe(&before);
}

void bspi_replay_follow(void)
{
	static struct bspi_observer behind = {
		.sync_ends = replay_compute,
		.read_ends = replay_compute,
		.section_begins = replay_goes_on,
		.section_ends = replay_goes_on,
	};

	if (bspi.env.replay[0])
		bspi_observe(&behind);
}
