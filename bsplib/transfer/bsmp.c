// SPDX-License-Identifier: BSD-3-Clause
/* bsmp.c - messages: sending them, and the queue of those that have arrived. */

/*
 * Messages are read where they arrived: the queue is a list of addresses in the
 * chunks that the engine keeps until the next bsp_sync. Data and tag lie on multiples
 * of 16 bytes.
 *
 * Messages of relaxed supersteps are copied out of their chunks, since it is not known how
 * long they wait until bsp_expect opens them; chunks are given back in order.
 *
 * Tag sizes are three: of the messages being read, of those being sent, and the
 * size set last. At the end of a superstep each takes the place of the one before.
 */

#include "bsplib/transfer/bsmp.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/hooks.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"
#include "bsplib/engine/trim.h"
#include "bsplib/transfer/reach.h"
#include "bsplib/transfer/twophase.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MSG_ALIGN = 16 };

_Static_assert(sizeof(struct bspi_msg) == MSG_ALIGN, "the last bytes before what follows a head");

/* A message that waits, or did, apart from the chunk it came in. */
struct message_copy {
	_Alignas(16) uint32_t step;
	uint32_t time;		/* of its chunk, see clock.c */
	uint64_t number;	/* in the order in which they came */
	int32_t from;
	_Alignas(16) struct bspi_msg msg;
};

struct message_copies {
	struct message_copy **at;
	size_t n, room;
};

static struct {
	const struct bspi_msg **at;
	struct message_copies pending;	/* not expected yet */
	struct message_copies opened;	/* in the queue */
	uint64_t ncopies;
	size_t n, room, next;
	size_t most;		/* n was at most so much since the last bspi_trim() */
	uint64_t nbytes;	/* of those not moved */
	bool shown;		/* the program knows where one is: bsp_hpmove */
} queue;

struct bspi_tags bspi_tags;

/* ---- Sending -------------------------------------------------------------- */

void bspi_set_tagsize(const char *site, size_t *nbytes)
{
	size_t last = bspi_tags.set;

	bspi_require_running("bsp_set_tagsize", site);
	if (!nbytes)
		bspi_fail("bsp_set_tagsize", site, "the size is NULL");
	if (bspi_negative(*nbytes))
		bspi_fail("bsp_set_tagsize", site, "size %zd is negative", (ssize_t)*nbytes);
	if (*nbytes > UINT32_MAX)
		bspi_fail("bsp_set_tagsize", site,
			  "%zu bytes are too many for a tag, the most is %u",
			  *nbytes, UINT32_MAX);
	bspi_tags.set = *nbytes;
	bspi_tags.called = true;
	bspi_tags.site = site;
	*nbytes = last;
}

static __attribute__((noinline, cold)) void check_receiver(const char *call, const char *site,
							   int64_t pid)
{
	if ((uint64_t)pid >= (uint64_t)bspi.nprocs)
		bspi_fail_pid(call, site, pid);
	bspi_require_neighbor(call, site, pid);
}

static void check_send(const char *call, const char *site, int64_t pid, const void *tag,
		       const void *payload, size_t nbytes)
{
	if (bspi_negative(nbytes))
		bspi_fail(call, site, "size %zd is negative", (ssize_t)nbytes);
	if ((uint64_t)pid >= (uint64_t)bspi.reach)
		check_receiver(call, site, pid);
	if (!tag && bspi_tags.sending)
		bspi_fail(call, site, "the tag is NULL, but tags have %zu byte%s",
			  bspi_tags.sending, bspi_plural(bspi_tags.sending));
	if (!payload && nbytes)
		bspi_fail(call, site, "the payload is NULL, but has %zu byte%s", nbytes,
			  bspi_plural(nbytes));
}

/* Room on a multiple of 16; what is before it may end halfway. */
static inline struct bspi_msg *room_for(int pid, size_t bytes)
{
	struct bspi_out *o = &bspi_engine.out[pid];

	if (((uintptr_t)o->at & 15) && o->at < o->end)
		*(struct bspi_pad *)bspi_out_room(pid, sizeof(struct bspi_pad)) =
			(struct bspi_pad){ BSPI_PAD, sizeof(struct bspi_pad) };
	return bspi_out_room(pid, bytes);
}

void bspi_send(const char *call, const char *site, int64_t pid, const void *tag,
	       const void *payload, size_t nbytes)
{
	size_t tag_bytes = bspi_tags.sending, bytes;
	struct bspi_msg *m;

	bspi_require_running(call, site);
	if (BSPI_UNLIKELY((uint64_t)pid >= (uint64_t)bspi.reach || bspi_negative(nbytes) ||
			  !tag || !payload))
		check_send(call, site, pid, tag, payload, nbytes);
	bspi_computing(false);
	BSPI_EVENT(message, (site, pid, tag_bytes, nbytes));
	bytes = sizeof(*m) + bspi_align16(nbytes) + bspi_align16(tag_bytes);
	if (BSPI_UNLIKELY(bspi.two_phases && pid != bspi.me)) {
		m = bspi_twophase_message(call, site, pid, bytes);
	} else {
		m = room_for(pid, bytes);
		bspi_engine.out[pid].flags |= BSPI_MSGS;
	}
	/*
	 * The bytes that payload and tag leave of their last words, see bspi_end_in_zeros();
	 * without a payload, the head itself.
	 */
	memset((char *)m + bspi_align16(nbytes), 0, MSG_ALIGN);
	memset((char *)m + bspi_align16(nbytes) + bspi_align16(tag_bytes), 0, MSG_ALIGN);
	m->what = bspi_what(BSPI_MSG, bspi_site_pack_near(site));
	m->tag_bytes = tag_bytes;
	m->nbytes = nbytes;
	if (nbytes)
		memcpy(m + 1, payload, nbytes);
	if (tag_bytes)
		memcpy((char *)(m + 1) + bspi_align16(nbytes), tag, tag_bytes);
	bspi.stat.msgs++;
	bspi.stat.bytes_out += nbytes + tag_bytes;
	bspi_computing(true);
}

/* ---- The queue ------------------------------------------------------------ */

static size_t message_length(const char *at)
{
	const struct bspi_msg *m = (const struct bspi_msg *)at;

	return m->nbytes > PTRDIFF_MAX ? SIZE_MAX :
		sizeof(*m) + bspi_align16(m->nbytes) + bspi_align16(m->tag_bytes);
}

/* As bspi_after(), without its look at the table: programs send many. */
static inline const char *end_of_message(int from, const char *at, const char *end)
{
	size_t bytes = message_length(at);

	if (BSPI_UNLIKELY(bytes > (size_t)(end - at)))
		bspi_fail_damaged(from);
	return at + bytes;
}

static const char *queue_add(int from, const char *at, const char *end)
{
	do {
		const struct bspi_msg *m = (const struct bspi_msg *)at;

		__builtin_prefetch(at + BSPI_AHEAD);
		at = end_of_message(from, at, end);
		queue.at = bspi_grow(queue.at, queue.n, sizeof(*queue.at), &queue.room);
		queue.at[queue.n++] = m;
		queue.nbytes += m->nbytes;
	} while (at < end && bspi_kind_of(*(const uint32_t *)at) == BSPI_MSG);
	return at;
}

static void free_copies(struct message_copies *l)
{
	for (size_t i = 0; i < l->n; i++) {
		bspi_clock_drop(l->at[i]->time);
		free(l->at[i]);
	}
	l->n = 0;
}

void bspi_queue_clear(void)
{
	if (BSPI_UNLIKELY(queue.opened.n))
		free_copies(&queue.opened);
	if (queue.most < queue.n)
		queue.most = queue.n;
	queue.n = 0;
	queue.next = 0;
	queue.nbytes = 0;
	queue.shown = false;
}

/*
 * The thread of progress moves none, which the program may be reading; nor one that the program
 * was shown.
 */
static bool messages_may_move(void)
{
	return !bspi.in_turn && !queue.shown;
}

static void messages_moved(const char *old, size_t len, const char *to)
{
	for (size_t i = queue.next; i < queue.n; i++) {
		size_t at = (const char *)queue.at[i] - old;

		if (at < len)
			queue.at[i] = (const struct bspi_msg *)(to + at);
	}
}

/* ---- Messages of relaxed supersteps -------------------------------------------- */

static struct message_copy *make_copy(int from, const struct bspi_msg *m, size_t bytes)
{
	struct message_copy *l = aligned_alloc(16, offsetof(struct message_copy, msg) + bytes);

	if (!l)
		bspi_fail_memory("bsp_sync", NULL);
	l->step = bspi_engine.arriving->step;
	l->number = queue.ncopies++;
	l->time = bspi_engine.time;
	l->from = from;
	bspi_clock_keep(l->time);
	memcpy(&l->msg, m, bytes);
	return l;
}

static void add_copy(struct message_copies *list, struct message_copy *l)
{
	list->at = bspi_grow(list->at, list->n, sizeof(*list->at), &list->room);
	list->at[list->n++] = l;
}

static const char *pending_add(int from, const char *at, const char *end)
{
	const struct bspi_msg *m = (const struct bspi_msg *)at;
	const char *next = bspi_after(from, at, end);

	add_copy(&queue.pending, make_copy(from, m, next - at));
	return next;
}

size_t bspi_pending(void)
{
	return queue.pending.n;
}

static int by_step(const void *a, const void *b)
{
	const struct message_copy *x = *(struct message_copy *const *)a;
	const struct message_copy *y = *(struct message_copy *const *)b;

	if (x->step != y->step)
		return bspi_before(x->step, y->step) ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void open_copy(struct message_copy *l)
{
	bspi_clock_need(l->time);
	add_copy(&queue.opened, l);
	queue.at = bspi_grow(queue.at, queue.n, sizeof(*queue.at), &queue.room);
	queue.at[queue.n++] = &l->msg;
	queue.nbytes += l->msg.nbytes;
}

void bspi_pending_move(size_t n)
{
	struct message_copies *p = &queue.pending;

	if (!n)
		return;
	qsort(p->at, p->n, sizeof(*p->at), by_step);
	for (size_t i = 0; i < n; i++)
		open_copy(p->at[i]);
	p->n -= n;
	memmove(p->at, p->at + n, p->n * sizeof(*p->at));
	if (bspi.env.shuffle)
		bspi_queue_shuffle();
}

void bspi_pending_vanish(void)
{
	free_copies(&queue.pending);
}

/*
 * The barrier that ends a relaxed epoch: what is of earlier supersteps still belongs to
 * bsp_expect.
 */
static const char *queue_or_wait(int from, const char *at, const char *end)
{
	bool waits = BSPI_UNLIKELY(bspi_is_relaxed()) &&
		bspi_before(bspi_engine.arriving->step, bspi.step);

	return waits ? pending_add(from, at, end) : queue_add(from, at, end);
}

void bspi_messages_wait(bool on)
{
	bspi_record_handle(BSPI_MSG, BSPI_AT_EFFECT, on ? pending_add : queue_or_wait);
}

void bspi_queue_open(void)
{
	bspi_tags = (struct bspi_tags){ .now = 0 };
	bspi_record_length(BSPI_MSG, message_length);
	bspi_messages_wait(false);
	bspi_hooks.messages_may_move = messages_may_move;
	bspi_hooks.messages_moved = messages_moved;
}

size_t bspi_queue_trim(void)
{
	return BSPI_SHRINK(queue.at, queue.n, queue.room, queue.most);
}

void bspi_pending_each(bspi_look_at_message *look, void *to)
{
	for (size_t i = 0; i < queue.pending.n; i++) {
		const struct message_copy *l = queue.pending.at[i];

		look(to, l->step, l->from, bspi_site_unpack_near(l->msg.what >> 8));
	}
}

void bspi_queue_close(void)
{
	free_copies(&queue.pending);
	free_copies(&queue.opened);
	free(queue.pending.at);
	free(queue.opened.at);
	free(queue.at);
	memset(&queue, 0, sizeof(queue));
}

/* ---- Any order ------------------------------------------------------------------ */

static uint64_t random_of(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* An order that depends on the seed, the process and the superstep. */
void bspi_queue_shuffle(void)
{
	uint64_t state = bspi.env.shuffle + ((uint64_t)bspi.me << 32 | bspi.step);

	for (size_t i = queue.n; i > queue.next + 1; i--) {
		size_t k = queue.next + random_of(&state) % (i - queue.next);
		const struct bspi_msg *m = queue.at[k];

		queue.at[k] = queue.at[i - 1];
		queue.at[i - 1] = m;
	}
}

static const struct bspi_msg *first_message(void)
{
	return queue.next < queue.n ? queue.at[queue.next] : NULL;
}

static void remove_first(void)
{
	queue.nbytes -= queue.at[queue.next++]->nbytes;
}

static const void *data_of(const struct bspi_msg *m)
{
	return m + 1;
}

static const void *tag_of(const struct bspi_msg *m)
{
	return (const char *)(m + 1) + bspi_align16(m->nbytes);
}

/* ---- Reading -------------------------------------------------------------- */

void bspi_qsize(const char *site, size_t *nmessages, size_t *nbytes)
{
	bspi_require_running("bsp_qsize", site);
	if (!nmessages)
		bspi_fail("bsp_qsize", site, "the number of messages is NULL");
	*nmessages = queue.n - queue.next;
	*nbytes = queue.nbytes;
}

int64_t bspi_get_tag(const char *site, const void *status, void *tag)
{
	const struct bspi_msg *m;

	bspi_require_running("bsp_get_tag", site);
	m = first_message();
	if (!status)
		bspi_fail("bsp_get_tag", site, "the status is NULL");
	if (!tag && (m ? m->tag_bytes : bspi_tags.now))
		bspi_fail("bsp_get_tag", site, "the tag is NULL, but tags have %zu byte%s",
			  m ? (size_t)m->tag_bytes : bspi_tags.now,
			  bspi_plural(m ? (size_t)m->tag_bytes : bspi_tags.now));
	if (!m)
		return -1;
	if (m->tag_bytes)
		memcpy(tag, tag_of(m), m->tag_bytes);
	return m->nbytes;
}

void bspi_move(const char *site, void *payload, size_t nbytes)
{
	const struct bspi_msg *m;

	bspi_require_running("bsp_move", site);
	m = first_message();
	if (bspi_negative(nbytes))
		bspi_fail("bsp_move", site, "size %zd is negative", (ssize_t)nbytes);
	if (!payload && nbytes)
		bspi_fail("bsp_move", site, "the payload is NULL, but has room for %zu byte%s",
			  nbytes, bspi_plural(nbytes));
	if (!m)
		bspi_fail("bsp_move", site,
			  "the queue is empty; ask bsp_qsize or bsp_get_tag first");
	if (nbytes > m->nbytes)
		nbytes = m->nbytes;
	if (nbytes)
		memcpy(payload, data_of(m), nbytes);
	remove_first();
}

int64_t bspi_hpmove(const char *site, void **tag, void **payload)
{
	const struct bspi_msg *m;

	bspi_require_running("bsp_hpmove", site);
	m = first_message();
	if (!tag || !payload)
		bspi_fail("bsp_hpmove", site, "the %s is NULL", tag ? "payload" : "tag");
	if (!m)
		return -1;
	*tag = (void *)(uintptr_t)tag_of(m);
	*payload = (void *)(uintptr_t)data_of(m);
	queue.shown = true;
	remove_first();
	return m->nbytes;
}
