// SPDX-License-Identifier: BSD-3-Clause
/* superstep.c - the engine: what is sent, what is held, and in which order it takes effect. */

/*
 * The order of things at the end of a superstep is written once, in
 * bspi_superstep(). When everything of the superstep has arrived is not decided
 * here but by whoever counts (classic.c); the engine takes chunks in, by their
 * timestamps, until it is told that this is so.
 */

#include "bsplib/bspi.h"
#include "bsplib/collective/coll.h"
#include "bsplib/schedule/schedule.h"

#include <stdlib.h>

enum {
	HINT_MOST = 1 << 20,		/* bytes of a chunk opened because the last superstep sent so much */
	GROWTH_MOST = 256 << 10,	/* bytes of one opened because the last chunk was full */
	READY_LEAST = 128, READY_MOST = 2048,	/* bytes for which a chunk is made ready in advance */
	FRAGMENT_LEAST = 4096,		/* smaller transfers are not cut */
};

/* ---- Sending -------------------------------------------------------------- */

/* A chunk that is larger by its head alone may cost the transport a message more. */
static size_t good_room(const struct bspi_out *o)
{
	return o->t->good_chunk - sizeof(struct bspi_head);
}

/* What the chunk should hold: what is asked for, or more if there was or will be more. */
static size_t wish(const struct bspi_out *o, size_t bytes)
{
	size_t more = o->volume < GROWTH_MOST ? o->volume : GROWTH_MOST;

	if (o->volume == 0)
		more = o->hint < HINT_MOST ? o->hint : HINT_MOST;
	if (more > good_room(o))
		more = good_room(o);
	return sizeof(struct bspi_head) + (bytes > more ? bytes : more);
}

static void require_head(const struct bspi_arrival *a)
{
	if (BSPI_UNLIKELY(a->len < sizeof(struct bspi_head)))
		bspi_fail_damaged(a->from);
}

/*
 * Processes of this node that have not left the last superstep may still give chunks back. A
 * network lacks chunks only when there is no memory.
 */
static bool some_are_behind(void)
{
	const int *node = bspi.job.wire->node;

	for (int q = 0; q < bspi.nprocs; q++)
		if (node[q] == node[bspi.me] &&
		    (int32_t)(atomic_load_explicit(&bspi.job.board->seats[q].step,
						   memory_order_acquire) - bspi.step) < 0)
			return true;
	return false;
}

void bspi_pump_aside(unsigned int *idle)
{
	struct bspi_arrival a = { .done = false };

	a.chunk = bspi.net->ops->poll(bspi.net, &a.from, &a.len);
	if (a.chunk) {
		require_head(&a);
		bspi_arrivals_add(&bspi.stash, &a);
		*idle = 0;
	} else {
		bspi.net->ops->wait(bspi.net, (*idle)++);
	}
}

/* In bsp_sync: move on what we have sent, so that memory comes back. */
static void wait_for_memory(int pid)
{
	bspi_show_awaited(BSPT_AWAITS_MEMORY, pid, 0);
	bspi_pump_aside(&(unsigned int){ 0 });	/* that a block comes back wakes nobody, so no sleep */
}

static void open_chunk(int pid, size_t bytes)
{
	struct bspi_out *o = &bspi.out[pid];
	bool waited = false;
	size_t room;

	o->chunk = o->t->ops->chunk(o->t, o->peer, wish(o, bytes), &room);
	while (!o->chunk && o->t != bspi.self && some_are_behind()) {
		if (bspi.syncing)
			wait_for_memory(pid);
		else
			bspi_pump_for(&(unsigned int){ 0 }, BSPT_AWAITS_MEMORY, pid, 0);
		waited = true;
		o->chunk = o->t->ops->chunk(o->t, o->peer, wish(o, bytes), &room);
	}
	if (BSPI_UNLIKELY(waited))
		bspi_show_awaited(BSPT_AWAITS_NOTHING, 0, 0);
	if (!o->chunk)
		o->chunk = o->t->ops->chunk(o->t, o->peer, sizeof(struct bspi_head) + bytes, &room);
	if (!o->chunk)
		bspi_fail_memory("bsp", NULL);
	o->at = o->chunk + sizeof(struct bspi_head);
	o->end = o->chunk + (room & ~(size_t)15);
	if (!o->touched)
		bspi.touched[bspi.ntouched++] = pid;
	o->touched = true;
}

/* We may be in the middle of a flight. */
char *bspi_out_chunk(int pid, size_t bytes, size_t *room)
{
	const struct bspi_out *o = &bspi.out[pid];
	char *chunk = o->t->ops->chunk(o->t, o->peer, bytes, room);

	while (BSPI_UNLIKELY(!chunk) && some_are_behind()) {
		wait_for_memory(pid);
		chunk = o->t->ops->chunk(o->t, o->peer, bytes, room);
	}
	if (BSPI_UNLIKELY(!chunk))
		bspi_fail_memory("bsp", NULL);
	return chunk;
}

/* The open chunk leaves, with whatever flags the caller has set. */
void bspi_out_send(int pid)
{
	struct bspi_out *o = &bspi.out[pid];
	size_t len = o->at - o->chunk;

	if (!(o->flags & BSPI_UNCOUNTED)) {
		o->sent++;
		if (BSPI_UNLIKELY(bspi.relaxed))
			bspi_flow_sent(pid, len);
	}
	*bspi_head_of(o->chunk) = (struct bspi_head){
		.step = bspi.step, .flags = o->flags | bspi.epoch << BSPI_EPOCH_SHIFT,
		.sent = o->flags & BSPI_END ? o->sent : bspi.flow[pid].taken,
		.sum = o->flags & BSPI_GOALS ? o->round_at : bspi.sum,
	};
	o->t->ops->send(o->t, o->peer, o->chunk, len);
	if (!(o->flags & BSPI_URGENT))
		o->volume += len;
	o->chunk = NULL;
	o->at = NULL;
	o->end = NULL;
	o->flags &= BSPI_REPLY;
}

void bspi_out_send_all(void)
{
	for (int i = 0; i < bspi.ntouched; i++)
		if (bspi_has_records(&bspi.out[bspi.touched[i]]))
			bspi_out_send(bspi.touched[i]);
}

/*
 * With barriers transfers that overlap end as one of them, whole, so their pieces must not leave apart;
 * relaxed programs have none that overlap, and what travels in small chunks waits for nobody.
 */
static bool may_be_cut(const struct bspi_out *o, size_t bytes)
{
	return bspi.relaxed && bytes > good_room(o);
}

/*
 * With @got NULL all of @bytes or nothing; else at least FRAGMENT_LEAST of them, and
 * *@got says how many.
 */
void *bspi_out_slow(int pid, size_t bytes, size_t *got)
{
	struct bspi_out *o = &bspi.out[pid];
	size_t room;
	void *at;

	if (bspi_has_records(o))
		bspi_out_send(pid);
	if (o->chunk && bytes > (size_t)(o->end - o->at)) {
		o->t->ops->discard(o->t, o->peer, o->chunk);
		o->chunk = NULL;
	}
	if (!o->chunk)
		open_chunk(pid, got && may_be_cut(o, bytes) ? good_room(o) : bytes);
	room = o->end - o->at;
	if (bytes > room && (!got || room < FRAGMENT_LEAST))
		bspi_fail(bspi.syncing ? "bsp_sync" : "bsp_send", NULL,
			  "%zu bytes do not fit a chunk of the transport, which has %zu", bytes, room);
	if (bytes > room)
		bytes = room;
	if (got)
		*got = bytes;
	at = o->at;
	o->at += bytes;
	bspi_end_in_zeros(o->at);
	return at;
}

/* ---- Taking in ------------------------------------------------------------ */

static void note_count(const struct bspi_arrival *a)
{
	const struct bspi_head *h = bspi_head_of(a->chunk);
	struct bspi_count *c = &bspi.count[h->flags >> BSPI_EPOCH_SHIFT & 1];

	if (h->flags & BSPI_UNCOUNTED)
		return;			/* who waits for these knows how many */
	c->arrived++;
	if (!(h->flags & BSPI_END))
		return;
	c->ends++;
	c->expected += h->sent;
	c->any |= h->sum;
	c->all &= h->sum;
}

static bool poll_one(struct bspt *t, struct bspi_arrival *a)
{
	struct bspi_arrivals *s = &bspi.stash;

	*a = (struct bspi_arrival){ .done = false };
	if (BSPI_UNLIKELY(s->n) && t == bspi.net) {
		*a = s->at[bspi.first_stashed++];
		if (bspi.first_stashed == s->n)
			bspi.first_stashed = s->n = 0;
		return true;
	}
	a->chunk = t->ops->poll(t, &a->from, &a->len);
	if (a->chunk)
		require_head(a);
	return a->chunk;
}

static bool take_in(struct bspt *t)
{
	struct bspi_arrival a;
	bool some = poll_one(t, &a);

	bool moved = BSPI_UNLIKELY(bspi.bulks) && bspi_bulk_settle();

	if (!some)
		return moved;
	if (a.from != bspi.me)
		note_count(&a);
	if (BSPI_UNLIKELY(bspi.clock) && a.from != bspi.me)
		a.time = bspi_clock_note(a.from, a.chunk, a.len);
	if (bspi_head_of(a.chunk)->flags & BSPI_GOALS)
		bspi_schedules_hear(&a);
	if (BSPI_UNLIKELY(bspi.relaxed))
		bspi_arrive(&a);
	else
		bspi_hold(&a);
	return true;
}

/* The same, and move flights on that have got something. */
bool bspi_take_in(void)
{
	bool some = take_in(bspi.net);

	if (BSPI_UNLIKELY(bspi.goal_work))
		some |= bspi_schedules_progress();
	return some;
}

/* Nothing has come: tell what others may wait for, and wait. */
void bspi_wait(unsigned int *idle)
{
	if (BSPI_UNLIKELY(bspi.relaxed))
		bspi_flow_tell();
	bspi.net->ops->wait(bspi.net, (*idle)++);
}

void bspi_pump(unsigned int *idle)
{
	if (bspi_take_in())
		*idle = 0;
	else
		bspi_wait(idle);
}

void bspi_pump_for(unsigned int *idle, enum bspt_awaited what, uint32_t first, uint32_t second)
{
	bspi_show_awaited(what, first, second);
	bspi_pump(idle);
}

bool bspi_drain(void)
{
	bool some = false;

	while (bspi.net && bspi_take_in())
		some = true;
	return some;
}

/* ---- Records of a chunk --------------------------------------------------- */

static size_t wide_bytes(const struct bspi_rec *rec)
{
	return rec->what & BSPI_WIDE ? sizeof(struct bspi_wide) : 0;
}

/* The length of a record; SIZE_MAX: longer than any. */
static size_t record_bytes(const char *at)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;
	const struct bspi_msg *m = (const struct bspi_msg *)at;

	switch (bspi_kind_of(rec->what)) {
	case BSPI_PAD:
		return ((const struct bspi_pad *)at)->bytes;
	case BSPI_MSG:
		return m->nbytes > PTRDIFF_MAX ? SIZE_MAX :
			sizeof(*m) + bspi_align16(m->nbytes) + bspi_align16(m->tag_bytes);
	case BSPI_GET:
	case BSPI_GET_PART:
		return sizeof(*rec) + wide_bytes(rec) + sizeof(uint64_t);
	default:
		return bspi_align(sizeof(*rec) + wide_bytes(rec) + rec->nbytes);
	}
}

const char *bspi_after(int from, const char *at, const char *end)
{
	size_t bytes = record_bytes(at);

	if (BSPI_UNLIKELY(bytes == 0 || bytes > (size_t)(end - at)))
		bspi_fail_damaged(from);
	return at + bytes;
}

void bspi_fail_damaged(int from)
{
	bspi_fail(bspi.ending ? "bsp_end" : "bsp_sync", bspi_own_place(),
		  "a chunk from process %d is damaged; something has written into the memory or the connection between the two, or one of them runs another version of the library",
		  from);
}

/* Gets, answers and registrations have been seen to before. */
static const char *take_effect(int from, const char *at, const char *end)
{
	switch (bspi_kind_of(*(const uint32_t *)at)) {
	case BSPI_PUT:
		return bspi.write_puts(from, at, end);
	case BSPI_PUT_PART:
		return bspi_write_put_parts(from, at, end);
	case BSPI_MSG:
		return bspi.take_message(from, at, end);
	case BSPI_ASK:
		return bspi_ask_hear(from, at, end);
	case BSPI_WINDOW:
		bspi_region_window(from, (const struct bspi_rec *)at);
		return bspi_after(from, at, end);
	case BSPI_BULK:
		return bspi_bulk_hear(from, at, end);
	default:
		return bspi_after(from, at, end);
	}
}

static const char *serve(int from, const char *at, const char *end)
{
	enum bspi_kind kind = bspi_kind_of(*(const uint32_t *)at);

	return kind == BSPI_GET || kind == BSPI_GET_PART ?
		bspi_answer_gets(from, at, end) : bspi_after(from, at, end);
}

static const char *hear_registration(int from, const char *at, const char *end)
{
	if (bspi_kind_of(*(const uint32_t *)at) == BSPI_REG)
		bspi_region_hear(from, (const struct bspi_rec *)at);
	return bspi_after(from, at, end);
}

static const char *hear_stat(int from, const char *at, const char *end)
{
	if (bspi_kind_of(*(const uint32_t *)at) == BSPI_STAT)
		bspi_stat_hear(from, (const struct bspi_rec *)at);
	else if (bspi_kind_of(*(const uint32_t *)at) == BSPI_CHECKED)
		bspi_suggest_hear((const struct bspi_rec *)at);
	else if (bspi_kind_of(*(const uint32_t *)at) == BSPI_CALL)
		bspi_agree_hear_last(from, (const struct bspi_rec *)at);
	return bspi_after(from, at, end);
}

void bspi_run_through(const struct bspi_arrival *a, bspi_run *run)
{
	const char *at = a->chunk + sizeof(struct bspi_head), *end = a->chunk + a->len;

	while (at < end)
		at = run(a->from, at, end);
}

/* Is the i-th held chunk of this superstep, and has it one of the flags, if any are asked for? */
static bool is_held(size_t i, uint32_t flags)
{
	const struct bspi_head *h = bspi_head_of(bspi.held.at[i].chunk);

	return h->step == bspi.step && (!flags || (h->flags & flags));
}

void bspi_for_each_held(size_t i, uint32_t flags, bspi_run *run)
{
	for (; i < bspi.held.n; i++)
		if (is_held(i, flags))
			bspi_run_through(&bspi.held.at[i], run);
}

/* ---- The order of things -------------------------------------------------- */

/* What this process sent to itself is here as soon as it is sent. */
void bspi_take_in_own(void)
{
	while (bspi.out[bspi.me].touched && take_in(bspi.self))
		;
}

/* Announced by all before the wait was over, so all requests are known: 3 of bspi.h. */
void bspi_serve_gets(size_t i)
{
	if (BSPI_UNLIKELY(bspi.slow))
		bspi_check_gets();
	for (int q = 0; q < bspi.nprocs; q++)
		bspi.out[q].flags = BSPI_REPLY;
	bspi_for_each_held(i, BSPI_GETS, serve);
	for (int q = 0; q < bspi.nprocs; q++) {
		if (bspi_has_records(&bspi.out[q]))
			bspi_out_send(q);
		bspi.out[q].flags = 0;
	}
	bspi_take_in_own();
}

bool bspi_anybody_gets(void)
{
	for (size_t i = 0; i < bspi.held.n; i++)
		if (is_held(i, BSPI_GETS))
			return true;
	return false;
}

static bool is_of_later(const struct bspi_arrival *a)
{
	return bspi_before(bspi.step, bspi_head_of(a->chunk)->step);
}

/* The flags of all that took effect, in the order of their senders. */
static uint32_t let_take_effect(void)
{
	uint32_t flags = 0;

	bspi_sort_by_sender(&bspi.held);
	for (size_t i = 0; i < bspi.held.n; i++) {
		struct bspi_arrival *a = &bspi.held.at[i];
		struct bspi_head *h = bspi_head_of(a->chunk);

		if (a->done || is_of_later(a) || (h->flags & BSPI_REPLY))
			continue;
		flags |= h->flags;
		bspi.arriving = h;
		bspi.time = a->time;
		bspi_run_through(a, take_effect);
		if (BSPI_UNLIKELY(bspi.relaxed))
			bspi_ask_answer(a);
	}
	return flags;
}

/* 5 of bspi.h. What is of a later superstep stays held. */
void bspi_apply(void)
{
	bool keep = (let_take_effect() & BSPI_MSGS) && bspi.take_message == bspi_queue_add;
	struct bspi_arrivals *a = &bspi.held;
	size_t left = 0, n = a->n;

	for (size_t i = 0; i < n; i++) {
		if (is_of_later(&a->at[i]))
			a->at[left++] = a->at[i];
		else if (keep)
			bspi_arrivals_add(&bspi.kept, &a->at[i]);
		else
			bspi_release(&a->at[i]);
	}
	a->n = left;
}

static void forget_requests(void)
{
	for (int i = 0; i < bspi.ntouched; i++) {
		struct bspi_out *o = &bspi.out[bspi.touched[i]];

		o->at = o->chunk ? o->chunk + sizeof(struct bspi_head) : NULL;
		o->flags = 0;
	}
	bspi_ask_forget();
	bspi_bulk_forget();
	for (int q = 0; q < bspi.nprocs; q++)
		bspi.out[q].owed = 0;
	bspi.owed = 0;
	bspi.ndeferred = 0;
	bspi.regions.npush = 0;
	bspi.regions.npop = 0;
}

/* Put the counters of the epoch that is over in order for the one after the next. */
static void next_epoch(void)
{
	int ready = 0;

	*bspi_count_now() = (struct bspi_count){ .all = UINT32_MAX };
	for (int i = 0; i < bspi.ntouched; i++) {
		struct bspi_out *o = &bspi.out[bspi.touched[i]];

		o->hint = o->volume;
		o->volume = 0;
		o->sent = 0;
		o->touched = o->chunk != NULL;
		if (o->touched)
			bspi.touched[ready++] = bspi.touched[i];
	}
	bspi.ntouched = ready;
	bspi.nunnoted = 0;
	bspi.tagged = false;
	bspi.at_barrier = false;
	bspi.epoch++;
	bspi.tag_now = bspi.tag_sending;
	bspi.tag_sending = bspi.tag_set;
	if (BSPI_UNLIKELY(bspi.relaxed | bspi.turning | bspi.slow))
		bspi_relaxed_after_barrier();
}

/* The epoch goes on, and who was sent to in it stays touched. */
static void same_epoch(void)
{
	bspi.tag_now = bspi.tag_sending;
	for (int i = 0; i < bspi.ntouched; i++) {
		struct bspi_out *o = &bspi.out[bspi.touched[i]];

		o->hint = o->volume;
		o->volume = 0;
	}
}

/* Regions that peers write to directly: those in superstep s may do so once we are in it. */
static void publish_step(void)
{
	if (bspi.regions.windows)
		bspi.net->ops->stamp(bspi.net, bspi.step);
}

static void next_step(void)
{
	bspi.step++;
	bspi.due = bspi.step;
	publish_step();
	bspi_region_answer();
}

static void finish_superstep(void)
{
	if (bspi_anybody_gets())
		bspi_serve_gets(0);
	if (bspi.owed)
		bspi_await_answers();
	if (bspi.held.n)
		bspi_apply();
	if (BSPI_UNLIKELY(bspi.bulks))
		bspi_bulk_wait();
	bspi_region_settle();
	if (bspi.env.shuffle)
		bspi_queue_shuffle();
}

static void make_one_ready(int pid, size_t bytes)
{
	struct bspi_out *o = &bspi.out[pid];

	if (bytes < READY_LEAST || bytes > READY_MOST || o->chunk)
		return;
	o->hint = bytes;
	open_chunk(pid, 0);
	for (size_t ahead = 0; ahead < bytes; ahead += 64)
		bspt_prefetch_for_write(o->chunk + ahead);
}

void bspi_make_ready(void)
{
	for (int i = 0; i < bspi.ntouched; i++) {
		const struct bspi_out *o = &bspi.out[bspi.touched[i]];

		make_one_ready(bspi.touched[i], o->volume ? o->volume : o->hint);
	}
}

/*
 * What a peer still waits for may be held back here, and only we can move it on. The peer
 * is in the same bsp_sync, since it lacks it, and takes it in.
 */
static void send_rest(void)
{
	for (int i = 0; i < bspi.ncarriers; i++)
		while (bspi.carriers[i]->unsent)
			/* that it left wakes nobody, so no sleep */
			bspi_pump_for(&(unsigned int){ 0 }, BSPT_AWAITS_SENT,
				      bspi.carriers[i]->unsent, 0);
}

static void wait_for_all(void)
{
	bspi_classic_wait();
	if (BSPI_UNLIKELY(bspi.clock)) {
		bspi_clock_need_held(0);
		bspi_clock_advance();
	}
}

/* What can be done while our counts travel is done after they have left. */
static void synchronise(void)
{
	bspi.at_barrier = true;
	bspi_agree_at_barrier();
	if (bspi.ndeferred)
		bspi_direct_finish(true);
	bspi_region_announce();
	if (BSPI_UNLIKELY(bspi.relaxed))
		bspi_ask_all(true);
	if (BSPI_UNLIKELY(bspi.bulks))
		bspi_bulk_send_all();
	bspi_classic_announce();
	bspi_make_ready();
	bspi_queue_clear();
	bspi_release_kept();
	bspi_take_in_own();
	if (BSPI_UNLIKELY(bspi.relaxed))
		bspi_bring_in();
	wait_for_all();
	if (bspi.regions.npush | bspi.regions.npop)
		bspi_for_each_held(0, 0, hear_registration);
	finish_superstep();
	send_rest();
	next_epoch();
	next_step();
}

/* A relaxed superstep: see relaxed.c. */
static void relax(void)
{
	bspi_relaxed_end();
	same_epoch();
	next_step();
}

static inline bool ends_with_barrier(void)
{
	return BSPI_LIKELY(bspi.mode == bspi.mode_set && !(bspi.relaxed | bspi.slow)) ||
	       bspi_relaxed_begin();
}

/* bsp_end: all meet, and nothing else takes effect. */
static void meet(void)
{
	bspi.at_barrier = true;
	bspi_agree_at_barrier();
	forget_requests();
	if (bspi.env.check)
		bspi_check_end();
	if (bspi.env.stat)
		bspi_stat_send();
	bspi_agree_send();
	bspi_classic_announce();
	if (BSPI_UNLIKELY(bspi.relaxed))
		bspi_bring_in();
	wait_for_all();
	bspi_for_each_held(0, 0, hear_stat);
	bspi_agree_settle();
	bspi_bulk_wait();
	send_rest();
}

void bspi_superstep(const char *place, bool ending)
{
	uint64_t began = 0;

	bspi_coll_require_no_operator(ending ? "bsp_end" : "bsp_sync", place);
	bspi_show_entry(place, ending);
	bspi_set_syncing(true);
	bspi.ending = ending;
	bspi_computing(false);
	if (bspi.env.stat)
		began = bspi_now();
	if (ending)
		meet();
	else if (ends_with_barrier())
		synchronise();
	else
		relax();
	if (bspi.env.stat)
		bspi_stat_sync(bspi_now() - began);
	if (bspi.step % BSPI_TRIM_STEPS == 0 && !ending)
		bspi_trim(bspi_bulk_trim());
	bspi_computing(true);
	bspi_set_syncing(false);
	if (!ending)
		bspi_show_step();
	if (BSPI_UNLIKELY(bspi.nreads))
		bspi_schedules_next_step();
}

/* ---- Opening and closing -------------------------------------------------- */

static void note_carrier(struct bspt *t)
{
	for (int i = 0; i < bspi.ncarriers; i++)
		if (bspi.carriers[i] == t)
			return;
	if (bspi.ncarriers < BSPI_CARRIERS)
		bspi.carriers[bspi.ncarriers++] = t;
}

/* How @pid is reached. */
static void open_way(int pid)
{
	struct bspi_out *o = &bspi.out[pid];

	*o = (struct bspi_out){ .t = bspi.self, .min_direct = SIZE_MAX, .min_bulk = SIZE_MAX };
	if (pid == bspi.me)
		return;
	o->t = bspi.net->ops->via(bspi.net, pid, &o->peer);
	note_carrier(o->t);
	if ((o->t->ops->caps & BSPT_CAP_WINDOW) && bspi.env.share)
		o->min_direct = o->t->min_direct;
	if (o->t->ops->caps & BSPT_CAP_BULK)
		o->min_bulk = o->t->min_bulk;
}

void bspi_engine_open(void)
{
	bspi.out = calloc(bspi.nprocs, sizeof(*bspi.out));
	bspi.touched = calloc(bspi.nprocs, sizeof(*bspi.touched));
	if (!bspi.out || !bspi.touched)
		bspi_fail_memory("bsp_begin", NULL);
	for (int q = 0; q < bspi.nprocs; q++)
		open_way(q);
	bspi_answers_open();
	bspi_bulk_open();
	bspi_relaxed_open();
	bspi_schedules_open();
	bspi_barrier_open();
	bspi.count[0].all = UINT32_MAX;
	bspi.count[1].all = UINT32_MAX;
}

void bspi_engine_close(void)
{
	bspi_release_kept();
	bspi_answers_close();
	bspi_schedules_close();
	bspi_relaxed_close();
	bspi_barrier_close();
	for (int q = 0; q < bspi.nprocs; q++)
		if (bspi.out[q].chunk)
			bspi.out[q].t->ops->discard(bspi.out[q].t, bspi.out[q].peer, bspi.out[q].chunk);
	free(bspi.deferred);
	free(bspi.unnoted);
	bspi_queue_close();
	free(bspi.held.at);
	free(bspi.kept.at);
	free(bspi.stash.at);
	free(bspi.out);
	free(bspi.touched);
	bspi.out = NULL;
	bspi.touched = NULL;
	bspi.ncarriers = 0;
}
