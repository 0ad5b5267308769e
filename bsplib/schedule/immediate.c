// SPDX-License-Identifier: BSD-3-Clause
/* immediate.c - bsp_direct_get: reads at once, while the superstep goes on. */

/*
 * The caller waits for the bytes. Where both processes are on one node and shared memory is what
 * carries between them, it reads them itself (peek.c), whatever their owner does. Else, or if the
 * system does not allow that, it asks: a READ note to the owner, which answers with VALUE notes.
 * Both travel as messages of schedules do, alone in urgent chunks, so they are seen to whenever
 * the owner takes chunks in, in classic and relaxed supersteps, and by the thread of
 * BSP_PROGRESS. The answer is sent by bspi_carry_on().
 *
 * The value. It is that of superstep s or later, where s is the caller's: an owner that
 * is still in the bsp_sync before has not written the puts of s - 1, nor settled registrations, so
 * its answer waits until it has left that. With barriers it cannot leave its own bsp_sync of s
 * before the caller has entered it, so the bytes read are those that the owner has at one moment
 * of superstep s, and the registration that the caller names is in effect.
 *
 * Why the wait ends. Only the caller waits for the answer, and while it waits it takes in and
 * answers like every process that waits; so two that read from each other both go on. An owner in
 * superstep s - 1 lacks nothing of the caller's, which has left it, but what the transport holds
 * back and moves on while it polls. An owner in s answers in each call that waits for others,
 * bsp_sync and bsp_end among them, and these cannot end before the caller comes to its own. An
 * owner that computes makes a call at some time; one that ends without has ended the job.
 *
 * Large reads are asked for in parts of PART_MOST bytes, one at a time, so that answers never
 * pile up.
 */

#include "bsplib/schedule/immediate.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/record.h"
#include "bsplib/schedule/run.h"
#include "bsplib/transfer/drma.h"
#include "bsplib/transfer/region.h"

#include <stdlib.h>
#include <string.h>

enum {
	PART_MOST = 1 << 20,		/* bytes that one request asks for */
	PIECE_MOST = 256 << 10,		/* bytes of one note of the answer */
};

/* The data of a READ note; the handle of the note is the number of the request. */
struct read_note {
	uint64_t offset, nbytes;
	int64_t site;		/* of the call, packed */
	uint32_t slot, step;
};

/* A request that has come and is not answered yet. */
struct request {
	struct read_note what;
	uint32_t number;
	int32_t from;
	struct bspt_event event;	/* its arrival, if there is a clock */
};

/* Processes of the node find this at the address that the status table shows. */
struct areas {
	uint64_t key;		/* key_of() its address */
	const struct bspi_regions *regions;
};

static struct areas own_areas;

static struct {
	/* the value that this process waits for */
	uint32_t number;
	int from;
	char *dst;
	uint64_t left, nbytes;
	struct bspt_event event;	/* of the last piece */
	/* requests of other processes: bspi.nreads of them */
	struct request *requests;
	size_t room;
} direct_reads;

static uint64_t key_of(const struct areas *at)
{
	return ((uintptr_t)at ^ UINT64_C(0x6273705f61726561)) * UINT64_C(0x9e3779b97f4a7c15);
}

/* ---- On the owner ------------------------------------------------------------ */

static const char *read_source(const struct request *r)
{
	const struct bspi_slot *s = &bspi_regions.slots[r->what.slot];

	if (r->what.slot >= bspi_regions.nslots || !s->used)
		bspi_fail_damaged(r->from);
	if (!s->base)
		bspi_fail_of(r->from, r->what.step, "bsp_direct_get", r->what.site,
			     "process %d has registered NULL for this area", bspi.me);
	if (r->what.nbytes > s->nbytes || r->what.offset > s->nbytes - r->what.nbytes)
		bspi_fail_of(r->from, r->what.step, "bsp_direct_get", r->what.site,
			     "offset %llu + %llu bytes is beyond the %zu byte%s registered on "
			     "process %d",
			     (unsigned long long)r->what.offset, (unsigned long long)r->what.nbytes,
			     s->nbytes, bspi_plural(s->nbytes), bspi.me);
	return s->base + r->what.offset;
}

/* With a clock, as though a processor beside this process answered. */
static void read_answer(const struct request *r)
{
	const char *src = read_source(r);
	const struct bspt *t = bspi_out_of(r->from)->t;
	size_t most = t->good_chunk - 2 * bspi_note_bytes(0) - sizeof(struct bspi_head);

	if (most > PIECE_MOST)
		most = PIECE_MOST;
	for (uint64_t done = 0, n; done < r->what.nbytes; done += n) {
		struct bspi_note note = { .kind = BSPI_NOTE_VALUE, .handle = r->number,
					  .number = done };
		struct bspi_outgoing p = { .pid = r->from };

		n = r->what.nbytes - done < most ? r->what.nbytes - done : most;
		bspi_outgoing_alone(&p, bspi_note_bytes(n));
		memcpy(bspi_note_fill(p.rec, &note, n), src + done, n);
		if (BSPI_UNLIKELY(bspi.clock))
			bspi_outgoing_send_at(&p,
					      bspi.net->ops->receive_at(bspi.net, &r->event, 0));
		else
			bspi_outgoing_send(&p);
	}
}

static bool read_answer_all(void)
{
	size_t left = 0, n = bspi.nreads;

	for (size_t i = 0; i < n; i++) {
		const struct request *r = &direct_reads.requests[i];

		if (bspi_before(bspi.step, r->what.step))
			/* of a superstep that we have not begun */
			direct_reads.requests[left++] = *r;
		else
			read_answer(r);
	}
	bspi.nreads = left;
	return left < n;
}

static void read_on_request(int from, const struct bspi_note *note, size_t n,
			    const struct bspt_event *event)
{
	struct request r = { .number = note->handle, .from = from, .event = *event };

	if (n != sizeof(r.what))
		bspi_fail_damaged(from);
	memcpy(&r.what, note + 1, n);
	direct_reads.requests = bspi_grow(direct_reads.requests, bspi.nreads, sizeof(r),
					  &direct_reads.room);
	direct_reads.requests[bspi.nreads++] = r;
	bspi.goal_work |= BSPI_GOAL_CARRY;
}

/* ---- On the process that reads --------------------------------------------------- */

static void read_on_value(int from, const struct bspi_note *note, size_t n,
		       const struct bspt_event *event)
{
	if (!direct_reads.left || from != direct_reads.from ||
	    note->handle != direct_reads.number || n > direct_reads.left ||
	    note->number > direct_reads.nbytes - n)
		bspi_fail_damaged(from);
	memcpy(direct_reads.dst + note->number, note + 1, n);
	direct_reads.left -= n;
	direct_reads.event = *event;
}

static void read_ask(const struct bspi_transfer *t, uint32_t slot, size_t done)
{
	struct bspi_note note = { .kind = BSPI_NOTE_READ, .handle = ++direct_reads.number };
	struct read_note what = {
		.offset = t->offset + done, .nbytes = direct_reads.nbytes,
		.site = bspi_site_pack(t->site), .slot = slot, .step = bspi.step,
	};
	struct bspi_outgoing p = { .pid = t->pid };

	bspi_outgoing_alone(&p, bspi_note_bytes(sizeof(what)));
	memcpy(bspi_note_fill(p.rec, &note, sizeof(what)), &what, sizeof(what));
	bspi_outgoing_send(&p);
}

static void read_await(void)
{
	unsigned int idle = 0;

	while (direct_reads.left)
		bspi_pump_for(&idle, BSPI_WAIT_VALUE, direct_reads.from, 0);
	bspi_show_computing();
	if (BSPI_UNLIKELY(bspi.clock))
		bspi.net->ops->advance(bspi.net, &direct_reads.event, 1);
}

static void read_by_asking(const struct bspi_transfer *t, uint32_t slot)
{
	for (size_t done = 0; done < t->nbytes; done += direct_reads.nbytes) {
		direct_reads.from = t->pid;
		direct_reads.dst = (char *)(uintptr_t)t->local + done;
		direct_reads.nbytes = t->nbytes - done < PART_MOST ? t->nbytes - done : PART_MOST;
		direct_reads.left = direct_reads.nbytes;
		read_ask(t, slot, done);
		read_await();
	}
}

/* ---- Without its owner ------------------------------------------------------------ */

/*
 * The registration is read from the owner's memory, too. areas_turn of its status says whether that
 * changed meanwhile, as the count of a seqlock does: the first load of it is an acquire, so what is
 * read comes after it, and the fence keeps what was read before the second one, also on processors
 * for which a system call orders nothing. Pairs with the fence in bspi_show_areas_change() and the
 * release in bspi_show_areas_stay(). The key, which no other process has at that address, proves
 * that the bytes read are the owner's.
 */
static bool read_peek_slot(const struct bspj_status *status, uint32_t slot, struct bspi_slot *s)
{
	const struct areas *there = (const struct areas *)atomic_load(&status->areas);
	uint32_t turn = atomic_load(&status->areas_turn);
	struct areas a;
	struct bspi_regions r;

	if (!there || turn % 2 || bspj_peek(status, there, &a, sizeof(a)) < 0 ||
	    a.key != key_of(there) ||
	    bspj_peek(status, a.regions, &r, sizeof(r)) < 0 || slot >= r.nslots ||
	    bspj_peek(status, &r.slots[slot], s, sizeof(*s)) < 0)
		return false;
	atomic_thread_fence(memory_order_acquire);
	return atomic_load(&status->areas_turn) == turn && s->used;
}

static bool is_within_reach(int pid)
{
	const struct bspt *t = bspi_out_of(pid)->t;
	const int *node = bspi.job.wire->node;

	return (t->ops->caps & BSPT_ONE_NODE) && node[pid] == node[bspi.me] && !bspi.clock;
}

/*
 * Other mistakes in the call are reported by the owner, which is asked then. The acquire pairs with
 * the release in bspi_show_step(): the superstep before has taken effect there.
 */
static bool read_directly(const struct bspi_transfer *t, uint32_t slot)
{
	const struct bspj_status *status = &bspi.job.table->rank[t->pid];
	struct bspi_slot s;

	if (!is_within_reach(t->pid) ||
	    bspi_before(atomic_load_explicit(&status->step, memory_order_acquire), bspi.step))
		return false;
	return read_peek_slot(status, slot, &s) && s.base && t->nbytes <= s.nbytes &&
	       t->offset <= s.nbytes - t->nbytes &&
	       bspj_peek(status, s.base + t->offset, (char *)(uintptr_t)t->local, t->nbytes) == 0;
}

void bspi_immediate_get(const char *site, int64_t pid, const void *src, size_t offset, void *dst,
			size_t nbytes)
{
	struct bspi_transfer t = { "bsp_direct_get", site, pid, dst, src, offset, nbytes };
	uint32_t slot;

	bspi_require_no_operator(t.call, site);
	if (!bspi_get_begin(&t, &slot))
		return;
	BSPI_EVENT(call_begins, (BSPI_READS, t.call, site));
	if (pid == bspi.me)
		memmove(dst, bspi_own_bytes(&t, slot), nbytes);
	else if (!read_directly(&t, slot))
		read_by_asking(&t, slot);
	BSPI_EVENT(call_ends, ());
	bspi_computing(true);
}

void bspi_immediate_open(void)
{
	struct bspj_status *status = bspi_own_status();

	bspi_note_handle(BSPI_NOTE_READ, read_on_request);
	bspi_note_handle(BSPI_NOTE_VALUE, read_on_value);
	bspi_carry_answers(read_answer_all);
	own_areas = (struct areas){ key_of(&own_areas), &bspi_regions };
	bspj_peek_allow(status);
	atomic_store(&status->areas, (uintptr_t)&own_areas);
}

void bspi_immediate_close(void)
{
	free(direct_reads.requests);
	memset(&direct_reads, 0, sizeof(direct_reads));
	bspi.nreads = 0;
}
