// SPDX-License-Identifier: BSD-3-Clause
/* twophase.c - supersteps in two phases: counts to all, then the data, a message for each put. */

/*
 * This is the end of a superstep that Kim, Ha and Jhon (1998) call ORG, that of the Oxford BSP
 * toolset over messages: "In the first phase, all processors exchange information about the number
 * of PUT operations and their destination regions. This exchange phase also serves as a barrier
 * synchronization for the superstep. [...] Actual data communication is performed in the second
 * phase." It is here to be measured beside the others, and does without all that makes them fast:
 * nothing travels before bsp_sync, records of several puts share no chunk, and there are neither
 * windows nor transfers in bulk.
 *
 *	bsp_put, bsp_send	wait in a list, in the order of the calls
 *	first phase		BSPI_COUNTS, BSPI_COMING for each put, BSPI_GET for each get, in
 *				the chunk with BSPI_END, which goes to each other process
 *	wait			for BSPI_END of each other process
 *	second phase		BSPI_PUT, BSPI_MSG, each in a chunk of its own
 *	wait			for BSPI_LAST of each process that has announced some
 *
 * Chunks of a peer arrive in the order in which they were sent, so with its BSPI_END all of its
 * first phase is here. A chunk of the second phase of a process may come before BSPI_END of
 * another one. Both phases are of the same superstep, and nothing takes effect before both are
 * here; then all is as with the other barriers.
 */

#include "bsplib/transfer/twophase.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/record.h"
#include "bsplib/transfer/target.h"

#include <stdlib.h>
#include <string.h>

/* A put, get or message that waits for bsp_sync. */
struct waiting {
	enum bspi_kind kind;		/* BSPI_PUT, BSPI_GET, BSPI_MSG */
	uint32_t slot, flags;
	struct bspi_transfer t;		/* of a message: its process, and @nbytes of record */
	void *copy;			/* of the data, or NULL */
};

/* After the header of BSPI_COUNTS. */
struct counts_note {
	uint32_t puts, gets, messages;
};

static struct {
	struct waiting *at;
	size_t n, room;
	struct counts_note *to;		/* nprocs: of those that wait */
	int senders;			/* processes that have announced puts or messages */
} phases;

/* ---- The calls -------------------------------------------------------------- */

static struct waiting *twophase_add(enum bspi_kind kind, const struct bspi_transfer *t,
				    uint32_t slot, uint32_t flags)
{
	struct waiting *w;

	phases.at = bspi_grow(phases.at, phases.n, sizeof(*w), &phases.room);
	w = &phases.at[phases.n++];
	*w = (struct waiting){ .kind = kind, .slot = slot, .flags = flags, .t = *t };
	return w;
}

static void *twophase_room(struct waiting *w)
{
	w->copy = malloc(w->t.nbytes);
	if (!w->copy)
		bspi_fail_memory(w->t.call, w->t.site);
	return w->copy;
}

void bspi_twophase_put(const struct bspi_transfer *t, uint32_t slot, uint32_t flags)
{
	struct waiting *w = twophase_add(BSPI_PUT, t, slot, flags);

	phases.to[t->pid].puts++;
	if (!(flags & BSPI_HP))
		w->t.local = memcpy(twophase_room(w), t->local, t->nbytes);
}

void bspi_twophase_get(const struct bspi_transfer *t, uint32_t slot, uint32_t flags)
{
	twophase_add(BSPI_GET, t, slot, flags);
	phases.to[t->pid].gets++;
}

void *bspi_twophase_message(const char *call, const char *site, int pid, size_t bytes)
{
	phases.to[pid].messages++;
	return twophase_room(twophase_add(BSPI_MSG,
					  &(struct bspi_transfer){ .call = call, .site = site,
								   .pid = pid, .nbytes = bytes },
					  0, 0));
}

/* ---- First phase: counts and regions ------------------------------------------ */

static void announce_counts(int pid)
{
	struct counts_note *note = &phases.to[pid];
	struct bspi_rec *rec = bspi_out_room(pid, bspi_align(sizeof(*rec) + sizeof(*note)));

	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_COUNTS, 0), .nbytes = sizeof(*note) };
	memcpy(rec + 1, note, sizeof(*note));
}

static void announce_place(const struct waiting *w)
{
	uint64_t nbytes = w->t.nbytes;

	memcpy(bspi_put_announce(&w->t, bspi_what(BSPI_COMING, w->slot) | w->flags,
				 sizeof(nbytes)),
	       &nbytes, sizeof(nbytes));
}

void bspi_twophase_announce(void)
{
	for (int q = 0; q < bspi.nprocs; q++)
		if (q != bspi.me)
			announce_counts(q);
	for (size_t i = 0; i < phases.n; i++) {
		const struct waiting *w = &phases.at[i];

		if (w->kind == BSPI_PUT)
			announce_place(w);
		else if (w->kind == BSPI_GET)
			bspi_get_record(&w->t, w->slot, w->flags);
	}
}

/* ---- Second phase: the data ------------------------------------------------------ */

/* A process has announced this: does it send, and are the places of its puts in their areas? */
static const char *look_at_announced(int from, const char *at, const char *end)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;
	const char *next = bspi_after(from, at, end);
	struct counts_note note;
	uint64_t nbytes;

	if (bspi_kind_of(rec->what) == BSPI_COUNTS) {
		memcpy(&note, rec + 1, sizeof(note));
		phases.senders += note.puts + note.messages > 0;
	} else if (bspi_kind_of(rec->what) == BSPI_COMING) {
		memcpy(&nbytes, bspi_rest_of(rec), sizeof(nbytes));
		bspi_place_in(from, rec, nbytes, bspi_put_name(bspi_is_hp(rec)));
	}
	return next;
}

/* Each chunk that bspi_out_send() sends as @w needs several has no flag but on its last one. */
static void twophase_send_one(struct waiting *w)
{
	struct counts_note *to = &phases.to[w->t.pid];
	struct bspi_out *o = &bspi_engine.out[w->t.pid];

	if (w->kind == BSPI_PUT) {
		bspi_put_record(&w->t, w->slot, w->flags);
		to->puts--;
	} else {
		memcpy(bspi_out_room(w->t.pid, w->t.nbytes), w->copy, w->t.nbytes);
		o->flags |= BSPI_MSGS;
		to->messages--;
	}
	if (to->puts + to->messages == 0)
		o->flags |= BSPI_LAST;
	bspi_out_send(w->t.pid);
}

int bspi_twophase_send(void)
{
	phases.senders = 0;
	bspi_scan_held(0, 0, look_at_announced);
	for (int i = 0; i < bspi_engine.ntouched; i++)	/* BSPI_LAST counts from here on */
		bspi_engine.out[bspi_engine.touched[i]].sent = 0;
	for (size_t i = 0; i < phases.n; i++)
		if (phases.at[i].kind != BSPI_GET)
			twophase_send_one(&phases.at[i]);
	bspi_twophase_forget();
	return phases.senders;
}

/* ---- Begin, end ------------------------------------------------------------------ */

void bspi_twophase_forget(void)
{
	for (size_t i = 0; i < phases.n; i++)
		free(phases.at[i].copy);
	phases.n = 0;
	if (phases.to)
		memset(phases.to, 0, bspi.nprocs * sizeof(*phases.to));
}

void bspi_twophase_open(void)
{
	if (!bspi.two_phases)
		return;
	phases.to = calloc(bspi.nprocs, sizeof(*phases.to));
	if (!phases.to)
		bspi_fail_memory("bsp_begin", NULL);
}

void bspi_twophase_close(void)
{
	bspi_twophase_forget();
	free(phases.at);
	free(phases.to);
	memset(&phases, 0, sizeof(phases));
}
