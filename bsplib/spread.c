// SPDX-License-Identifier: BSD-3-Clause
/* spread.c - classic synchronisation by dissemination: counts spread over the processes in rounds. */

/*
 * For networks, where a chunk to every other process is too much and the transport has no
 * counted barrier. In round k process p sends to p + 2^k and hears from p - 2^k (modulo the number
 * of processes), for k = 0 while 2^k is less than that number: the dissemination barrier of
 * Hensgen, Finkel and Manber (1988). After the last round each process has heard of all.
 *
 * The messages also bring each process the sum of the chunks that are for it. A count for the
 * process d further on travels along the bits of d: in round k those with bit k set
 * go on by 2^k. Counts for the same process that meet on the way are added. So each count
 * arrives once, for any number of processes, and a message has at most half as many
 * counts as there are processes (the indices of Bruck et al., 1997, used for a sum). Those that are 0 do not travel.
 *
 * What has to be or-ed and and-ed may be heard twice without harm.
 *
 * The message of a round is a record in an uncounted chunk of its own, or at the end of a counted one
 * with the last puts for that process. A process is at most one barrier ahead of
 * another, so what has been heard is kept for epochs of even and odd number. A round is sent when
 * the one before was heard, because it passes that on.
 */

#include "bspi.h"

#include <stdlib.h>

enum { ROUNDS_MOST = 31 };

/* One count on its way. */
struct hop {
	uint32_t to;		/* the process it is for */
	uint32_t chunks;
};

/* Follows the head of a BSPI_ROUND; then the hops. */
struct bspi_round {
	uint32_t round;
	uint32_t any, all;
	uint32_t nhops;
};

/* What has been heard in the barriers of one parity. */
struct heard {
	uint32_t rounds;	/* a bit for each */
	uint32_t any[ROUNDS_MOST], all[ROUNDS_MOST];
	struct hop *hops[ROUNDS_MOST];	/* NULL: none */
	uint32_t nhops[ROUNDS_MOST];
};

static struct {
	struct heard heard[2];
	uint32_t *chunks;	/* by process: counts that are here, on their way to it */
	uint32_t any, all;
} spread;

void bspi_spread_open(void)
{
	memset(&spread, 0, sizeof(spread));
	if (bspi.barrier != BSPI_SPREAD)
		return;
	spread.chunks = calloc(bspi.nprocs, sizeof(*spread.chunks));
	if (!spread.chunks)
		bspi_fail_memory("bsp_begin", NULL);
}

void bspi_spread_close(void)
{
	for (int parity = 0; parity < 2; parity++)
		for (int k = 0; k < ROUNDS_MOST; k++)
			free(spread.heard[parity].hops[k]);
	free(spread.chunks);
	spread.chunks = NULL;
}

/* ---- Sending a round ----------------------------------------------------------- */

static bool is_round(uint32_t k)
{
	return k < ROUNDS_MOST && 1ll << k < bspi.nprocs;
}

/* Does a count for the @d-th process from here go on in round @k? */
static bool goes_on(int d, uint32_t k)
{
	return d >> k & 1;
}

/* Move the counts that go on from here into @hops. How many. */
static uint32_t take_hops(uint32_t k, struct hop *hops)
{
	uint32_t n = 0;

	for (int d = 1; d < bspi.nprocs; d++) {
		int q = (bspi.me + d) % bspi.nprocs;

		if (!goes_on(d, k) || !spread.chunks[q])
			continue;
		hops[n++] = (struct hop){ q, spread.chunks[q] };
		spread.chunks[q] = 0;
	}
	return n;
}

static size_t most_bytes(void)
{
	return bspi_align(sizeof(struct bspi_rec) + sizeof(struct bspi_round) +
			  bspi.nprocs * sizeof(struct hop));
}

/* Fill in a record with room for all; how many bytes it has. */
static size_t fill_round(struct bspi_rec *rec, uint32_t k)
{
	struct bspi_round *r = (struct bspi_round *)(rec + 1);

	*r = (struct bspi_round){ .round = k, .any = spread.any, .all = spread.all };
	r->nhops = take_hops(k, (struct hop *)(r + 1));
	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_ROUND, 0),
				  .nbytes = sizeof(*r) + r->nhops * sizeof(struct hop) };
	return bspi_align(sizeof(*rec) + rec->nbytes);
}

/* In a chunk of its own. */
static void send_alone(int pid, uint32_t k)
{
	struct bspi_out *o = &bspi.out[pid];
	struct bspi_rec *rec = bspi_out_room(pid, most_bytes());

	o->at = (char *)rec + fill_round(rec, k);
	o->round_at = (char *)rec - o->chunk;
	o->flags |= BSPI_SPREADS | BSPI_URGENT;
	bspi_out_send(pid);
}

/* With the last records for @pid. The chunk is counted, and its own count goes with it. */
static void send_along(int pid, uint32_t k)
{
	struct bspi_out *o = &bspi.out[pid];
	struct bspi_rec *rec = (struct bspi_rec *)o->at;

	spread.chunks[pid]++;
	o->at += fill_round(rec, k);
	o->round_at = (char *)rec - o->chunk;
	o->flags |= BSPI_SPREADS;
	bspi_out_send(pid);
}

/* To whom round @k goes. */
static int partner(uint32_t k)
{
	return (bspi.me + (1ll << k)) % bspi.nprocs;
}

static bool has_room_for_round(const struct bspi_out *o)
{
	return most_bytes() <= (size_t)(o->end - o->at);
}

/* ---- Hearing one --------------------------------------------------------------- */

static const struct bspi_round *round_of(const char *chunk)
{
	const struct bspi_head *h = (const struct bspi_head *)chunk;

	return (const struct bspi_round *)(chunk + h->sum + sizeof(struct bspi_rec));
}

void bspi_spread_hear(const char *chunk)
{
	const struct bspi_head *h = (const struct bspi_head *)chunk;
	const struct bspi_round *r = round_of(chunk);
	struct heard *heard = &spread.heard[h->flags >> BSPI_EPOCH_SHIFT & 1];
	size_t bytes = r->nhops * sizeof(struct hop);

	heard->rounds |= 1u << r->round;
	heard->any[r->round] = r->any;
	heard->all[r->round] = r->all;
	heard->nhops[r->round] = r->nhops;
	if (!r->nhops)
		return;
	heard->hops[r->round] = malloc(bytes);
	if (!heard->hops[r->round])
		bspi_fail_memory("bsp_sync", NULL);
	memcpy(heard->hops[r->round], r + 1, bytes);
}

static void merge(struct heard *heard, uint32_t k)
{
	spread.any |= heard->any[k];
	spread.all &= heard->all[k];
	for (uint32_t i = 0; i < heard->nhops[k]; i++)
		spread.chunks[heard->hops[k][i].to] += heard->hops[k][i].chunks;
	free(heard->hops[k]);
	heard->hops[k] = NULL;
}

/* ---- The barrier ---------------------------------------------------------------- */

void bspi_spread_announce(void)
{
	int next = partner(0);

	spread.any = spread.all = bspi.sum;
	for (int i = 0; i < bspi.ntouched; i++) {
		int q = bspi.touched[i];
		struct bspi_out *o = &bspi.out[q];

		if (q == bspi.me)
			continue;
		if (bspi_has_records(o) && (q != next || !has_room_for_round(o)))
			bspi_out_send(q);
		spread.chunks[q] += o->sent;
	}
	if (bspi_has_records(&bspi.out[next]))
		send_along(next, 0);
	else
		send_alone(next, 0);
}

void bspi_spread_wait(struct bspi_count *c)
{
	struct heard *heard = &spread.heard[bspi.epoch % 2];
	unsigned int idle = 0;

	for (uint32_t k = 0; is_round(k); k++) {
		while (!(heard->rounds >> k & 1))
			bspi_pump(&idle);
		idle = 0;
		merge(heard, k);
		if (is_round(k + 1))
			send_alone(partner(k + 1), k + 1);
	}
	heard->rounds = 0;
	c->expected = spread.chunks[bspi.me];
	spread.chunks[bspi.me] = 0;
	c->any = spread.any;
	c->all = spread.all;
	while (c->arrived < c->expected)
		bspi_pump(&idle);
}
