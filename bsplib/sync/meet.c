// SPDX-License-Identifier: BSD-3-Clause
/* meet.c - all processes meet, from supersteps that ended among neighbours alone. */

/*
 * Processes that are no neighbours may be many supersteps apart, and the counts of chunks know two
 * epochs, the present one and the next (struct bspi_count). So before a superstep ends for all
 * processes they meet: by dissemination, in rounds k = 0, 1, ..., in each of which a process sends
 * a note to the one 2^k behind it and waits for that of the one 2^k before it. After the last
 * round each process has come to the end of this superstep. Then the superstep ends as if there
 * were no neighbours.
 *
 * Notes are handled on arrival, in whatever superstep, so a process far behind keeps those of
 * others until it comes there.
 *
 * Each process also sends its note to its neighbours. A process that has come to the end of the
 * superstep without anything that all processes do alike waits for its neighbours alone, and one
 * of them that meets the others would never come; the note ends the job instead, with the call
 * and its site. A note that comes when the superstep is over does so too, unless all have met
 * there: between two meetings no process can get from one to the other without all.
 */

#include "bsplib/sync/meet.h"

#include "bsplib/core/error.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/record.h"
#include "bsplib/schedule/note.h"
#include "bsplib/sync/reason.h"
#include "bsplib/transfer/reach.h"

#include <string.h>

enum { ROUNDS_MOST = 31, TO_NEIGHBORS = ROUNDS_MOST };

/* It follows the note, whose handle is the round, or TO_NEIGHBORS. */
struct meet_note {
	uint32_t step, reasons;	/* of bsp_end: BSPI_SUM_END */
	int64_t site;		/* packed: of the first reason */
};

static struct {
	/* that have come, for the meeting that is next or goes on: bits, by their round */
	uint32_t came;
	struct meet_note notes[ROUNDS_MOST + 1];
	int from[ROUNDS_MOST + 1];
	struct bspt_event events[ROUNDS_MOST + 1];	/* arrivals, if there is a clock */
	bool goes_on;
	bool without;		/* this superstep ends among neighbours alone */
	bool any;		/* there was one, ... */
	uint32_t last;		/* ... at the end of this superstep */
} meet;

/* ---- Refusing ------------------------------------------------------------------ */

static const char *own_call(void)
{
	return bspi.ending ? "bsp_end" : "bsp_sync";
}

/* Why this process meets the others. */
static uint32_t own_reasons(void)
{
	return bspi.ending ? BSPI_SUM_END :
	       bspi_reasons() | (bspi.mode & BSPI_MODE_ASKED ? BSPI_TURNED : 0);
}

static _Noreturn __attribute__((cold)) void refuse_meeting(int from, const struct meet_note *note)
{
	bspi_fail(own_call(), bspi_own_site(),
		  "process %d called %s in superstep %u (%s), for which all processes meet, and "
		  "this process ends superstep %u among its neighbours alone; all processes call "
		  "bsp_sync, bsp_end and what all have to do alike",
		  from, bspi_reason_name(note->reasons), note->step,
		  bspi_site_text(bspi_site_unpack(note->site)),
		  bspi_before(note->step, bspi.step) ? note->step : bspi.step);
}

static _Noreturn __attribute__((cold)) void refuse_other_step(int from,
							      const struct meet_note *note)
{
	bspi_fail(own_call(), bspi_own_site(),
		  "process %d called %s in superstep %u (%s), this one %s in superstep %u; all "
		  "processes call bsp_sync equally often",
		  from, bspi_reason_name(note->reasons), note->step,
		  bspi_site_text(bspi_site_unpack(note->site)),
		  bspi_reason_name(own_reasons()), bspi.step);
}

static void meet_look_at(int from, const struct meet_note *note)
{
	bool here = note->step == bspi.step;

	if (meet.goes_on && !here)
		refuse_other_step(from, note);
	if (!meet.goes_on && (bspi_before(note->step, bspi.step) || (meet.without && here)))
		refuse_meeting(from, note);
}

static void look_at_all_that_came(void)
{
	for (uint32_t k = 0; meet.came && k <= ROUNDS_MOST; k++)
		if (meet.came >> k & 1)
			meet_look_at(meet.from[k], &meet.notes[k]);
}

/* ---- Notes --------------------------------------------------------------------- */

static void meet_send(int pid, uint32_t round)
{
	struct meet_note data = {
		.step = bspi.step, .reasons = own_reasons(),
		.site = bspi_site_pack(bspi_reason_site()),
	};
	struct bspi_outgoing p = { .pid = pid };

	bspi_outgoing_alone(&p, bspi_note_bytes(sizeof(data)));
	memcpy(bspi_note_fill(p.rec, &(struct bspi_note){ .kind = BSPI_NOTE_MEET,
							  .handle = round }, sizeof(data)),
	       &data, sizeof(data));
	bspi_outgoing_send(&p);
}

static void meet_on_note(int from, const struct bspi_note *note, size_t n,
			 const struct bspt_event *event)
{
	const struct meet_note *data = (const struct meet_note *)(note + 1);
	uint32_t k = note->handle;

	if (n != sizeof(*data) || k > ROUNDS_MOST)
		bspi_fail_damaged(from);
	if (meet.any && data->step == meet.last)
		return;			/* to a neighbour, which has met that process already */
	meet_look_at(from, data);
	meet.came |= UINT32_C(1) << k;
	meet.notes[k] = *data;
	meet.from[k] = from;
	if (event)
		meet.events[k] = *event;
}

/* ---- Meeting --------------------------------------------------------------------- */

static void meet_await(uint32_t k, int from)
{
	unsigned int idle = 0;

	while (!(meet.came >> k & 1))
		bspi_pump_for(&idle, BSPI_WAIT_MEET, from, bspi.step);
	if (BSPI_UNLIKELY(bspi.clock))
		bspi.net->ops->advance(bspi.net, &meet.events[k], 1);
}

void bspi_meet(void)
{
	uint32_t k = 0;

	meet.goes_on = true;
	bspi_engine_enter(BSPI_STAGE_BARRIER);
	look_at_all_that_came();
	for (int i = 0; i < bspi_neighbors.n; i++)
		meet_send(bspi_neighbors.pids[i], TO_NEIGHBORS);
	for (int64_t d = 1; d < bspi.nprocs; d *= 2, k++) {
		meet_send((bspi.me + d) % bspi.nprocs, k);
		meet_await(k, (bspi.me - d + bspi.nprocs) % bspi.nprocs);
	}
	meet.came = 0;
	meet.goes_on = false;
	meet.any = true;
	meet.last = bspi.step;
}

void bspi_meet_not(void)
{
	meet.without = true;
	look_at_all_that_came();
}

void bspi_meet_passed(void)
{
	meet.without = false;
}

bool bspi_have_met(void)
{
	return meet.any && meet.last == bspi.step;
}

void bspi_meet_open(void)
{
	memset(&meet, 0, sizeof(meet));
	bspi_note_handle(BSPI_NOTE_MEET, meet_on_note);
}
