// SPDX-License-Identifier: BSD-3-Clause
/* superstep.c - the engine: what is sent, what is held, and in which order it takes effect. */

/*
 * The order of things at the end of a superstep is written once, in
 * bspi_superstep(). When everything of the superstep has arrived is not decided
 * here but by whoever counts (classic.c); the engine takes chunks in, by their
 * timestamps, until it is told that this is so.
 */

#include "bspi.h"

#include <stdlib.h>

enum {
	HINT_MOST = 1 << 20,		/* bytes of a chunk opened because the last superstep sent so much */
	GROWTH_MOST = 256 << 10,	/* bytes of one opened because the last chunk was full */
	READY_LEAST = 128, READY_MOST = 2048,	/* bytes for which a chunk is made ready in advance */
	FRAGMENT_LEAST = 4096,		/* smaller transfers are not cut */
};

/* ---- Sending -------------------------------------------------------------- */

static struct bspi_head *head_of(char *chunk)
{
	return (struct bspi_head *)chunk;
}

/* What the chunk should hold: what is asked for, or more if there was or will be more. */
static size_t wish(const struct bspi_out *o, size_t bytes)
{
	size_t more = o->volume < GROWTH_MOST ? o->volume : GROWTH_MOST;

	if (o->sent == 0)
		more = o->hint < HINT_MOST ? o->hint : HINT_MOST;
	return sizeof(struct bspi_head) + (bytes > more ? bytes : more);
}

/* Processes that have not left the last superstep may still give chunks back. */
static bool some_are_behind(void)
{
	for (int q = 0; q < bspi.nprocs; q++)
		if ((int32_t)(atomic_load_explicit(&bspi.job.board->seats[q].step,
						   memory_order_acquire) - bspi.step) < 0)
			return true;
	return false;
}

static void open_chunk(int pid, size_t bytes)
{
	struct bspi_out *o = &bspi.out[pid];
	size_t room;

	o->chunk = o->t->ops->chunk(o->t, pid, wish(o, bytes), &room);
	while (!o->chunk && o->t == bspi.net && some_are_behind()) {
		bspi_pump(&(unsigned int){ 0 });
		o->chunk = o->t->ops->chunk(o->t, pid, wish(o, bytes), &room);
	}
	if (!o->chunk)
		o->chunk = o->t->ops->chunk(o->t, pid, sizeof(struct bspi_head) + bytes, &room);
	if (!o->chunk)
		bspi_fail_memory("bsp", NULL);
	o->at = o->chunk + sizeof(struct bspi_head);
	o->end = o->chunk + (room & ~(size_t)15);
	if (!o->touched)
		bspi.touched[bspi.ntouched++] = pid;
	o->touched = true;
}

/* The open chunk leaves, with whatever flags the caller has set. */
void bspi_out_send(int pid)
{
	struct bspi_out *o = &bspi.out[pid];
	size_t len = o->at - o->chunk;

	if (!(o->flags & (BSPI_REPLY | BSPI_DETAIL)))
		o->sent++;
	*head_of(o->chunk) = (struct bspi_head){ bspi.step, o->flags, o->sent, bspi.sum };
	o->t->ops->send(o->t, pid, o->chunk, len);
	o->volume += len;
	o->chunk = NULL;
	o->at = NULL;
	o->end = NULL;
	o->flags &= BSPI_REPLY;
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
		o->t->ops->discard(o->t, pid, o->chunk);
		o->chunk = NULL;
	}
	if (!o->chunk)
		open_chunk(pid, bytes);
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
	return at;
}

/* ---- Taking in ------------------------------------------------------------ */

static void note_count(const struct bspi_head *h)
{
	struct bspi_count *c = &bspi.count[h->step % 2];

	if (h->flags & (BSPI_REPLY | BSPI_DETAIL))
		return;			/* who waits for these knows how many */
	c->arrived++;
	if (!(h->flags & BSPI_END))
		return;
	c->ends++;
	c->expected += h->sent;
	c->any |= h->sum;
	c->all &= h->sum;
}

static void hold(int from, char *chunk, size_t len)
{
	struct bspi_arrivals *a = &bspi.held;

	a->at = bspi_grow(a->at, a->n, sizeof(*a->at), &a->room);
	a->at[a->n++] = (struct bspi_arrival){ chunk, len, from };
	if (from != bspi.me)
		note_count(head_of(chunk));
}

static bool take_in(struct bspt *t)
{
	size_t len;
	int from;
	char *chunk = t->ops->poll(t, &from, &len);

	if (!chunk)
		return false;
	hold(from, chunk, len);
	return true;
}

void bspi_pump(unsigned int *idle)
{
	if (take_in(bspi.net))
		*idle = 0;
	else
		bspi.net->ops->wait(bspi.net, (*idle)++);
}

/* ---- Records of a chunk --------------------------------------------------- */

static size_t wide_bytes(const struct bspi_rec *rec)
{
	return rec->what & BSPI_WIDE ? sizeof(struct bspi_wide) : 0;
}

static const char *after(const char *at)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;
	const struct bspi_msg *m = (const struct bspi_msg *)at;

	switch (bspi_kind_of(rec->what)) {
	case BSPI_PAD:
		return at + ((const struct bspi_pad *)at)->bytes;
	case BSPI_MSG:
		return at + sizeof(*m) + bspi_align16(m->nbytes) + bspi_align16(m->tag_bytes);
	case BSPI_GET:
		return at + sizeof(*rec) + wide_bytes(rec) + sizeof(uint64_t);
	default:
		return at + bspi_align(sizeof(*rec) + wide_bytes(rec) + rec->nbytes);
	}
}

/* Gets, answers and registrations have been seen to before. */
static const char *take_effect(int from, const char *at, const char *end)
{
	switch (bspi_kind_of(*(const uint32_t *)at)) {
	case BSPI_PUT:
		return bspi_write_puts(from, at, end);
	case BSPI_MSG:
		return bspi_queue_add(from, at, end);
	case BSPI_WINDOW:
		bspi_region_window(from, (const struct bspi_rec *)at);
		return after(at);
	default:
		return after(at);
	}
}

static const char *serve(int from, const char *at, const char *end)
{
	return bspi_kind_of(*(const uint32_t *)at) == BSPI_GET ?
		bspi_serve_gets(from, at, end) : after(at);
}

static const char *write_answer(int from, const char *at, const char *end)
{
	return bspi_kind_of(*(const uint32_t *)at) == BSPI_DATA ?
		bspi_write_data(from, at, end) : after(at);
}

static const char *hear_registration(int from, const char *at, const char *end)
{
	(void)end;
	if (bspi_kind_of(*(const uint32_t *)at) == BSPI_REG)
		bspi_region_hear(from, (const struct bspi_rec *)at);
	return after(at);
}

static const char *hear_stat(int from, const char *at, const char *end)
{
	(void)end;
	if (bspi_kind_of(*(const uint32_t *)at) == BSPI_STAT)
		bspi_stat_hear(from, (const struct bspi_rec *)at);
	return after(at);
}

static void run_through(const struct bspi_arrival *a, bspi_run *run)
{
	const char *at = a->chunk + sizeof(struct bspi_head), *end = a->chunk + a->len;

	while (at < end)
		at = run(a->from, at, end);
}

/* Is the i-th held chunk of this superstep, and has it one of the flags, if any are asked for? */
static bool is_held(size_t i, uint32_t flags)
{
	const struct bspi_head *h = head_of(bspi.held.at[i].chunk);

	return h->step == bspi.step && (!flags || (h->flags & flags));
}

/* @run for those chunks; 0: for all of this superstep. */
static void for_each_held(uint32_t flags, bspi_run *run)
{
	for (size_t i = 0; i < bspi.held.n; i++)
		if (is_held(i, flags))
			run_through(&bspi.held.at[i], run);
}

/* ---- The order of things -------------------------------------------------- */

static void release(struct bspi_arrival *a)
{
	struct bspt *t = bspi.out[a->from].t;

	t->ops->release(t, a->from, a->chunk);
}

static void release_kept(void)
{
	for (size_t i = 0; i < bspi.kept.n; i++)
		release(&bspi.kept.at[i]);
	bspi.kept.n = 0;
}

/* What this process sent to itself is here as soon as it is sent. */
static void take_in_own(void)
{
	while (bspi.out[bspi.me].touched && take_in(bspi.self))
		;
}

/* Announced by all before the wait was over, so all requests are known: 3 of bspi.h. */
static void serve_gets(void)
{
	for (int q = 0; q < bspi.nprocs; q++)
		bspi.out[q].flags = BSPI_REPLY;
	for_each_held(BSPI_GETS, serve);
	for (int q = 0; q < bspi.nprocs; q++) {
		if (bspi_has_records(&bspi.out[q]))
			bspi_out_send(q);
		bspi.out[q].flags = 0;
	}
	take_in_own();
}

static bool anybody_gets(void)
{
	for (size_t i = 0; i < bspi.held.n; i++)
		if (is_held(i, BSPI_GETS))
			return true;
	return false;
}

/* Write answers as they come, those that are here first: 4 of bspi.h. */
static void await_answers(void)
{
	unsigned int idle = 0;
	size_t i = 0;

	for (;;) {
		for (; i < bspi.held.n; i++)
			if (is_held(i, BSPI_REPLY))
				run_through(&bspi.held.at[i], write_answer);
		if (!bspi.owed)
			return;
		bspi_pump(&idle);
	}
}

/* 5 of bspi.h. What is of the next superstep stays held. */
static void apply(void)
{
	struct bspi_arrivals *a = &bspi.held;
	uint32_t flags = 0;
	size_t left = 0, n = a->n;

	for (size_t i = 0; i < n; i++) {
		const struct bspi_head *h = head_of(a->at[i].chunk);

		if (h->step != bspi.step || (h->flags & BSPI_REPLY))
			continue;
		flags |= h->flags;
		run_through(&a->at[i], take_effect);
	}
	for (size_t i = 0; i < n; i++) {
		if (head_of(a->at[i].chunk)->step != bspi.step) {
			a->at[left++] = a->at[i];
		} else if (flags & BSPI_MSGS) {
			bspi.kept.at = bspi_grow(bspi.kept.at, bspi.kept.n, sizeof(*a->at),
						 &bspi.kept.room);
			bspi.kept.at[bspi.kept.n++] = a->at[i];
		} else {
			release(&a->at[i]);
		}
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
	bspi.owed = 0;
	bspi.ndeferred = 0;
	bspi.regions.npush = 0;
	bspi.regions.npop = 0;
}

/* Put the counters of the superstep that is over in order for the one after the next. */
static void next_step(void)
{
	int ready = 0;

	bspi.count[bspi.step % 2] = (struct bspi_count){ .all = UINT32_MAX };
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
	bspi.tag_now = bspi.tag_sending;
	bspi.tag_sending = bspi.tag_set;
	bspi.step++;
}

/* Regions that peers write to directly: those in superstep s may do so once we are in it. */
static void publish_step(void)
{
	if (bspi.regions.windows)
		bspi.net->ops->stamp(bspi.net, bspi.step);
}

static void finish_superstep(void)
{
	if (anybody_gets())
		serve_gets();
	if (bspi.owed)
		await_answers();
	if (bspi.held.n)
		apply();
	bspi_region_settle();
	if (bspi.env.shuffle)
		bspi_queue_shuffle();
}

/* Where the supervisor sees us. */
static void show(uint32_t state)
{
	struct bspt_seat *seat = &bspi.job.board->seats[bspi.me];

	atomic_store_explicit(&seat->step, bspi.step, memory_order_release);
	atomic_store_explicit(&seat->state, state, memory_order_relaxed);
}

static void show_place(const char *place)
{
	atomic_store_explicit(&bspi.job.board->seats[bspi.me].place, place, memory_order_relaxed);
}

/*
 * While we wait: open the first chunks of the next superstep for those who got more
 * than a short chunk in this one, and ask for their lines, which the peers have read. The
 * wait is about as long as these take to come.
 */
static void make_ready(void)
{
	for (int i = 0; i < bspi.ntouched; i++) {
		struct bspi_out *o = &bspi.out[bspi.touched[i]];

		if (o->volume < READY_LEAST || o->volume > READY_MOST || o->chunk)
			continue;
		o->hint = o->volume;
		open_chunk(bspi.touched[i], 0);
		for (size_t ahead = 0; ahead < o->volume; ahead += 64)
			bspt_prefetch_for_write(o->chunk + ahead);
	}
}

/*
 * What a peer still waits for may be held back here, and only we can move it on. The peer
 * is in the same bsp_sync, since it lacks it, and takes it in.
 */
static void send_rest(void)
{
	while (bspi.net && bspi.net->unsent)
		bspi_pump(&(unsigned int){ 0 });	/* that it left wakes nobody, so no sleep */
}

/* What can be done while our counts travel is done after they have left. */
static void synchronise(void)
{
	if (bspi.ndeferred)
		bspi_direct_finish();
	bspi_region_announce();
	bspi_classic_announce();
	make_ready();
	bspi_queue_clear();
	release_kept();
	take_in_own();
	bspi_classic_wait();
	if (bspi.regions.npush | bspi.regions.npop)
		for_each_held(0, hear_registration);
	finish_superstep();
	send_rest();
	next_step();
	publish_step();
	bspi_region_answer();
}

/* bsp_end: all meet, and nothing else takes effect. */
static void meet(void)
{
	forget_requests();
	if (bspi.env.stat)
		bspi_stat_send();
	bspi_classic_announce();
	bspi_classic_wait();
	for_each_held(0, hear_stat);
	send_rest();
}

void bspi_superstep(const char *place, bool ending)
{
	uint64_t began = 0;

	show_place(place);
	show(BSPT_SYNCING);
	bspi.syncing = true;
	bspi.ending = ending;
	if (bspi.env.stat)
		began = bspt_now_ns();
	if (ending)
		meet();
	else
		synchronise();
	if (bspi.env.stat)
		bspi_stat_sync(bspt_now_ns() - began);
	bspi.syncing = false;
	show(BSPT_COMPUTING);
}

/* ---- Opening and closing -------------------------------------------------- */

void bspi_engine_open(void)
{
	bspi.out = calloc(bspi.nprocs, sizeof(*bspi.out));
	bspi.touched = calloc(bspi.nprocs, sizeof(*bspi.touched));
	if (!bspi.out || !bspi.touched)
		bspi_fail_memory("bsp_begin", NULL);
	for (int q = 0; q < bspi.nprocs; q++)
		bspi.out[q].t = q == bspi.me ? bspi.self : bspi.net;
	bspi.count[0].all = UINT32_MAX;
	bspi.count[1].all = UINT32_MAX;
}

void bspi_engine_close(void)
{
	release_kept();
	for (int q = 0; q < bspi.nprocs; q++)
		if (bspi.out[q].chunk)
			bspi.out[q].t->ops->discard(bspi.out[q].t, q, bspi.out[q].chunk);
	free(bspi.deferred);
	free(bspi.queue.at);
	free(bspi.held.at);
	free(bspi.kept.at);
	free(bspi.out);
	free(bspi.touched);
	bspi.out = NULL;
	bspi.touched = NULL;
}
