// SPDX-License-Identifier: BSD-3-Clause
/* direct.c - unbuffered transfers through windows: one copy, straight into the peer's memory. */

/*
 * A process in superstep s may find its peer still in the bsp_sync that ends s - 1,
 * where it reads its regions for gets and writes them for puts of s - 1. Nothing of
 * s may come between. So once there are windows, every process publishes its
 * superstep when it leaves bsp_sync (publish), and a transfer of s waits for
 * the number s of its peer: if it is not there at the call, until our own bsp_sync.
 *
 * That wait ends: what the peer lacks to leave s - 1 comes from processes that have
 * entered bsp_sync of s - 1, and from us it has everything, since we left it; what the
 * transport still holds back moves on while we wait, as we poll.
 *
 * In a relaxed superstep the peer may be ahead. Then its bsp_read waits for the record that
 * counts the put, which leaves after the bytes were written; until then the target is not to be
 * touched.
 *
 * The other direction is safe too: the peer reads what we write here after it
 * has all counts of s, which we send after the transfer. And a registration that
 * is popped in s goes when s is over, for which all counts are needed again.
 */

#include "bsplib/transfer/direct.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/trim.h"
#include "bsplib/transfer/chunked.h"
#include "bsplib/transfer/region.h"

#include <stdlib.h>
#include <string.h>

/*
 * Bytes: into a chunk here and out of it there, with what that costs the caches. Measured with
 * examples/ft, class W, P = 2: 4 makes it 10 % slower than with barriers, 1 does not.
 */
enum { COPIED_IN_NS = 1 };

struct bspi_direct bspi_direct;

static bool has_left_last_superstep(int pid)
{
	const struct bspi_out *o = &bspi_engine.out[pid];

	return (int32_t)(o->t->ops->published_by(o->t, o->peer) - bspi.step) >= 0;
}

/* In a classic superstep puts are not counted, unless its bsp_sync makes it a relaxed one. */
void bspi_direct_note(const struct bspi_transfer *t, uint32_t slot)
{
	if (bspi.relaxed) {
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
	for (size_t i = 0; i < bspi_direct.nunnoted; i++)
		bspi_put_note(&bspi_direct.unnoted[i].t, bspi_direct.unnoted[i].slot);
}

static void move(const struct bspi_deferred *d)
{
	const struct bspi_out *o = &bspi_engine.out[d->t.pid];
	char *local = (char *)(uintptr_t)d->t.local + (d->from - d->t.offset);

	if (d->get)
		o->t->ops->window_read(o->t, o->peer, d->window, d->from, local, d->to - d->from);
	else
		o->t->ops->window_write(o->t, o->peer, d->window, d->from, local, d->to - d->from);
	if (!d->get)
		bspi_direct_note(&d->t, d->slot);
}

static void move_or_defer(const struct bspi_deferred *d)
{
	if (has_left_last_superstep(d->t.pid)) {
		move(d);
		return;
	}
	bspi_direct.deferred = bspi_grow(bspi_direct.deferred, bspi_direct.ndeferred, sizeof(*d),
					 &bspi_direct.deferred_room);
	bspi_direct.deferred[bspi_direct.ndeferred++] = *d;
	if (bspi_direct.deferred_most < bspi_direct.ndeferred)
		bspi_direct.deferred_most = bspi_direct.ndeferred;
}

/* Wait for the peer, but no longer than until @deadline if that is not 0. */
static bool await_peer(int pid, uint64_t deadline)
{
	while (!has_left_last_superstep(pid)) {
		if (deadline && bspt_now_ns() > deadline)
			return false;
		/* a published number wakes no process, so no sleep */
		bspi_pump_for(&(unsigned int){ 0 }, BSPT_AWAITS_STEP, pid, bspi.step);
	}
	return true;
}

/*
 * Without a barrier to come the peer may be far behind. To wait for it as long as the
 * copies take that we would save costs at most twice of what is best, whatever it does.
 */
void bspi_direct_finish(bool barrier)
{
	uint64_t bytes = 0, deadline;

	for (size_t i = 0; i < bspi_direct.ndeferred; i++)
		bytes += bspi_direct.deferred[i].to - bspi_direct.deferred[i].from;
	deadline = barrier ? 0 : bspt_now_ns() + bytes / COPIED_IN_NS;
	for (size_t i = 0; i < bspi_direct.ndeferred; i++) {
		const struct bspi_deferred *d = &bspi_direct.deferred[i];

		if (await_peer(d->t.pid, deadline))
			move(d);
		else
			bspi_put_part(&d->t, d->slot, d->from, d->to);
	}
	bspi_direct.ndeferred = 0;
}

typedef void part_fn(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to);

/* The middle goes through the window; @part moves what it does not reach at the ends. */
static bool transfer(const struct bspi_transfer *t, uint32_t slot, bool get, part_fn *part)
{
	const struct bspi_window_note *w = bspi_region_way(slot, t->pid);
	size_t begin = t->offset, end = t->offset + t->nbytes, from, to;

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
	move_or_defer(&(struct bspi_deferred){
		.t = *t, .slot = slot, .get = get, .window = w->window, .from = from, .to = to,
	});
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
