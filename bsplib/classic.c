// SPDX-License-Identifier: BSD-3-Clause
/* classic.c - classic synchronisation: how each process learns how much is to come. */

/*
 * Three ways, one meaning: bspi_classic_wait() returns when every process has
 * announced the end of this superstep and every chunk it sent to us in it is here.
 *
 *   flat   Every process sends a chunk to every other, which carries whatever is
 *	    left to send, the number of chunks, and the sum of its collective calls.
 *	    For a few processes nothing is faster: one cache line, one way.
 *   tally  The transport's counted barrier. For many, where p - 1 chunks are too many.
 *
 *   schedule  A barrier that is a schedule and carries counts, in rounds or by trees. For
 *	    networks (barrier.c).
 *
 * All carry the sum over what must be the same on all processes: numbers of
 * pushes and pops, tag size, and whether this is bsp_end. If the sums differ, all
 * notice, and process 0 asks for details to say who differs in what.
 */

#include "bspi.h"

#include "bsp.h"

enum { RELAXED_FLAT_MOST = 64 };	/* processes */

/* In a relaxed epoch processes may come to different supersteps before they meet. */
static uint32_t step_to_compare(void)
{
	return bspi.relaxed ? bspi.step : 0;
}

/* 0 in the usual case that there was no collective call; the top bit says bsp_end. */
static uint32_t collective_sum(void)
{
	uint64_t sum = step_to_compare();

	if (bspi.ending)
		return 1u << 31 | (sum & INT32_MAX);
	if (!bspi.regions.npush && !bspi.regions.npop && bspi.tag_set == bspi.tag_sending &&
	    !bspi.turning && !bspi.relaxed)
		return 0;
	sum = (sum ^ bspi.mode) * UINT64_C(0xd6e8feb86659fd93);
	sum = (sum ^ bspi.regions.npush) * UINT64_C(0x9e3779b97f4a7c15);
	sum = (sum ^ bspi.regions.npop) * UINT64_C(0xbf58476d1ce4e5b9);
	sum = (sum ^ bspi.tag_set) * UINT64_C(0x94d049bb133111eb);
	return (sum >> 33) | 1;
}

/*
 * A relaxed epoch ends flat where that costs little, because a process that still waits in
 * bsp_read then learns that nobody is left who could put. All agree, as the mode in
 * which the epoch began is the same for all.
 */
bool bspi_is_flat(void)
{
	bool begins = bspi.turning && bspi.mode == BSP_RELAXED;

	return bspi.barrier == BSPI_FLAT || (bspi.relaxed && !begins && bspi.nprocs <= RELAXED_FLAT_MOST);
}

/* ---- Announcing ----------------------------------------------------------- */

static void send_end(int pid)
{
	struct bspi_out *o = &bspi.out[pid];

	if (!o->chunk)
		bspi_out_slow(pid, 0, NULL);
	o->flags |= BSPI_END;
	bspi_out_send(pid);
}

static void announce_flat(void)
{
	int q = bspi.me;

	for (int i = 1; i < bspi.nprocs; i++) {
		q = q + 1 == bspi.nprocs ? 0 : q + 1;
		send_end(q);
	}
}

static void announce_tally(void)
{
	for (int i = 0; i < bspi.ntouched; i++) {
		int q = bspi.touched[i];
		struct bspi_out *o = &bspi.out[q];

		if (q == bspi.me)
			continue;
		if (bspi_has_records(o))
			bspi_out_send(q);
		if (o->sent)
			bspi.net->ops->tally_add(bspi.net, q, o->sent);
	}
	bspi.net->ops->tally_enter(bspi.net, bspi.sum);
}

void bspi_classic_announce(void)
{
	struct bspi_out *own = &bspi.out[bspi.me];

	bspi.sum = collective_sum();
	if (bspi_has_records(own))
		bspi_out_send(bspi.me);
	if (bspi.nprocs == 1)
		return;
	if (bspi_is_flat())
		announce_flat();
	else if (bspi.barrier == BSPI_TALLY)
		announce_tally();
	else
		bspi_barrier_announce();
}

/* ---- When the processes did not do the same ------------------------------- */

static struct bspi_detail own_detail(void)
{
	return (struct bspi_detail){
		.npush = bspi.regions.npush, .npop = bspi.regions.npop,
		.tag_bytes = bspi.tag_set, .ended = bspi.ending, .mode = bspi.mode,
		.step = step_to_compare(),
	};
}

static _Noreturn void send_detail(void)
{
	size_t bytes = bspi_align(sizeof(struct bspi_rec) + sizeof(struct bspi_detail));
	struct bspi_rec *rec = bspi_out_room(0, bytes);
	unsigned int idle = 0;

	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_WHAT, 0),
				  .nbytes = sizeof(struct bspi_detail) };
	*(struct bspi_detail *)(rec + 1) = own_detail();
	bspi.out[0].flags = BSPI_DETAIL;
	bspi_out_send(0);
	for (;;)
		bspi_pump(&idle);	/* until the supervisor ends us */
}

static const char *mode_name(uint64_t mode)
{
	return mode ? "BSP_RELAXED" : "BSP_CLASSIC";
}

static _Noreturn void fail_difference(int q, const struct bspi_detail *his)
{
	struct bspi_detail mine = own_detail();
	const char *place = atomic_load(&bspi.job.board->seats[bspi.me].place);

	if (his->ended != mine.ended)
		bspi_fail(mine.ended ? "bsp_end" : "bsp_sync", place,
			  "process %d is in %s; all processes call the same", q,
			  mine.ended ? "bsp_sync" : "bsp_end");
	if (his->mode != mine.mode)
		bspi_fail("bsp_set_sync", place, "the mode is %s here and %s on process %d; all processes set the same",
			  mode_name(mine.mode), mode_name(his->mode), q);
	if (his->step != mine.step)
		bspi_fail(mine.ended ? "bsp_end" : "bsp_sync", place,
			  "is a barrier after %llu supersteps here and after %llu on process %d; all processes call bsp_sync equally often",
			  (unsigned long long)mine.step, (unsigned long long)his->step, q);
	if (his->npush != mine.npush)
		bspi_fail("bsp_push_reg", place, "called %llu times here and %llu times on process %d in this superstep; all processes push alike",
			  (unsigned long long)mine.npush, (unsigned long long)his->npush, q);
	if (his->npop != mine.npop)
		bspi_fail("bsp_pop_reg", place, "called %llu times here and %llu times on process %d in this superstep; all processes pop alike",
			  (unsigned long long)mine.npop, (unsigned long long)his->npop, q);
	bspi_fail("bsp_set_tagsize", place, "set to %llu bytes here and to %llu on process %d; all processes set the same",
		  (unsigned long long)mine.tag_bytes, (unsigned long long)his->tag_bytes, q);
}

static bool differs(const struct bspi_detail *a, const struct bspi_detail *b)
{
	return a->ended != b->ended || a->npush != b->npush || a->npop != b->npop ||
	       a->tag_bytes != b->tag_bytes || a->mode != b->mode || a->step != b->step;
}

/* Look at the details among the held chunks from the @i-th on. */
static void look_for_difference(size_t i)
{
	struct bspi_detail mine = own_detail();

	for (; i < bspi.held.n; i++) {
		const struct bspi_arrival *a = &bspi.held.at[i];
		const struct bspi_head *h = (const struct bspi_head *)a->chunk;
		const struct bspi_rec *rec = (const struct bspi_rec *)(h + 1);
		const struct bspi_detail *his = (const struct bspi_detail *)(rec + 1);

		if ((h->flags & BSPI_DETAIL) && differs(his, &mine))
			fail_difference(a->from, his);
	}
}

/* Somebody differs from process 0, so it will hear of a difference. */
static _Noreturn void explain_difference(void)
{
	unsigned int idle = 0;

	if (bspi.me != 0)
		send_detail();
	for (;;) {
		look_for_difference(0);
		bspi_pump(&idle);
	}
}

/* ---- Waiting -------------------------------------------------------------- */

static void wait_flat(struct bspi_count *c)
{
	unsigned int idle = 0;

	while (c->ends < bspi.nprocs - 1 || c->arrived < c->expected)
		bspi_pump(&idle);
	c->any |= bspi.sum;
	c->all &= bspi.sum;
}

static void wait_tally(struct bspi_count *c)
{
	struct bspt_tally tally;
	unsigned int idle = 0;

	while (!bspi.net->ops->tally_test(bspi.net, &tally))
		bspi_pump(&idle);
	idle = 0;
	while (c->arrived < tally.chunks)
		bspi_pump(&idle);
	c->any = tally.any;
	c->all = tally.all;
}

void bspi_classic_wait(void)
{
	struct bspi_count *c = bspi_count_now();

	if (bspi.nprocs == 1)
		return;
	if (bspi_is_flat())
		wait_flat(c);
	else if (bspi.barrier == BSPI_TALLY)
		wait_tally(c);
	else
		bspi_barrier_wait(c);
	if (BSPI_UNLIKELY(c->any != c->all))
		explain_difference();
}
