// SPDX-License-Identifier: BSD-3-Clause
/* replay.c - an emulated run computes for as long as a recorded one did. */

/*
 * Processor time differs from run to run, and with it what an emulated run computes; so two runs
 * that are to be compared take the times of one recording instead. Times between two calls of
 * bsp_sync, bsp_read or bsp_expect are added up, with those between the calls of collective
 * operations and schedules, which a program may make more or less often (bsp_test), and pass at
 * the end of the first of the two: before anything is sent that was put after it. Before the
 * first call they pass when that begins.
 */

#include "bsplib/observer/replay.h"

#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"

#include "common/recording.h"

#include <stdio.h>

static struct {
	struct recording recording;
	struct recording_cursor cursor;
	enum recording_kind next;	/* the call that is to come; 0: none is */
	bool begun;
	int parts;			/* SPMD parts before this one; each has a recording */
	char file[4110];
} replay;

static _Noreturn void refuse_replay(const char *call, const char *what)
{
	bspi_fail(call, bspi_own_site(), "the recording %s (BSP_REPLAY) %s", replay.file, what);
}

/* Up to the next call that is replayed: what was computed before it. */
static void replay_compute(void)
{
	struct recording_event e;
	uint64_t ns = 0;

	replay.next = 0;
	while (!replay.next && recording_next(&replay.cursor, &e)) {
		ns += e.processor;
		if (e.kind == RECORDING_SYNC || e.kind == RECORDING_READ ||
		    e.kind == RECORDING_EXPECT)
			replay.next = e.kind;
	}
	bspi.net->ops->charge(bspi.net, ns);
}

static void replay_call(enum recording_kind kind, const char *call)
{
	if (!replay.begun)
		replay_compute();
	replay.begun = true;
	if (replay.next != kind)
		refuse_replay(call, "is of a run that made other calls here");
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
	recording_end(&replay.cursor);
	recording_close(&replay.recording);
}

void bspi_replay_open(void)
{
	static struct bspi_observer before = {
		.sync_begins = replay_sync_begins,
		.read_begins = replay_read_begins,
		.expect_begins = replay_expect_begins,
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
	replay.begun = false;
	bspi.net->ops->charge(bspi.net, 0);
	bspi_observe(&before);
}

void bspi_replay_follow(void)
{
	static struct bspi_observer behind = {
		.sync_ends = replay_compute,
		.read_ends = replay_compute,
	};

	if (bspi.env.replay[0])
		bspi_observe(&behind);
}
