// SPDX-License-Identifier: BSD-3-Clause
/* clock.c - virtual time: which chunks a wait depended on. */

/*
 * A transport that emulates a network owns the clock. It knows when each chunk
 * arrives; only the runtime knows which chunks a wait was for. So every chunk gets a
 * number here, under which its arrival is kept as long as a wait may still be
 * for it: the chunk itself while it is held, an area it updated until that is read,
 * a message until it is expected. The first wait that depends on a chunk pays for it.
 */

#include "bsplib/engine/clock.h"

#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	struct bspt_event event;
	uint32_t uses;
	uint32_t next;		/* unused entry, 0: none */
	bool paid;
};

static struct {
	struct entry *at;	/* at[0] is never used */
	size_t n, room;
	uint32_t unused;
	struct bspt_event *events;	/* of the wait that goes on */
	size_t nevents, events_room;
} times;

uint64_t bspi_now(void)
{
	return bspi.clock ? bspi.net->ops->now(bspi.net) : bspt_now_ns();
}

double bspi_time(void)
{
	return (bspi_now() - bspi.began_ns) * 1e-9;
}

void bspi_computing_turns(bool on)
{
	if (bspi.clock)
		bspi.net->ops->computing(bspi.net, on);
	else
		BSPI_EVENT(computing, (on));
}

static uint32_t take_entry(void)
{
	uint32_t i = times.unused;

	if (i) {
		times.unused = times.at[i].next;
		return i;
	}
	if (times.n == 0)
		times.n = 1;
	times.at = bspi_grow(times.at, times.n, sizeof(*times.at), &times.room);
	return times.n++;
}

uint32_t bspi_clock_note(int from, const char *chunk, size_t len)
{
	uint32_t i = take_entry();

	times.at[i] = (struct entry){
		.event = { .arrival = bspi.net->ops->arrival(bspi.net, from, chunk),
			   .bytes = len, .peer = from },
		.uses = 1,
	};
	return i;
}

void bspi_clock_keep(uint32_t time)
{
	if (time)
		times.at[time].uses++;
}

void bspi_clock_drop(uint32_t time)
{
	if (!time || --times.at[time].uses)
		return;
	times.at[time].next = times.unused;
	times.unused = time;
}

void bspi_clock_update(struct bspi_times *t)
{
	if (!bspi_engine.time || (t->n && t->at[t->n - 1] == bspi_engine.time))
		return;
	t->at = bspi_grow(t->at, t->n, sizeof(*t->at), &t->room);
	t->at[t->n++] = bspi_engine.time;
	bspi_clock_keep(bspi_engine.time);
}

void bspi_clock_need(uint32_t time)
{
	struct entry *e = &times.at[time];

	if (!time || e->paid)
		return;
	e->paid = true;
	times.events = bspi_grow(times.events, times.nevents, sizeof(*times.events),
				 &times.events_room);
	times.events[times.nevents++] = e->event;
}

void bspi_clock_pass(uint32_t time)
{
	if (time)
		times.at[time].event.arrival = 0;
	bspi_clock_need(time);
}

struct bspt_event bspi_clock_take(uint32_t time)
{
	times.at[time].paid = true;
	return times.at[time].event;
}

void bspi_clock_need_updates(struct bspi_times *t)
{
	for (size_t i = 0; i < t->n; i++) {
		bspi_clock_need(t->at[i]);
		bspi_clock_drop(t->at[i]);
	}
	t->n = 0;
}

void bspi_clock_need_held(uint32_t flags)
{
	for (size_t i = 0; bspi.clock && i < bspi_engine.held.n; i++) {
		const struct bspi_head *h = bspi_head_of(bspi_engine.held.at[i].chunk);
		bool wanted = flags ? h->flags & flags : !(h->flags & BSPI_UNCOUNTED);

		if (wanted && h->step == bspi.step)
			bspi_clock_need(bspi_engine.held.at[i].time);
	}
}

void bspi_clock_advance(void)
{
	if (times.nevents)
		bspi.net->ops->advance(bspi.net, times.events, times.nevents);
	times.nevents = 0;
}

void bspi_clock_forget(struct bspi_times *t)
{
	for (size_t i = 0; i < t->n; i++)
		bspi_clock_drop(t->at[i]);
	free(t->at);
	*t = (struct bspi_times){ 0 };
}

void bspi_clock_close(void)
{
	free(times.at);
	free(times.events);
	memset(&times, 0, sizeof(times));
}
