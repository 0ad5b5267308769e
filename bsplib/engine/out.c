// SPDX-License-Identifier: BSD-3-Clause
/* out.c - sending: the open chunk of each process, into which calls append records. */

#include "bsplib/engine/out.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/flow.h"
#include "bsplib/engine/in.h"

enum {
	/* bytes of a chunk opened because the last superstep sent so much */
	HINT_MOST = 1 << 20,
	GROWTH_MOST = 256 << 10,	/* bytes of one opened because the last chunk was full */
	/* bytes for which a chunk is made ready in advance */
	READY_LEAST = 128, READY_MOST = 2048,
	FRAGMENT_LEAST = 4096,		/* smaller transfers are not cut */
};

/* ---- Opening a chunk ------------------------------------------------------- */

/* A chunk that is larger by its head alone may cost the transport a message more. */
static size_t good_room(const struct bspi_out *o)
{
	return o->t->good_chunk - sizeof(struct bspi_head);
}

/*
 * The size of a new chunk: @bytes, or more if much was sent before in this superstep or the
 * last.
 */
static size_t chunk_bytes(const struct bspi_out *o, size_t bytes)
{
	size_t more = o->volume < GROWTH_MOST ? o->volume : GROWTH_MOST;

	if (o->volume == 0)
		more = o->hint < HINT_MOST ? o->hint : HINT_MOST;
	if (more > good_room(o))
		more = good_room(o);
	return sizeof(struct bspi_head) + (bytes > more ? bytes : more);
}

/*
 * Processes of this node that have not left the last superstep may still give chunks back. A
 * network lacks chunks only when there is no memory. Pairs with the release in bspi_show_step():
 * what a process gave back before it left is there to be taken when it counts as being here.
 */
static bool some_are_behind(void)
{
	const int *node = bspi.job.wire->node;

	for (int q = 0; q < bspi.nprocs; q++)
		if (node[q] == node[bspi.me] &&
		    (int32_t)(atomic_load_explicit(&bspi.job.table->rank[q].step,
						   memory_order_acquire) - bspi.step) < 0)
			return true;
	return false;
}

/* In bsp_sync: make progress with chunks that were sent, so that their memory comes back. */
static void wait_for_memory(int pid)
{
	bspi_show_awaited(BSPI_WAIT_MEMORY, pid, 0);
	/* that a block comes back wakes no process, so no sleep */
	bspi_pump_aside(&(unsigned int){ 0 });
}

static void open_chunk(int pid, size_t bytes)
{
	struct bspi_out *o = &bspi_engine.out[pid];
	bool waited = false;
	size_t room;

	o->chunk = o->t->ops->chunk(o->t, o->peer, chunk_bytes(o, bytes), &room);
	while (!o->chunk && o->t != bspi.self && some_are_behind()) {
		bspi_engine.opening = true;
		if (bspi.syncing)
			wait_for_memory(pid);
		else
			bspi_pump_for(&(unsigned int){ 0 }, BSPI_WAIT_MEMORY, pid, 0);
		bspi_engine.opening = false;
		waited = true;
		o->chunk = o->t->ops->chunk(o->t, o->peer, chunk_bytes(o, bytes), &room);
	}
	if (BSPI_UNLIKELY(waited))
		bspi_show_awaited(BSPI_WAIT_NOTHING, 0, 0);
	if (!o->chunk)
		o->chunk = o->t->ops->chunk(o->t, o->peer, sizeof(struct bspi_head) + bytes, &room);
	if (!o->chunk)
		bspi_fail_memory("bsp", NULL);
	o->at = o->chunk + sizeof(struct bspi_head);
	o->end = o->chunk + (room & ~(size_t)15);
	if (!o->touched)
		bspi_engine.touched[bspi_engine.ntouched++] = pid;
	o->touched = true;
}

/* We may be in the middle of a run. */
char *bspi_out_chunk(int pid, size_t bytes, size_t *room)
{
	const struct bspi_out *o = bspi_out_of(pid);
	char *chunk = o->t->ops->chunk(o->t, o->peer, bytes, room);

	while (BSPI_UNLIKELY(!chunk) && some_are_behind()) {
		wait_for_memory(pid);
		chunk = o->t->ops->chunk(o->t, o->peer, bytes, room);
	}
	if (BSPI_UNLIKELY(!chunk))
		bspi_fail_memory("bsp", NULL);
	return chunk;
}

/* ---- Sending -------------------------------------------------------------- */

/* Send the open chunk, with the flags that the caller has set. */
void bspi_out_send(int pid)
{
	struct bspi_out *o = &bspi_engine.out[pid];
	size_t len = o->at - o->chunk;

	if (!(o->flags & BSPI_UNCOUNTED)) {
		o->sent++;
		if (BSPI_UNLIKELY(bspi_is_relaxed()))
			bspi_flow_sent(pid, len);
	}
	*bspi_head_of(o->chunk) = (struct bspi_head){
		.step = bspi.step, .flags = o->flags | bspi_engine.epoch << BSPI_EPOCH_SHIFT,
		.sent = o->flags & (BSPI_END | BSPI_LAST) ? o->sent :
							    bspi_engine.flow[pid].taken,
		.sum = o->flags & BSPI_GOALS ? o->round_at : bspi_engine.sum,
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
	for (int i = 0; i < bspi_engine.ntouched; i++)
		if (bspi_has_records(&bspi_engine.out[bspi_engine.touched[i]]))
			bspi_out_send(bspi_engine.touched[i]);
}

/* Credit for all that was sent to it has been looked at (credit.c), so nothing is left to do. */
static void out_put_aside(int pid)
{
	struct bspi_out *o = &bspi_engine.out[pid];

	if (o->chunk)
		o->t->ops->discard(o->t, o->peer, o->chunk);
	o->chunk = o->at = o->end = NULL;
	o->touched = false;
	if (!o->aside)
		bspi_engine.aside[bspi_engine.naside++] = pid;
	o->aside = true;
}

/*
 * A process that got nothing in this superstep and the last leaves the list: in a long epoch a
 * program may have sent to each of thousands of others once.
 */
void bspi_out_begin_superstep(void)
{
	int left = 0;

	for (int i = 0; i < bspi_engine.ntouched; i++) {
		int q = bspi_engine.touched[i];
		struct bspi_out *o = &bspi_engine.out[q];
		bool is_idle = !(o->volume | o->hint) && !bspi_has_records(o);

		o->hint = o->volume;
		o->volume = 0;
		if (is_idle)
			out_put_aside(q);
		else
			bspi_engine.touched[left++] = q;
	}
	bspi_engine.ntouched = left;
}

void bspi_out_recall(void)
{
	for (int i = 0; i < bspi_engine.naside; i++) {
		struct bspi_out *o = &bspi_engine.out[bspi_engine.aside[i]];

		if (!o->touched)
			bspi_engine.touched[bspi_engine.ntouched++] = bspi_engine.aside[i];
		o->touched = true;
		o->aside = false;
	}
	bspi_engine.naside = 0;
}

void bspi_out_forget(void)
{
	for (int i = 0; i < bspi_engine.ntouched; i++) {
		struct bspi_out *o = &bspi_engine.out[bspi_engine.touched[i]];

		o->at = o->chunk ? o->chunk + sizeof(struct bspi_head) : NULL;
		o->flags = 0;
	}
}

/*
 * With barriers transfers that overlap end as one of them, whole, so their pieces must not leave
 * apart; relaxed programs have none that overlap, and what travels in small chunks waits for no
 * other.
 */
static bool may_be_cut(const struct bspi_out *o, size_t bytes)
{
	return bspi_is_relaxed() && bytes > good_room(o);
}

/*
 * With @got NULL all of @bytes or nothing; else at least FRAGMENT_LEAST of them, and
 * *@got says how many.
 */
void *bspi_out_slow(int pid, size_t bytes, size_t *got)
{
	struct bspi_out *o = bspi_out_of(pid);
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
			  "%zu bytes do not fit a chunk of the transport, which has %zu", bytes,
			  room);
	if (bytes > room)
		bytes = room;
	if (got)
		*got = bytes;
	at = o->at;
	o->at += bytes;
	bspi_end_in_zeros(o->at);
	return at;
}

/* ---- Ahead of the next superstep -------------------------------------------- */

void bspi_make_ready(void)
{
	for (int i = 0; i < bspi_engine.ntouched; i++) {
		int q = bspi_engine.touched[i];
		struct bspi_out *o = &bspi_engine.out[q];
		size_t bytes = o->volume ? o->volume : o->hint;

		if (bytes < READY_LEAST || bytes > READY_MOST || o->chunk)
			continue;
		o->hint = bytes;
		open_chunk(q, 0);
		for (size_t ahead = 0; ahead < bytes; ahead += 64)
			bspt_prefetch_for_write(o->chunk + ahead);
	}
}
