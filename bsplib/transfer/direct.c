// SPDX-License-Identifier: BSD-3-Clause
/* direct.c - unbuffered transfers through windows: one copy, straight into the peer's memory. */

/*
 * A process in superstep s may find its peer still in the bsp_sync that ends s - 1,
 * where it reads its regions for gets and writes them for puts of s - 1. Nothing of
 * s may come between. So once there are windows, every process publishes its
 * superstep when it leaves bsp_sync (publish), and a transfer of s waits for
 * the number s of its peer: if it is not there at the call, until our own bsp_sync.
 *
 * The wait ends: the chunks that the peer lacks to leave s - 1 come from processes that have
 * entered bsp_sync of s - 1, and from us it has everything, since we left it; what the
 * transport still holds back moves on while we wait, as we poll.
 *
 * In a relaxed superstep nothing goes straight: the peer has begun s, but puts of s - 1 to the same
 * bytes, by any process, may still be under way to it, and would be written after those of s.
 *
 * The other direction is safe too: the peer reads what we write here after it
 * has all counts of s, which we send after the transfer.
 *
 * A registration that is popped in s serves until s is over, but the owner's memory has left the
 * window at its call of bsp_pop_reg, since programs free it there. Gets read in the window what
 * was there at that time, and may: the owner must not change it in s. A put is written into the
 * window, and a record says so (BSPI_WROTE), by which the owner copies it into its memory when
 * other puts take effect. The peer knows in bsp_sync which registrations it has popped itself; in
 * the superstep whose end makes the mode relaxed, and so counts puts, each has such a record.
 */

#include "bsplib/transfer/direct.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/record.h"
#include "bsplib/engine/trim.h"
#include "bsplib/transfer/chunked.h"
#include "bsplib/transfer/region.h"
#include "bsplib/transfer/target.h"

#include <stdlib.h>
#include <string.h>

struct bspi_direct bspi_direct;

static bool has_left_last_superstep(int pid)
{
	const struct bspi_out *o = bspi_out_of(pid);

	return (int32_t)(o->t->ops->published_by(o->t, o->peer) - bspi.step) >= 0;
}

/* Puts to ourselves do not go through the window. */
static void note_bytes(const struct bspi_transfer *t, uint32_t slot)
{
	if (t->pid != bspi.me)
		*(uint64_t *)bspi_put_announce(t, bspi_what(BSPI_WROTE, slot) | BSPI_HP,
					       sizeof(uint64_t)) = t->nbytes;
}

/* In a classic superstep puts are not counted, unless its bsp_sync makes it a relaxed one. */
void bspi_direct_note(const struct bspi_transfer *t, uint32_t slot)
{
	if (bspi_is_relaxed()) {
		note_bytes(t, slot);
		bspi_put_note(t, slot);
		return;
	}
	bspi_direct.unnoted = bspi_grow(bspi_direct.unnoted, bspi_direct.nunnoted,
					sizeof(*bspi_direct.unnoted),
					&bspi_direct.unnoted_room);
	bspi_direct.unnoted[bspi_direct.nunnoted++] = (struct bspi_unnoted){ *t, slot };
	if (bspi_direct.unnoted_most < bspi_direct.nunnoted)
		bspi_direct.unnoted_most = bspi_direct.nunnoted;
}

void bspi_direct_note_all(void)
{
	for (size_t i = 0; i < bspi_direct.nunnoted; i++) {
		note_bytes(&bspi_direct.unnoted[i].t, bspi_direct.unnoted[i].slot);
		bspi_put_note(&bspi_direct.unnoted[i].t, bspi_direct.unnoted[i].slot);
	}
}

void bspi_direct_note_popped(void)
{
	if (bspi_is_relaxed())	/* each put has its record */
		return;
	for (size_t i = 0; i < bspi_direct.nunnoted; i++)
		if (bspi_regions.slots[bspi_direct.unnoted[i].slot].going)
			note_bytes(&bspi_direct.unnoted[i].t, bspi_direct.unnoted[i].slot);
}

/* Process @from has written into the window of an area of ours, which may have left it before. */
static const char *direct_on_wrote(int from, const char *at, const char *end)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;
	const struct bspi_slot *s = &bspi_regions.slots[rec->what >> 8];
	const uint64_t *nbytes = (const uint64_t *)bspi_rest_of(rec);
	const char *next = bspi_after(from, at, end);
	char *dst = bspi_place_in(from, rec, *nbytes, bspi_put_name(true));
	size_t begin = bspi_offset_of(rec), last = begin + *nbytes;

	if (!s->withdrawn)
		return next;
	begin = begin > s->own.from ? begin : s->own.from;
	last = last < s->own.to ? last : s->own.to;
	dst += begin - bspi_offset_of(rec);
	if (begin < last)
		bspi.net->ops->collect(bspi.net, s->own.window, begin, dst, last - begin);
	return next;
}

static void move(const struct bspi_deferred *d)
{
	const struct bspi_out *o = bspi_out_of(d->t.pid);
	char *local = (char *)(uintptr_t)d->t.local + (d->from - d->t.offset);

	if (d->get)
		o->t->ops->window_read(o->t, o->peer, d->window, d->from, local, d->to - d->from);
	else
		o->t->ops->window_write(o->t, o->peer, d->window, d->from, local, d->to - d->from);
	if (!d->get)
		bspi_direct_note(&d->t, d->slot);
}

void bspi_direct_finish(void)
{
	for (size_t i = 0; i < bspi_direct.ndeferred; i++) {
		const struct bspi_deferred *d = &bspi_direct.deferred[i];

		while (!has_left_last_superstep(d->t.pid))
			/* a published number wakes no process, so no sleep */
			bspi_pump_for(&(unsigned int){ 0 }, BSPI_WAIT_STEP, d->t.pid, bspi.step);
		move(d);
	}
	bspi_direct.ndeferred = 0;
}

typedef void part_fn(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to);

/*
 * The middle goes through the window, now or in bsp_sync; @part moves what it does not reach at the
 * ends.
 */
static bool transfer(const struct bspi_transfer *t, uint32_t slot, bool get, part_fn *part)
{
	const struct bspi_window_note *w = bspi_region_way(slot, t->pid);
	size_t begin = t->offset, end = t->offset + t->nbytes, from, to;
	struct bspi_deferred d;

	if (!w || end > w->nbytes)
		return false;
	from = begin > w->from ? begin : w->from;
	to = end < w->to ? end : w->to;
	if (from >= to)
		return false;
	if (begin < from)
		part(t, slot, begin, from);
	if (to < end)
		part(t, slot, to, end);
	d = (struct bspi_deferred){
		.t = *t, .slot = slot, .get = get, .window = w->window, .from = from, .to = to,
	};
	if (has_left_last_superstep(t->pid)) {
		move(&d);
		return true;
	}
	bspi_direct.deferred = bspi_grow(bspi_direct.deferred, bspi_direct.ndeferred, sizeof(d),
					 &bspi_direct.deferred_room);
	bspi_direct.deferred[bspi_direct.ndeferred++] = d;
	if (bspi_direct.deferred_most < bspi_direct.ndeferred)
		bspi_direct.deferred_most = bspi_direct.ndeferred;
	return true;
}

bool bspi_direct_put(const struct bspi_transfer *t, uint32_t slot)
{
	return transfer(t, slot, false, bspi_put_uncounted);
}

bool bspi_direct_get(const struct bspi_transfer *t, uint32_t slot)
{
	return transfer(t, slot, true, bspi_get_part);
}

void bspi_direct_forget(void)
{
	bspi_direct.ndeferred = 0;
}

void bspi_direct_open(void)
{
	bspi_record_handle(BSPI_WROTE, BSPI_AT_EFFECT, direct_on_wrote);
}

void bspi_direct_close(void)
{
	free(bspi_direct.deferred);
	free(bspi_direct.unnoted);
	memset(&bspi_direct, 0, sizeof(bspi_direct));
}

size_t bspi_direct_trim(void)
{
	struct bspi_direct *d = &bspi_direct;

	return BSPI_SHRINK(d->deferred, d->ndeferred, d->deferred_room, d->deferred_most) +
	       BSPI_SHRINK(d->unnoted, d->nunnoted, d->unnoted_room, d->unnoted_most);
}
