// SPDX-License-Identifier: BSD-3-Clause
/* ask.c - puts that ask first: the paper's req, ack and data. */

/*
 * With BSP_EAGER, a put of more bytes than it says does not travel with its request.
 * Its data stay here (the paper's M_O), and the call asks at once: BSPI_ASK is the req, with
 * the superstep of its chunk, the region, offset and size. It takes effect at the receiver by the
 * same rule as a put, and its place is checked there; then BSPI_GRANT, the ack, comes back, in an
 * urgent chunk, because we are still in the superstep of the put and may be ahead. It is handled
 * in bsp_sync, bsp_read and each other call that waits. The data are an ordinary put, which is
 * due when it arrives, as its superstep was when it was granted. bsp_sync does not
 * end before all are sent, as in Fig. 1 of Kim, Ha and Jhon (1998).
 *
 * The receiver of the figure does nothing else between its ack and the data (RECEIVE). To the
 * letter that is a deadlock: two processes that put to each other both wait in RECEIVE for data
 * that are sent in HANDLE_MESSAGE. So here it goes on; the model in t/relaxed/model has both.
 *
 * A superstep that ends with a barrier has nothing to ask: all of it is taken in, so its data are
 * sent without a grant, and its requests get none.
 */

#include "bsplib/transfer/ask.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/flow.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"
#include "bsplib/transfer/bulk.h"
#include "bsplib/transfer/chunked.h"
#include "bsplib/transfer/target.h"

#include <stdlib.h>
#include <string.h>

struct asked {
	struct bspi_transfer t;
	uint32_t slot;
	void *copy;		/* of the data, or NULL */
	bool granted, sent;
};

/* After the header of BSPI_ASK. */
struct ask_note {
	uint64_t number, nbytes;
};

static struct {
	struct asked *at;	/* of this superstep: M_O */
	size_t n, room;
	size_t left;		/* not granted yet */
	struct bspi_rec *grants;	/* for the sender of the chunk that takes effect */
	size_t ngrants, grants_room;
} ask;

static void *ask_copy(const struct bspi_transfer *t)
{
	void *copy = malloc(t->nbytes);

	if (!copy)
		bspi_fail_memory(t->call, t->site);
	return memcpy(copy, t->local, t->nbytes);
}

/* A message of its own, as the paper has it. */
void bspi_ask_put(const struct bspi_transfer *t, uint32_t slot, bool copy)
{
	struct ask_note *note;
	struct asked *a;

	ask.at = bspi_grow(ask.at, ask.n, sizeof(*a), &ask.room);
	a = &ask.at[ask.n];
	*a = (struct asked){ .t = *t, .slot = slot };
	if (copy)
		a->t.local = a->copy = ask_copy(t);
	note = bspi_put_announce(t, bspi_what(BSPI_ASK, slot) | (copy ? 0 : BSPI_HP),
				 sizeof(*note));
	*note = (struct ask_note){ .number = ask.n++, .nbytes = t->nbytes };
	ask.left++;
	bspi_out_send(t->pid);
}

/* An unbuffered one may go in bulk: its bytes stay where they are, and bsp_sync waits for it. */
static void send(struct asked *a)
{
	if (!a->copy && bspi_bulk_fits(a->t.pid, a->t.nbytes, true))
		bspi_bulk_put(&a->t, a->slot, BSPI_HP);
	else
		bspi_put_record(&a->t, a->slot, 0);
	a->sent = true;
	free(a->copy);
	a->copy = NULL;
}

void bspi_ask_send(bool barrier)
{
	for (size_t i = 0; i < ask.n; i++)
		if (!ask.at[i].sent && (barrier || ask.at[i].granted))
			send(&ask.at[i]);
	if (barrier)
		ask.n = ask.left = 0;
}

bool bspi_asking(void)
{
	return ask.left > 0;
}

void bspi_ask_wait(void)
{
	unsigned int idle = 0;

	if (!ask.n)
		return;
	while (ask.left)
		bspi_pump_for(&idle, BSPI_WAIT_GRANTS, ask.left, 0);
	bspi_ask_send(false);
	bspi_out_send_all();
	bspi_clock_advance();
	ask.n = 0;
}

/* One of a superstep that ends here with a barrier is a request no more: its data come anyway. */
static const char *ask_on_request(int from, const char *at, const char *end)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;
	const char *next = bspi_after(from, at, end);
	struct ask_note note;

	memcpy(&note, bspi_rest_of(rec), sizeof(note));
	bspi_place_in(from, rec, note.nbytes, bspi_put_name(bspi_is_hp(rec)));
	if (bspi_engine.stage == BSPI_STAGE_BARRIER && bspi_engine.arriving->step == bspi.step)
		return next;
	ask.grants = bspi_grow(ask.grants, ask.ngrants, sizeof(*rec), &ask.grants_room);
	ask.grants[ask.ngrants++] = (struct bspi_rec){ .what = BSPI_GRANT, .dst = note.number };
	return next;
}

void bspi_ask_answer(const struct bspi_arrival *a)
{
	if (BSPI_LIKELY(!ask.ngrants))
		return;
	bspi_clock_need(a->time);
	bspi_clock_advance();
	bspi_urgent_send(a->from, ask.grants, ask.ngrants);
	ask.ngrants = 0;
}

static const char *ask_on_grant(int from, const char *at, const char *end)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;

	if (rec->dst >= ask.n || ask.at[rec->dst].granted || ask.at[rec->dst].t.pid != from)
		bspi_fail("bsp_sync", NULL, "process %d granted a put that was not asked for",
			  from);
	ask.at[rec->dst].granted = true;
	ask.left--;
	if (!bspi_engine.opening)
		send(&ask.at[rec->dst]);
	return bspi_after(from, at, end);
}

void bspi_ask_forget(void)
{
	for (size_t i = 0; i < ask.n; i++)
		free(ask.at[i].copy);
	ask.n = 0;
	ask.left = 0;
}

void bspi_ask_open(void)
{
	bspi_record_handle(BSPI_ASK, BSPI_AT_EFFECT, ask_on_request);
	bspi_record_handle(BSPI_GRANT, BSPI_ON_ARRIVAL, ask_on_grant);
}

void bspi_ask_close(void)
{
	bspi_ask_forget();
	free(ask.at);
	free(ask.grants);
	memset(&ask, 0, sizeof(ask));
}
