// SPDX-License-Identifier: BSD-3-Clause
/* emu_switch.c - links of the emulated network that all processes share: a switch, a bisection. */

/*
 * The switch is passed by all messages, the bisection by those between processes 0 .. P/2 - 1
 * and the others; it has a link for each direction. A message of k bytes occupies a link for k
 * times the link's time of a byte, from the time on at which its first byte leaves the sender's
 * interface, in what is free then. A link that is idle, and no slower than G, so costs nothing:
 * bytes pass while the message is sent.
 *
 * Order. With order=1 messages pass in the order in which their first bytes leave, one after the
 * other (emu_order.c). Without it processes reach this code in an order that has nothing to do with
 * virtual time, so a message may come after others that left later. It takes free time in pieces,
 * as at an interface (emu_clock.c): its packets are interleaved with theirs. The time at which a
 * link has passed all of a set of messages is then the same in any order. The order decides which
 * of several messages that pass at once is through first, so between runs single messages may
 * differ, as on a real switch, while the sum of all does not. Without switch and bisection nothing
 * depends on it. Chunks of schedules, which have times of their own, pass as without order=1.
 *
 * Counting barriers do not pass: each process replays them alone (emu_sync.c).
 */

#include "emu.h"

#include <sched.h>
#include <stdatomic.h>

/*
 * Held for less than a microsecond; its holder may have lost the processor. Pairs with the release
 * in link_unlock(): what the last holder wrote is there.
 */
static void link_lock(struct emu_link *link)
{
	while (atomic_exchange_explicit(&link->lock, 1, memory_order_acquire))
		sched_yield();
}

/* Pairs with the exchange in link_lock(). */
static void link_unlock(struct emu_link *link)
{
	atomic_store_explicit(&link->lock, 0, memory_order_release);
}

/* When the last byte is through, of a message whose first and last left at @first and @left. */
static uint64_t link_pass(struct emu_link *link, uint64_t byte, uint64_t first, uint64_t left,
			  uint64_t bytes)
{
	struct emu_spans spans = { .at = link->at, .most = EMU_LINK_BUSY };
	uint64_t done;

	link_lock(link);
	spans.n = (int)link->n;
	done = bspt_emu_spans_fill(&spans, first, bytes * byte) - byte;
	link->n = (uint32_t)spans.n;
	link_unlock(link);
	return done > left ? done : left;
}

uint64_t bspt_emu_pass(struct bspt_emu *e, int peer, uint64_t left, uint64_t bytes,
		       emu_take_fn *take)
{
	const struct emulated *net = &e->net;
	uint64_t n = bytes ? bytes : 1, wire = (n - 1) * net->G;
	uint64_t first = left > wire ? left - wire : 0;
	bool high = e->base.me >= e->base.nprocs / 2, to_high = peer >= e->base.nprocs / 2;
	bool crosses = net->bisection && high != to_high;

	if (e->order && take && (net->fabric || crosses))
		bspt_emu_order_pass(e, first, take);
	if (net->fabric)
		left = link_pass(&e->links[EMU_FABRIC], net->fabric, first, left, n);
	if (crosses)
		left = link_pass(&e->links[high ? EMU_DOWN : EMU_UP], net->bisection, first, left,
				 n);
	return left;
}
