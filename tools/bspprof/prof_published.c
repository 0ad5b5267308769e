// SPDX-License-Identifier: BSD-3-Clause
/* prof_published.c - the two protocols of Kim, Ha and Jhon (1998) in the graph of a recording. */

/*
 * org, as BSP_BARRIER=twophase does it: in bsp_sync each process sends each other one a chunk with
 * counts and with the places of puts and gets, waits for P - 1 such chunks, sends a chunk for each
 * put and message in the order of the calls, and waits for those that are sent to it.
 *
 * rel, as BSP_EAGER=0 does it: each put is a request; bsp_sync answers those of this superstep and
 * of earlier ones, sends the data of its own as they are answered, and ends when all are sent.
 *
 * Each message has a processor of its own, as chunks have, and costs the process o where it sends
 * and where it receives: a receipt and an answer wait until the process computes nothing.
 *
 * A recording has the puts of a superstep to one process and area as one number and one sum: they
 * are taken as equally long, one after the other, and as called where the superstep ends.
 */

#include "prof_builder.h"

enum {
	COUNTS_RECORD = 32,	/* bytes: of BSPI_COUNTS */
	COMING_RECORD = 32,	/* of BSPI_COMING, for each put */
	GET_RECORD = 24,	/* of BSPI_GET, for each get */
	ASK_BYTES = CHUNK_HEAD + 32,	/* of a chunk with BSPI_ASK */
	GRANT_BYTES = CHUNK_HEAD + RECORD_HEAD,
};

/* The length of the @i-th put or message of a transfer, with its heads. */
static uint64_t bytes_of_call(const struct recording_transfer *t, uint64_t i)
{
	return CHUNK_HEAD + RECORD_HEAD + t->bytes / t->calls + (i < t->bytes % t->calls);
}

/* ---- org ------------------------------------------------------------------------------- */

/* In the order in which the library sends them: to the next process first. */
static void add_counts(struct builder *b, int pid)
{
	for (int k = 1; k < b->r->nprocs && !b->wrong; k++) {
		struct fragment *p = prof_fragment_add(b, pid, (pid + k) % b->r->nprocs);

		if (p)
			p->bytes += COUNTS_RECORD;
	}
}

/* Puts and gets in the counts for their process, which are there for each. */
static uint64_t bytes_in_counts(const struct builder *b, const struct actor *a,
				const struct recording_transfer *t)
{
	(void)b, (void)a;
	if (t->what == RECORDING_MESSAGE)
		return 0;
	return t->calls * (t->what == RECORDING_PUT ? COMING_RECORD : GET_RECORD);
}

/* Each process waits for several messages, which it receives in the order in which they arrive. */
static void begin_wait(struct builder *b)
{
	for (int q = 0; q < b->r->nprocs; q++)
		b->actors[q].wait = goal_calc(b->actors[q].graph, 0);
}

static void end_wait(struct builder *b)
{
	for (int q = 0; q < b->r->nprocs; q++)
		prof_await(&b->actors[q], b->actors[q].wait);
}

/* Once it has sent what is its own; the operation that ends the receipt. */
static int receive_in_wait(struct builder *b, int to, int from, uint64_t bytes, uint32_t tag)
{
	struct actor *a = &b->actors[to];
	int received = prof_follow(a, prof_receive_all(b, a, from, bytes, tag));

	goal_requires(a->graph, a->wait, received);
	return received;
}

static void exchange_counts(struct builder *b)
{
	uint32_t tag = prof_tag(b->step, TAG_COUNTS);

	for (size_t i = b->first; i < b->nfragments; i++) {
		const struct fragment *p = &b->fragments[i];

		prof_send_all(b, &b->actors[p->from], p->to, p->bytes, tag);
	}
	begin_wait(b);
	for (size_t i = b->first; i < b->nfragments; i++) {
		struct fragment *p = &b->fragments[i];

		p->received = receive_in_wait(b, p->to, p->from, p->bytes, tag);
	}
	end_wait(b);
}

static void send_one(struct builder *b, int from, int to, uint64_t bytes, uint32_t tag)
{
	prof_send_all(b, &b->actors[from], to, bytes, tag);
}

static void receive_one(struct builder *b, int from, int to, uint64_t bytes, uint32_t tag)
{
	receive_in_wait(b, to, from, bytes, tag);
}

typedef void move_one(struct builder *b, int from, int to, uint64_t bytes, uint32_t tag);

/* A chunk for each put and message of @pid. */
static void move_all(struct builder *b, int pid, move_one *move)
{
	struct actor *a = &b->actors[pid];
	const struct recording_transfer *t;
	size_t n;

	t = recording_traffic(&a->cursor, a->traffic, &n);
	for (size_t i = 0; i < n; i++) {
		if ((int)t[i].pid == pid || t[i].what == RECORDING_GET)
			continue;
		if (!prof_has_room(b, t[i].calls))
			return;
		for (uint64_t k = 0; k < t[i].calls; k++)
			move(b, pid, (int)t[i].pid, bytes_of_call(&t[i], k),
			     prof_tag(b->step, TAG_DATA));
	}
}

static void exchange_data(struct builder *b)
{
	for (int q = 0; q < b->r->nprocs; q++)
		if (b->actors[q].synced)
			move_all(b, q, send_one);
	begin_wait(b);
	for (int q = 0; q < b->r->nprocs; q++)
		if (b->actors[q].synced)
			move_all(b, q, receive_one);
	end_wait(b);
}

void prof_end_org(struct builder *b)
{
	for (int q = 0; q < b->r->nprocs && !b->wrong; q++) {
		if (!b->actors[q].synced)
			continue;
		add_counts(b, q);
		prof_pack(b, q, bytes_in_counts);
	}
	if (b->wrong)
		return;
	exchange_counts(b);
	exchange_data(b);
	prof_answer_gets(b);
}

/* ---- rel ------------------------------------------------------------------------------- */

static void ask_for_put(struct builder *b, int pid, const struct recording_transfer *t,
			uint64_t bytes)
{
	struct actor *to = &b->actors[t->pid];
	struct fragment *p = prof_fragment_add(b, pid, (int)t->pid);
	struct waiting *w;

	if (!p)
		return;
	p->bytes = bytes;
	p->asked = true;
	prof_send_all(b, &b->actors[pid], p->to, ASK_BYTES, prof_tag(b->step, TAG_ASK));
	w = b->has_relaxed ? prof_area_of(b, to, t->area) : NULL;
	if (w)
		prof_wait_for(b, w, b->nfragments - 1);
}

void prof_ask(struct builder *b, int pid)
{
	struct actor *a = &b->actors[pid];
	const struct recording_transfer *t;
	size_t n;

	t = recording_traffic(&a->cursor, a->traffic, &n);
	for (size_t i = 0; i < n; i++)
		if (t[i].what == RECORDING_PUT && (int)t[i].pid != pid &&
		    prof_has_room(b, t[i].calls))
			for (uint64_t k = 0; k < t[i].calls && !b->wrong; k++)
				ask_for_put(b, pid, &t[i], bytes_of_call(&t[i], k));
}

/* When the receiver has come to its bsp_sync of this superstep. */
static void answer_request(struct builder *b, const struct fragment *p)
{
	struct actor *to = &b->actors[p->to];
	int asked = prof_receive_all(b, to, p->from, ASK_BYTES, prof_tag(p->step, TAG_ASK));

	prof_send_after(b, to, p->from, GRANT_BYTES, prof_tag(p->step, TAG_GRANT),
			prof_both(to, asked));
}

/* bsp_sync ends when they are sent, whenever they arrive. */
static void send_what_is_granted(struct builder *b, const struct fragment *p)
{
	struct actor *from = &b->actors[p->from];
	int granted = prof_receive_all(b, from, p->to, GRANT_BYTES, prof_tag(p->step, TAG_GRANT));

	prof_await(from, prof_send_after(b, from, p->to, p->bytes,
					 prof_tag(p->step, TAG_GRANTED), granted));
}

void prof_grant(struct builder *b)
{
	for (size_t i = b->first; i < b->nfragments; i++)
		if (b->fragments[i].asked)
			answer_request(b, &b->fragments[i]);
	for (size_t i = b->first; i < b->nfragments; i++)
		if (b->fragments[i].asked)
			send_what_is_granted(b, &b->fragments[i]);
}
