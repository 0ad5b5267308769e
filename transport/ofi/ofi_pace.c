// SPDX-License-Identifier: BSD-3-Clause
/* ofi_pace.c - how many bytes of a transfer are under way to a peer at a time. */

/*
 * Over TCP all that a process sends to a peer travels in one stream. A grant that follows a
 * transfer waits until the socket has sent it, however large it is; so where both have data for
 * each other and one begins earlier, the other sends nothing until it has received all, and a
 * network carries half of what it could. So a transfer moves in pieces, each of which is
 * acknowledged before the next leaves, and a grant waits for one piece.
 *
 * A piece costs a round trip, so it is as large as it can be. One that is acknowledged at once
 * delays no grant: the next has twice its size, and soon a transfer is one piece. Pieces that take
 * long become smaller if several in a row do: one may have waited for other traffic, or for the
 * receiver to get a processor. Where the network itself has a delay, a long time is one of more
 * smallest pieces, since there pieces must not be smaller than the network holds.
 */

#include "transport/ofi/ofi_pace.h"

#define PACE_LEAST ((size_t)16 << 10)
#define PACE_FIRST ((size_t)64 << 10)
#define PACE_MOST ((size_t)1 << 30)
#define PACE_QUICK_NS 4000000
#define PACE_SLOW_NS 16000000

enum {
	PACE_IN_A_ROW = 4,
	PACE_SAMPLES = 16,		/* of the smallest, some of which met no other traffic */
};

void bspt_ofi_pace_init(struct ofi_pace *p)
{
	*p = (struct ofi_pace){ .bytes = PACE_FIRST };
}

static uint64_t larger_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void pace_set(struct ofi_pace *p, size_t bytes)
{
	p->slow = 0;
	if (bytes >= PACE_LEAST && bytes <= PACE_MOST)
		p->bytes = bytes;
}

static void pace_sample(struct ofi_pace *p, uint64_t ns)
{
	if (p->samples == 0 || ns < p->least_ns)
		p->least_ns = ns;
	if (p->samples < PACE_SAMPLES)
		p->samples++;
}

void bspt_ofi_pace(struct ofi_pace *p, size_t bytes, uint64_t ns)
{
	uint64_t floor_ns = p->samples == PACE_SAMPLES ? p->least_ns : 0;

	if (bytes != p->bytes)		/* of a transfer that began before the last change */
		return;
	if (bytes == PACE_LEAST)
		pace_sample(p, ns);
	if (ns <= larger_of(PACE_QUICK_NS, floor_ns * 5 / 4))
		pace_set(p, 2 * bytes);
	else if (ns <= larger_of(PACE_SLOW_NS, floor_ns * 2))
		p->slow = 0;
	else if (++p->slow >= PACE_IN_A_ROW)
		pace_set(p, bytes / 2);
}
