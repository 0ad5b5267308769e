// SPDX-License-Identifier: BSD-3-Clause
/* direct.c - unbuffered transfers through windows: one copy, straight into the peer's memory. */

/*
 * A process in superstep s may find its peer still in the bsp_sync that ends s - 1,
 * where it reads its regions for gets and writes them for puts of s - 1. Nothing of
 * s may come between. So once there are windows, every process publishes its
 * superstep when it leaves bsp_sync (a stamp), and a transfer of s waits for
 * the stamp s of its peer: if it is not there at the call, until our own bsp_sync.
 *
 * That wait ends: what the peer lacks to leave s - 1 comes from processes that have
 * entered bsp_sync of s - 1, and from us it has everything, since we left it; what the
 * transport still holds back moves on while we wait, as we poll.
 *
 * The other direction is safe too: the peer reads what we write here after it
 * has all counts of s, which we send after the transfer. And a registration that
 * is popped in s goes when s is over, for which all counts are needed again.
 */

#include "bspi.h"

static bool has_left_last_superstep(int pid)
{
	return (int32_t)(bspi.net->ops->stamp_of(bspi.net, pid) - bspi.step) >= 0;
}

static void move(const struct bspi_deferred *d)
{
	if (d->get)
		bspi.net->ops->window_read(bspi.net, d->pid, d->window, d->offset, d->local,
					   d->nbytes);
	else
		bspi.net->ops->window_write(bspi.net, d->pid, d->window, d->offset, d->local,
					    d->nbytes);
}

static void move_or_defer(const struct bspi_deferred *d)
{
	if (has_left_last_superstep(d->pid)) {
		move(d);
		return;
	}
	bspi.deferred = bspi_grow(bspi.deferred, bspi.ndeferred, sizeof(*d), &bspi.deferred_room);
	bspi.deferred[bspi.ndeferred++] = *d;
}

void bspi_direct_finish(void)
{
	for (size_t i = 0; i < bspi.ndeferred; i++) {
		while (!has_left_last_superstep(bspi.deferred[i].pid))
			bspi_pump(&(unsigned int){ 0 });	/* a stamp wakes nobody, so no sleep */
		move(&bspi.deferred[i]);
	}
	bspi.ndeferred = 0;
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
		.pid = t->pid, .get = get, .window = w->window, .offset = from,
		.local = (char *)(uintptr_t)t->local + (from - begin), .nbytes = to - from,
	});
	return true;
}

bool bspi_direct_put(const struct bspi_transfer *t, uint32_t slot)
{
	return transfer(t, slot, false, bspi_put_part);
}

bool bspi_direct_get(const struct bspi_transfer *t, uint32_t slot)
{
	return transfer(t, slot, true, bspi_get_part);
}
