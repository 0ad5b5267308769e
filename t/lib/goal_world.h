/* SPDX-License-Identifier: BSD-3-Clause */
/* goal_world.h - all processes of a schedule in one; messages come in any order, by a seed. */
#ifndef GOAL_WORLD_H
#define GOAL_WORLD_H

#include "random.h"
#include "tap.h"

#include "goal/gen/goal_gen.h"

#include <stdlib.h>
#include <string.h>

/*
 * One event happens at a time, chosen by the seed: a process starts some operations; the bytes of
 * a send are read; the send ends, until when its bytes must not change; or a message reaches its
 * receive, of those of one sender and tag the one that was sent first. A process that has ended may
 * be started again at once, while others still run: messages carry the number of the start.
 */
struct goal_message_under_way {
	uint32_t from, to, tag;
	uint32_t run;
	uint64_t number;		/* of its send: earlier ones have smaller ones */
	uint64_t bytes;
	unsigned char *data;		/* NULL until its bytes are read */
	const struct goal_op *send;	/* NULL: it is on its way, and the send another entry */
};

struct goal_posted {
	uint32_t rank, run;
	uint64_t number;
	const struct goal_op *op;
};

struct goal_world {
	int nprocs;
	uint64_t state;			/* of the random numbers */
	uint64_t number;		/* of the next send or receive */
	struct goal_process {
		void *block;
		struct goal_prog prog;
		struct goal_run run;
		void *memory;
		unsigned char *scratch;
		uint32_t starts;	/* how often it was started */
	} *process;
	struct goal_message_under_way *messages;
	size_t nmessages, most_messages;
	struct goal_posted *posted;
	size_t nposted, most_posted;
};

static inline uint64_t world_random(struct goal_world *w, uint64_t below)
{
	return random_below(&w->state, below);
}

static inline uint32_t world_rank(const struct goal_run *run)
{
	return run->prog.header->rank;
}

/* ---- The host ------------------------------------------------------------------- */

static inline void world_send(struct goal_world *w, uint32_t from, uint32_t to,
			      const struct goal_op *op)
{
	if (w->nmessages == w->most_messages) {
		w->most_messages = 2 * w->most_messages + 64;
		w->messages = realloc(w->messages, w->most_messages * sizeof(*w->messages));
		if (!w->messages)
			bail("no memory");
	}
	w->messages[w->nmessages++] = (struct goal_message_under_way){
		.from = from, .to = to, .tag = op->tag, .run = w->process[from].starts,
		.number = w->number++, .bytes = op->bytes, .send = op,
	};
}

static inline void world_post(struct goal_world *w, uint32_t rank, const struct goal_op *op)
{
	if (w->nposted == w->most_posted) {
		w->most_posted = 2 * w->most_posted + 64;
		w->posted = realloc(w->posted, w->most_posted * sizeof(*w->posted));
		if (!w->posted)
			bail("no memory");
	}
	w->posted[w->nposted++] =
		(struct goal_posted){ rank, w->process[rank].starts, w->number++, op };
}

static inline bool world_move(struct goal_run *run, const struct goal_op *op)
{
	struct goal_world *w = run->owner;
	uint32_t rank = world_rank(run);

	if (op->type == GOAL_RECV)
		world_post(w, rank, op);
	else
		world_send(w, rank, op->type == GOAL_MULTICAST ? GOAL_ANY : op->peer, op);
	return false;
}

static inline void world_copy(const struct goal_run *run, const struct goal_op *op,
			      unsigned char *data, bool out)
{
	const struct goal_part *part = goal_parts(op);

	for (uint32_t i = 0; i < op->nparts; i++) {
		if (out)
			memcpy(data, goal_run_at(run, &part[i]), part[i].bytes);
		else
			memcpy(goal_run_at(run, &part[i]), data, part[i].bytes);
		data += part[i].bytes;
	}
}

static inline unsigned char *world_read(const struct goal_run *run, const struct goal_op *op)
{
	unsigned char *data = calloc(1, op->bytes + 1);

	if (!data)
		bail("no memory");
	world_copy(run, op, data, true);
	return data;
}

/* Its bytes are read; a multicast becomes a message to each. */
static inline void world_read_send(struct goal_world *w, size_t i)
{
	struct goal_message_under_way m = w->messages[i];
	const struct goal_run *run = &w->process[m.from].run;
	uint32_t first = m.to == GOAL_ANY ? 0 : m.to;
	uint32_t last = m.to == GOAL_ANY ? (uint32_t)w->nprocs - 1 : m.to;

	w->messages[i].data = world_read(run, m.send);
	for (uint32_t to = first; to <= last; to++) {
		if (to == m.from)
			continue;
		world_send(w, m.from, to, m.send);
		w->messages[w->nmessages - 1].data = world_read(run, m.send);
		w->messages[w->nmessages - 1].number = m.number;
		w->messages[w->nmessages - 1].send = NULL;
	}
}

/* It ends. */
static inline void world_end_send(struct goal_world *w, size_t i)
{
	struct goal_message_under_way m = w->messages[i];
	struct goal_run *run = &w->process[m.from].run;
	unsigned char *now = world_read(run, m.send);

	if (memcmp(now, m.data, m.bytes) != 0)
		bail("%u changes what it sends with tag %u before the send has ended", m.from,
		     m.tag);
	w->messages[i] = w->messages[--w->nmessages];
	free(now);
	free(m.data);
	goal_run_done(run, m.send);
}

static inline bool world_fits(const struct goal_message_under_way *m, const struct goal_posted *p)
{
	return m->to == p->rank && m->run == p->run && m->from == p->op->peer &&
	       m->tag == p->op->tag;
}

/* Is another one of the same sender and tag before it? */
static inline bool world_is_behind(const struct goal_world *w,
				   const struct goal_message_under_way *m)
{
	for (size_t i = 0; i < w->nmessages; i++) {
		const struct goal_message_under_way *o = &w->messages[i];

		if (o->from == m->from && (o->to == m->to || o->to == GOAL_ANY) &&
		    o->tag == m->tag && o->run == m->run && o->number < m->number &&
		    !(o->send && o->data))
			return true;
	}
	return false;
}

/* The receive that was posted first of those that fit; nposted if none does. */
static inline size_t world_receive_for(const struct goal_world *w,
				       const struct goal_message_under_way *m)
{
	size_t first = w->nposted;

	for (size_t j = 0; j < w->nposted; j++)
		if (world_fits(m, &w->posted[j]) &&
		    (first == w->nposted || w->posted[j].number < w->posted[first].number))
			first = j;
	return first;
}

/* False: no process has posted a receive for it yet, or another one comes first. */
static inline bool world_deliver(struct goal_world *w, size_t i)
{
	struct goal_message_under_way m = w->messages[i];
	size_t j = world_receive_for(w, &m);

	if (j == w->nposted || world_is_behind(w, &m))
		return false;
	if (m.bytes != w->posted[j].op->bytes)
		bail("%u sends %llu bytes to %u, which expects others", m.from,
		     (unsigned long long)m.bytes, m.to);
	world_copy(&w->process[m.to].run, w->posted[j].op, m.data, false);
	goal_run_done(&w->process[m.to].run, w->posted[j].op);
	w->posted[j] = w->posted[--w->nposted];
	w->messages[i] = w->messages[--w->nmessages];
	free(m.data);
	return true;
}

static inline bool world_move_on(struct goal_world *w, size_t i)
{
	struct goal_message_under_way *m = &w->messages[i];

	if (!m->send)
		return world_deliver(w, i);
	if (!m->data)
		world_read_send(w, i);
	else
		world_end_send(w, i);
	return true;
}

/* ---- What a test calls ------------------------------------------------------------ */

/* Then load what each process runs. */
static inline void world_open(struct goal_world *w, int nprocs, uint64_t seed)
{
	*w = (struct goal_world){ .nprocs = nprocs, .state = seed };
	w->process = calloc(nprocs, sizeof(*w->process));
	if (!w->process)
		bail("no memory");
}

/* A block, which is freed with the world. */
static inline void world_load_block(struct goal_world *w, int rank, void *block, size_t len)
{
	struct goal_process *p = &w->process[rank];
	static const struct goal_host host = { .move = world_move };
	size_t at, work = goal_check_bytes(len);
	void *room = malloc(work + 1);

	p->block = block;
	if (goal_check(p->block, len, 0, room, work, &p->prog, &at) != GOAL_OK)
		bail("process %d of %d: a bad block", rank, w->nprocs);
	free(room);
	p->memory = malloc(goal_run_bytes(&p->prog, false) + 1);
	p->scratch = calloc(1, p->prog.header->scratch_bytes + 1);
	goal_run_init(&p->run, &p->prog, &host, w, false, p->memory, p->scratch);
}

static inline void world_load(struct goal_world *w, int rank, const struct goal_task *task)
{
	size_t len;
	char why[100] = "";
	void *block = goal_generate(task, w->nprocs, rank, &len, why, sizeof(why));

	if (!block)
		bail("%s: %s", task->algorithm->name, why);
	world_load_block(w, rank, block, len);
}

static inline void world_close(struct goal_world *w)
{
	for (int rank = 0; rank < w->nprocs; rank++) {
		free(w->process[rank].block);
		free(w->process[rank].memory);
		free(w->process[rank].scratch);
	}
	for (size_t i = 0; i < w->nmessages; i++)
		free(w->messages[i].data);
	free(w->process);
	free(w->messages);
	free(w->posted);
}

static inline void world_start(struct goal_world *w, int rank, unsigned char *const *buffers)
{
	w->process[rank].starts++;
	goal_run_start(&w->process[rank].run, buffers, 0);
}

static inline bool world_is_over(const struct goal_world *w, int rank)
{
	return goal_run_is_over(&w->process[rank].run);
}

/* An event of process or message @i, if one is possible. Ends of sends are often late. */
static inline bool world_try(struct goal_world *w, size_t i, bool may_wait)
{
	const struct goal_message_under_way *m;

	if (i < (size_t)w->nprocs)
		return w->process[i].starts &&
		       goal_run_step(&w->process[i].run, 1 + world_random(w, 3));
	m = &w->messages[i - w->nprocs];
	if (may_wait && m->send && m->data && world_random(w, 20))
		return false;
	return world_move_on(w, i - w->nprocs);
}

/* One event, at random; false: none is possible. */
static inline bool world_turn(struct goal_world *w)
{
	size_t all = w->nprocs + w->nmessages;

	for (size_t n = 0; n < all; n++)
		if (world_try(w, world_random(w, all), true))
			return true;
	for (size_t i = 0; i < all; i++)
		if (world_try(w, i, false))
			return true;
	return false;
}

#endif
