// SPDX-License-Identifier: BSD-3-Clause
/* bulk.c - large transfers over a network, from the memory of one process into another's. */

/*
 * A put of out[].min_bulk bytes or more does not travel in chunks. In bsp_sync its sender
 * gives it to the transport, and a record (BSPI_BULK) tells the target where it goes.
 * The record takes effect as that of a small put does, after the gets of the superstep have been
 * read; then the target gives the transport the place, and the bytes go there without
 * a copy. Answers to large gets go the same way (BSPI_BULK_DATA).
 *
 * Memory that the program may change before the superstep ends (the source of a bsp_put, a
 * region that is read by a bsp_get) is copied first; bsp_hpput and bsp_hpget need no copy.
 *
 * In a relaxed superstep only bsp_hpput is done so, and its bsp_sync waits until the target has
 * taken the bytes, as for the data of a put that has asked (ask.c, where it says why that ends).
 * Data that must not wait for the target travel in chunks.
 *
 * Writes to the same bytes have an order: that of the processes they come from. So a transfer that
 * takes effect, small or in bulk, waits for those under way to its place
 * (bspi_bulk_await_place()), and those in bulk that are under way at a time have places apart from
 * each other. bsp_hpput needs no order and waits for nothing, so that it can take effect at any
 * time.
 */

#include "bsplib/transfer/bulk.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/hooks.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"
#include "bsplib/transfer/chunked.h"
#include "bsplib/transfer/places.h"
#include "bsplib/transfer/region.h"
#include "bsplib/transfer/target.h"

#include <stdlib.h>
#include <string.h>

enum {
	IDLE_MOST = 64 << 20,		/* bytes of copies kept for the next superstep */
	LOOKS = 64,			/* transfers looked at after a poll, in turn */
};

/* One transfer, on either side. */
struct bulk {
	struct bspt_bulk b;		/* what the transport sees */
	struct bulk *next;
	void *copy;			/* sender: b.at is ours */
	size_t room;			/* of the copy */
	/* sender: of a relaxed superstep, whose bsp_sync waits for it */
	bool relaxed;
	bool started;			/* the transport has it */
	/* receiver: an update of a region, if the superstep is relaxed */
	bool counts;
	bool hp;
	uint32_t slot;
	struct bspi_origin origin;	/* receiver, of a put */
};

static struct {
	/* in the order of the calls; to be looked at next */
	struct bulk *out, **out_end, **out_next;
	struct bulk *in, **in_end, **in_next;		/* in the order in which they took effect */
	/* of those of @in that have an order, and may be some more */
	struct bspi_places places;
	size_t ordered;			/* how many of @in have one */
	size_t relaxed;			/* of @out, of a relaxed superstep */
	struct bulk *idle;		/* with their copies */
	size_t idle_bytes;
	size_t idle_least;		/* idle_bytes were never less since the last trim */
	uint32_t next_id;
} bulk;

/* The part of a record behind its header. */
struct announced {
	uint64_t nbytes;
	uint64_t id;
};

static void bulk_free_list(struct bulk *b)
{
	while (b) {
		struct bulk *next = b->next;

		free(b->copy);
		free(b);
		b = next;
	}
}

uint32_t bspi_bulk_number(void)
{
	return bulk.next_id++;
}

void bspi_bulk_close(void)
{
	bulk_free_list(bulk.out);
	bulk_free_list(bulk.in);
	bulk_free_list(bulk.idle);
	free(bulk.places.at);
}

/* ---- Copies ------------------------------------------------------------------ */

/* One that was used before, not much too large; or NULL. */
static struct bulk *take_idle(size_t bytes)
{
	for (struct bulk **at = &bulk.idle; *at; at = &(*at)->next) {
		struct bulk *b = *at;

		if (b->room < bytes || b->room / 2 > bytes)
			continue;
		*at = b->next;
		bulk.idle_bytes -= b->room;
		if (bulk.idle_least > bulk.idle_bytes)
			bulk.idle_least = bulk.idle_bytes;
		return b;
	}
	return NULL;
}

/* Buffers that were used last stay, as many bytes of them as were in use at some time. */
size_t bspi_bulk_trim(void)
{
	size_t keep = bulk.idle_bytes - bulk.idle_least, freed = 0;
	struct bulk **at = &bulk.idle;

	for (; *at && keep; at = &(*at)->next)
		keep -= keep < (*at)->room ? keep : (*at)->room;
	while (*at) {
		struct bulk *b = *at;

		*at = b->next;
		freed += b->room;
		free(b->copy);
		free(b);
	}
	bulk.idle_bytes -= freed;
	bulk.idle_least = bulk.idle_bytes;
	return freed;
}

static void keep_idle(struct bulk *b)
{
	if (!b->copy || b->room > IDLE_MOST - bulk.idle_bytes) {
		free(b->copy);
		free(b);
		return;
	}
	b->next = bulk.idle;
	bulk.idle = b;
	bulk.idle_bytes += b->room;
}

static struct bulk *new_copy(const char *call, const char *site, size_t bytes)
{
	struct bulk *b = take_idle(bytes);

	if (b)
		return b;
	b = calloc(1, sizeof(*b));
	if (b)
		b->copy = malloc(bytes);
	if (!b || !b->copy)
		bspi_fail_memory(call, site);
	b->room = bytes;
	return b;
}

/* ---- Sending ----------------------------------------------------------------- */

bool bspi_bulk_fits(int pid, size_t nbytes, bool hp)
{
	return nbytes >= bspi_out_of(pid)->min_bulk && !bspi.two_phases &&
	       (!bspi_is_relaxed() || hp);
}

static struct bulk *new_bulk(const char *call, const char *site, const void *src, size_t nbytes,
			     bool buffer)
{
	struct bulk *b = buffer ? new_copy(call, site, nbytes) : calloc(1, sizeof(*b));
	void *copy;
	size_t room;

	if (!b)
		bspi_fail_memory(call, site);
	copy = b->copy;
	room = b->room;
	*b = (struct bulk){ .copy = copy, .room = room };
	b->b.at = copy ? memcpy(copy, src, nbytes) : (void *)(uintptr_t)src;
	b->b.len = nbytes;
	return b;
}

static void start_out(struct bulk *b)
{
	struct bspt *t = bspi_out_of(b->origin.from)->t;

	b->started = true;
	t->ops->bulk_send(t, &b->b);
}

/* In bsp_sync it starts at once: a put that has been granted, or an answer. */
static void add_out(struct bulk *b, int pid)
{
	b->b.peer = bspi_out_of(pid)->peer;
	b->b.id = bspi_bulk_number();
	b->origin.from = pid;
	b->relaxed = bspi_is_relaxed();
	bulk.relaxed += b->relaxed;
	*bulk.out_end = b;
	bulk.out_end = &b->next;
	bspi.bulks++;
	if (bspi.syncing)
		start_out(b);
}

static void bulk_announce(const struct bspi_transfer *t, uint32_t slot, uint32_t flags,
			  uint64_t id)
{
	struct announced *a = bspi_put_announce(t, bspi_what(BSPI_BULK, slot) | flags, sizeof(*a));

	*a = (struct announced){ t->nbytes, id };
}

void bspi_bulk_put(const struct bspi_transfer *t, uint32_t slot, uint32_t flags)
{
	struct bulk *b = new_bulk(t->call, t->site, t->local, t->nbytes, !(flags & BSPI_HP));

	add_out(b, t->pid);
	bulk_announce(t, slot, flags, b->b.id);
}

void bspi_bulk_put_beyond(const struct bspi_transfer *t, uint32_t slot, uint32_t flags)
{
	bulk_announce(t, slot, flags, 0);
}

void bspi_bulk_answer(int to, const char *src, uint64_t dst, size_t nbytes, bool hp)
{
	struct bulk *b = new_bulk("bsp_sync", NULL, src, nbytes, !hp);
	size_t bytes = bspi_align(sizeof(struct bspi_rec) + sizeof(struct announced));
	struct bspi_rec *rec = bspi_out_room(to, bytes);

	add_out(b, to);
	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_BULK_DATA, 0),
				  .nbytes = sizeof(struct announced), .dst = dst };
	*(struct announced *)(rec + 1) = (struct announced){ nbytes, b->b.id };
}

/* Give the transport the transfers that it does not have yet. */
void bspi_bulk_send_all(void)
{
	for (struct bulk *b = bulk.out; b; b = b->next)
		if (!b->started)
			start_out(b);
}

/* ---- Receiving --------------------------------------------------------------- */

void bspi_bulk_await_place(const void *at, size_t bytes)
{
	unsigned int idle = 0;

	if (BSPI_LIKELY(!bspi_places_meet(&bulk.places, at, bytes)))
		return;
	bspi_bulk_settle();
	while (bulk.ordered) {
		bspi_show_awaited(BSPI_WAIT_BULK, bspi.bulks, 0);
		bspi_pump_aside(&idle);
		if (bspi_bulk_settle())
			idle = 0;
	}
}

/* One that is announced, and that the transport may receive now. */
static struct bulk *add_in(int from, void *dst, const struct announced *a, bool hp)
{
	struct bulk *b = calloc(1, sizeof(*b));
	struct bspt *t = bspi_out_of(from)->t;

	if (!b)
		bspi_fail_memory("bsp_sync", NULL);
	if (!hp) {
		bspi_bulk_await_place(dst, a->nbytes);
		bspi_places_add(&bulk.places, dst, a->nbytes);
		bulk.ordered++;
	}
	*b = (struct bulk){ .b = { .peer = bspi_out_of(from)->peer, .id = a->id, .at = dst,
				   .len = a->nbytes },
			    .started = true, .hp = hp, .origin.from = from };
	*bulk.in_end = b;
	bulk.in_end = &b->next;
	bspi.bulks++;
	t->ops->bulk_recv(t, &b->b);
	return b;
}

static const char *bulk_on_put(int from, const char *at, const char *end)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;
	const struct announced *a = (const void *)bspi_rest_of(rec);
	const char *next = bspi_after(from, at, end);
	uint32_t step = bspi_engine.arriving->step;
	char *dst = bspi_place_in(from, rec, a->nbytes, bspi_put_name(bspi_is_hp(rec)));
	struct bulk *b = add_in(from, dst, a, bspi_is_hp(rec));

	b->slot = rec->what >> 8;
	b->origin = (struct bspi_origin){ bspi_site_of(rec), step, from };
	b->counts = bspi_is_relaxed();
	return next;
}

static const char *bulk_on_answer(int from, const char *at, const char *end)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;
	const struct announced *a = (const struct announced *)(rec + 1);
	const char *next = bspi_after(from, at, end);

	add_in(from, (void *)(uintptr_t)rec->dst, a, false);
	bspi_note_answer(from, a->nbytes);
	return next;
}

static void bulk_received(const struct bulk *b)
{
	if (!b->hp && --bulk.ordered == 0)
		bulk.places.n = 0;
	if (b->counts)		/* and transports that move in bulk have no clock */
		bspi_put_count(&b->origin, &bspi_regions.slots[b->slot], b->hp);
}

/* ---- Moving on --------------------------------------------------------------- */

/* The next finished one of a list, off it, among so many from *@next on; or NULL. */
static struct bulk *take_done(struct bulk **list, struct bulk ***next, struct bulk ***end,
			      int *looks)
{
	while (*list && (*looks)-- > 0) {
		struct bulk *b = **next;

		if (!b) {
			*next = list;
			continue;
		}
		if (!b->b.done) {
			*next = &b->next;
			continue;
		}
		**next = b->next;
		if (*end == &b->next)
			*end = *next;
		bspi.bulks--;
		return b;
	}
	return NULL;
}

bool bspi_bulk_settle(void)
{
	size_t before = bspi.bulks;
	int most = bspi.bulks < LOOKS ? (int)bspi.bulks + 1 : LOOKS;
	int out_looks = most, in_looks = most;
	struct bulk *b;

	while ((b = take_done(&bulk.out, &bulk.out_next, &bulk.out_end, &out_looks))) {
		bulk.relaxed -= b->relaxed;
		keep_idle(b);
	}
	while ((b = take_done(&bulk.in, &bulk.in_next, &bulk.in_end, &in_looks))) {
		bulk_received(b);
		free(b);
	}
	return bspi.bulks != before;
}

bool bspi_bulk_coming(void)
{
	return bulk.in;
}

void bspi_bulk_wait(void)
{
	unsigned int idle = 0;

	bspi_bulk_settle();
	while (bspi.bulks) {
		bspi_pump_for(&idle, BSPI_WAIT_BULK, bspi.bulks, 0);
		bspi_bulk_settle();
	}
}

void bspi_bulk_wait_ordered(void)
{
	unsigned int idle = 0;

	while (bulk.ordered) {
		bspi_pump_for(&idle, BSPI_WAIT_BULK, bspi.bulks, 0);
		bspi_bulk_settle();
	}
}

void bspi_bulk_wait_sent(void)
{
	unsigned int idle = 0;

	while (bulk.relaxed) {
		bspi_pump_for(&idle, BSPI_WAIT_BULK, bspi.bulks, 0);
		bspi_bulk_settle();
	}
}

/* Drop the transfers asked for after the last bsp_sync, which no transport has. */
void bspi_bulk_forget(void)
{
	struct bulk **at = &bulk.out;

	while (*at) {
		struct bulk *b = *at;

		if (b->started) {
			at = &b->next;
			continue;
		}
		*at = b->next;
		bspi.bulks--;
		bulk.relaxed -= b->relaxed;
		free(b->copy);
		free(b);
	}
	bulk.out_end = at;
	bulk.out_next = &bulk.out;
}

/* ---- Opening ------------------------------------------------------------------- */

void bspi_bulk_open(void)
{
	memset(&bulk, 0, sizeof(bulk));
	bulk.out_end = bulk.out_next = &bulk.out;
	bulk.in_end = bulk.in_next = &bulk.in;
	bspi_hooks.settle_bulk = bspi_bulk_settle;
	bspi_record_handle(BSPI_BULK, BSPI_AT_EFFECT, bulk_on_put);
	bspi_record_handle(BSPI_BULK_DATA, BSPI_AT_ANSWER, bulk_on_answer);
}
