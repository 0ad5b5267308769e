// SPDX-License-Identifier: BSD-3-Clause
/* consensus.c - classic synchronisation that costs what was sent: BSP_BARRIER=nbx. */

/*
 * The nonblocking consensus of Hoefler, Siebert and Lumsdaine, "Scalable Communication Protocols
 * for Dynamic Sparse Data Exchange" (PPoPP 2010), with acknowledgements in place of synchronous
 * sends. No process has to know how much is to come:
 *
 *	1. The last chunk to each process that was sent to says so (BSPI_END and BSPI_LAST). Chunks
 *	   of a sender arrive in order, so a process that gets it has all of this superstep from
 *	   that sender, and acknowledges it (BSPI_NOTE_RECEIVED).
 *	2. A process that has been acknowledged by all enters a barrier without counts, which has
 *	   the or and the and of all sums.
 *	3. If that is over, every process has entered it, so every chunk of this superstep has
 *	   arrived.
 *
 * With h the processes that a process sends to and h' those that send to it, that is h last
 * chunks, which would be sent anyway unless one has just been full, h' acknowledgements and
 * ceil(log2 P) messages of 8 bytes; a barrier with counts sends 4 (P - 1) bytes more than these 8
 * and no acknowledgements. The last process to come is one way to and fro later.
 *
 * Order. Between processes nothing but chunks is used. A chunk that arrives happens after all that
 * its sender did before, so also what peers wrote directly (direct.c) or in bulk is ordered: the
 * barrier of step 2 is a chain of chunks from each process to each other one.
 *
 * One superstep ahead. A process leaves the barrier of step 2 when all have entered it, and then
 * sends chunks of the next superstep to processes that have not left it. They are counted there
 * for the next epoch (struct bspi_count) and held; the last of them is acknowledged as all others
 * are, since it says that the chunk has arrived, not that it has taken effect. No process is two
 * ahead: it would have passed a barrier that this one has not entered. For the same reason every
 * acknowledgement that arrives is of the superstep that its receiver is ending.
 *
 * Acknowledgements leave in bsp_sync alone, where the barrier waits for this process anyway.
 *
 * In virtual time a processor beside the process receives last chunks and acknowledges them, as
 * it runs schedules: not before the process is in the bsp_sync that ends their superstep. So
 * those of the next one wait for that, although they may be here.
 */

#include "bsplib/sync/consensus.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/hooks.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"
#include "bsplib/model/model.h"
#include "bsplib/schedule/note.h"

#include <stdlib.h>
#include <string.h>

/* A last chunk that is to be acknowledged. */
struct ended {
	int from;
	uint32_t epoch;
	struct bspt_event event;	/* its arrival, if there is a clock */
};

static struct {
	uint32_t epoch;			/* the last one that ended like this */
	int awaited;			/* acknowledgements of it */
	struct ended *ended;
	size_t n, room;
	/* virtual times: of bsp_sync, and when the last acknowledgement was received */
	uint64_t entered_ns, acknowledged_ns;
} consensus;

_Static_assert(sizeof(struct bspi_head) + sizeof(struct bspi_rec) + sizeof(struct bspi_note) ==
	       BSPI_ACKNOWLEDGEMENT, "the model has the bytes of an acknowledgement");

/* ---- Acknowledgements --------------------------------------------------------------- */

static void consensus_on_end(const struct bspi_arrival *a)
{
	struct ended *e;

	consensus.ended = bspi_grow(consensus.ended, consensus.n, sizeof(*consensus.ended),
				    &consensus.room);
	e = &consensus.ended[consensus.n++];
	*e = (struct ended){ .from = a->from,
			     .epoch = bspi_head_of(a->chunk)->flags >> BSPI_EPOCH_SHIFT };
	if (BSPI_UNLIKELY(bspi.clock))
		e->event = bspi_clock_take(a->time);
}

static void consensus_on_note(int from, const struct bspi_note *note, size_t n,
			      const struct bspt_event *event)
{
	if (n != 0 || note->number != consensus.epoch || consensus.awaited == 0)
		bspi_fail_damaged(from);
	consensus.awaited--;
	if (BSPI_UNLIKELY(bspi.clock)) {
		uint64_t at = bspi.net->ops->receive_at(bspi.net, event, consensus.entered_ns);

		if (at > consensus.acknowledged_ns)
			consensus.acknowledged_ns = at;
	}
}

static void acknowledge_one(const struct ended *e)
{
	const struct bspi_note note = { .kind = BSPI_NOTE_RECEIVED, .number = e->epoch };
	struct bspi_outgoing p = { .pid = e->from };

	bspi_outgoing_alone(&p, bspi_note_bytes(0));
	bspi_note_fill(p.rec, &note, 0);
	if (BSPI_UNLIKELY(bspi.clock))
		bspi_outgoing_send_at(&p, bspi.net->ops->receive_at(bspi.net, &e->event,
								    consensus.entered_ns));
	else
		bspi_outgoing_send(&p);
}

/* None is added meanwhile: chunks that arrive while this waits for memory are put aside. */
static void acknowledge(void)
{
	size_t left = 0;

	for (size_t i = 0; i < consensus.n; i++) {
		struct ended *e = &consensus.ended[i];

		if (BSPI_UNLIKELY(bspi.clock) && e->epoch != consensus.epoch)
			consensus.ended[left++] = *e;
		else
			acknowledge_one(e);
	}
	consensus.n = left;
}

/* ---- Open, close ---------------------------------------------------------------------- */

void bspi_consensus_open(void)
{
	consensus.epoch = UINT32_MAX;	/* none has */
	bspi_hooks.ended = consensus_on_end;
	bspi_note_handle(BSPI_NOTE_RECEIVED, consensus_on_note);
	bspi.consensus = true;
}

void bspi_consensus_close(void)
{
	free(consensus.ended);
	memset(&consensus, 0, sizeof(consensus));
	bspi.consensus = false;
}

/* ---- The end of a superstep -------------------------------------------------------------- */

/* A chunk that was made ready for a process may be open, with nothing in it. */
void bspi_consensus_announce(void)
{
	consensus.epoch = bspi_engine.epoch << BSPI_EPOCH_SHIFT >> BSPI_EPOCH_SHIFT;
	for (int i = 0; i < bspi_engine.ntouched; i++) {
		int q = bspi_engine.touched[i];
		struct bspi_out *o = &bspi_engine.out[q];

		if (q == bspi.me || (!bspi_has_records(o) && o->sent == 0))
			continue;
		if (!o->chunk)
			bspi_out_slow(q, 0, NULL);
		o->flags |= BSPI_END | BSPI_LAST;
		consensus.awaited++;
		bspi_out_send(q);
	}
	if (BSPI_UNLIKELY(bspi.clock))
		consensus.entered_ns = consensus.acknowledged_ns = bspi_now();
}

static void await_acknowledgements(void)
{
	unsigned int idle = 0;

	acknowledge();
	while (consensus.awaited > 0) {
		bspi_pump_for(&idle, BSPI_WAIT_RECEIVED, consensus.awaited, 0);
		acknowledge();
	}
	if (BSPI_UNLIKELY(bspi.clock))
		bspi.net->ops->reach(bspi.net, consensus.acknowledged_ns);
}

void bspi_consensus_wait(struct bspi_count *c, void (*start)(void),
			 bool (*test)(struct bspi_count *c))
{
	unsigned int idle = 0;

	await_acknowledgements();
	start();
	while (!test(c)) {
		acknowledge();
		bspi_pump_for(&idle, BSPI_WAIT_BARRIER, 0, 0);
	}
	while (c->arrived < c->expected)
		bspi_pump_for(&idle, BSPI_WAIT_CHUNKS, c->arrived, c->expected);
}
