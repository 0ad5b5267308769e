// SPDX-License-Identifier: BSD-3-Clause
/* prof_builder.c - operations of a graph that is built: computing, sends, receipts, waits. */

#include "prof_builder.h"

#include <stdlib.h>

enum { PROCESSORS = 254 };	/* for messages; an operation has a byte for the number */

/* ---- Memory ------------------------------------------------------------------------------- */

static void *graph_more(struct builder *b, void *array, size_t n, size_t size, size_t *room)
{
	void *more;

	if (n < *room)
		return array;
	more = realloc(array, (2 * *room + 16) * size);
	if (!more) {
		b->wrong = "there is no memory for the graph";
		return NULL;
	}
	*room = 2 * *room + 16;
	return more;
}

struct fragment *prof_fragment_add(struct builder *b, int from, int to)
{
	struct fragment *more = graph_more(b, b->fragments, b->nfragments, sizeof(*more),
					   &b->fragments_room);

	if (!more)
		return NULL;
	b->fragments = more;
	more[b->nfragments] = (struct fragment){
		.from = from, .to = to, .step = b->step, .received = -1, .bytes = CHUNK_HEAD,
	};
	return &more[b->nfragments++];
}

struct fragment *prof_fragment_between(struct builder *b, int from, int to)
{
	for (size_t i = b->nfragments; i-- > b->first;)
		if (b->fragments[i].from == from && b->fragments[i].to == to)
			return &b->fragments[i];
		else if (b->fragments[i].from != from)
			break;
	return prof_fragment_add(b, from, to);
}

void prof_wait_for(struct builder *b, struct waiting *w, size_t fragment)
{
	size_t *more = graph_more(b, w->fragments, w->n, sizeof(*more), &w->room);

	if (!more)
		return;
	w->fragments = more;
	more[w->n++] = fragment;
}

struct waiting *prof_area_of(struct builder *b, struct actor *a, uint32_t area)
{
	struct waiting *more;

	for (size_t i = 0; i < a->nareas; i++)
		if (a->areas[i].area == area)
			return &a->areas[i];
	more = graph_more(b, a->areas, a->nareas, sizeof(*more), &a->areas_room);
	if (!more)
		return NULL;
	a->areas = more;
	more[a->nareas] = (struct waiting){ .area = area };
	return &more[a->nareas++];
}

/* ---- Operations --------------------------------------------------------------------------- */

/* @op of @a waits for @before, unless that is -1. */
static int graph_order(struct actor *a, int op, int before)
{
	if (before >= 0)
		goal_requires(a->graph, op, before);
	return op;
}

int prof_follow(struct actor *a, int op)
{
	return graph_order(a, op, a->last);
}

void prof_compute(struct builder *b, struct actor *a, uint64_t ns)
{
	uint64_t ps = (uint64_t)((double)ns * 1e3 * b->net->cpu);

	if (ns)
		a->last = prof_follow(a, goal_calc(a->graph, ps));
}

bool prof_has_room(struct builder *b, uint64_t messages)
{
	if (messages > OPS_MOST - b->messages)
		b->wrong = PROF_TOO_LONG;
	return !b->wrong;
}

/* In how many chunks @bytes are moved, for which there is room; else 0. */
static uint64_t builder_chunks(struct builder *b, uint64_t bytes)
{
	uint64_t chunks = bytes / b->chunk + (bytes % b->chunk > 0);

	if (!prof_has_room(b, chunks))
		return 0;
	b->messages += chunks;
	return chunks;
}

/* The processor for what @from sends: its own for chunks, that of the process for the rest. */
static unsigned int processor_for(const struct builder *b, int from, uint32_t tag)
{
	uint32_t class = tag % TAGS;
	bool chunk = class == TAG_DATA || class == TAG_ANSWER;

	return chunk || b->apart ? 1 + (unsigned int)from % PROCESSORS : 0;
}

int prof_send_after(struct builder *b, struct actor *a, int to, uint64_t bytes, uint32_t tag,
		    int after)
{
	unsigned int processor = processor_for(b, (int)(a - b->actors), tag);

	for (uint64_t chunks = builder_chunks(b, bytes); chunks > 0; chunks--) {
		uint64_t part = bytes < b->chunk ? bytes : b->chunk;
		int op = goal_send(a->graph, part, GOAL_NOWHERE, to, tag);

		goal_place_on(a->graph, op, processor, 0);
		graph_order(a, op, after);
		if (!processor)
			after = op;
		else if (b->net->charged)
			after = graph_order(a, goal_calc(a->graph, b->net->o), after);
		bytes -= part;
	}
	return after;
}

void prof_send_all(struct builder *b, struct actor *a, int to, uint64_t bytes, uint32_t tag)
{
	a->last = prof_send_after(b, a, to, bytes, tag, a->last);
}

int prof_receive_all(struct builder *b, struct actor *a, int from, uint64_t bytes, uint32_t tag)
{
	uint64_t chunks = builder_chunks(b, bytes);
	int all = goal_calc(a->graph, b->apart ? chunks * b->net->o : 0);

	for (; chunks > 0; chunks--) {
		uint64_t part = bytes < b->chunk ? bytes : b->chunk;
		int op = goal_recv(a->graph, part, GOAL_NOWHERE, from, tag);

		goal_place_on(a->graph, op, processor_for(b, from, tag), 0);
		goal_requires(a->graph, all, op);
		bytes -= part;
	}
	return all;
}

int prof_both(struct actor *a, int op)
{
	int both = goal_calc(a->graph, 0);

	goal_requires(a->graph, both, op);
	return prof_follow(a, both);
}

void prof_await(struct actor *a, int op)
{
	a->last = prof_both(a, op);
}

/* ---- Fragments ---------------------------------------------------------------------------- */

uint32_t prof_tag(uint32_t number, uint32_t class)
{
	return number * TAGS + class;
}

void prof_pack(struct builder *b, int pid, prof_bytes_fn *bytes_of)
{
	struct actor *a = &b->actors[pid];
	const struct recording_transfer *t;
	size_t n;

	t = recording_traffic(&a->cursor, a->traffic, &n);
	for (size_t i = 0; i < n && !b->wrong; i++) {
		struct fragment *p;
		uint64_t bytes;

		if (t[i].pid == RECORDING_NO_PROCESS) {
			b->wrong = "destinations of its transfers did not fit (BSP_RECORD_LIMIT)";
			return;
		}
		bytes = (int)t[i].pid == pid ? 0 : bytes_of(b, a, &t[i]);
		if (!bytes)
			continue;
		p = prof_fragment_between(b, pid, (int)t[i].pid);
		if (!p)
			return;
		p->bytes += bytes;
		if (t[i].what == RECORDING_GET)
			p->answer += CHUNK_HEAD + t[i].calls * RECORD_HEAD + t[i].bytes;
	}
}

void prof_receive_fragment(struct builder *b, struct fragment *p)
{
	struct actor *a = &b->actors[p->to];

	if (p->received < 0)
		p->received = prof_receive_all(b, a, p->from, p->bytes,
					       prof_tag(p->step, p->asked ? TAG_GRANTED :
									    TAG_DATA));
}

/* Gets are served when their requests are here; each waits for its answers. */
void prof_answer_gets(struct builder *b)
{
	for (size_t i = b->first; i < b->nfragments; i++) {
		struct fragment *p = &b->fragments[i];

		if (!p->answer)
			continue;
		prof_receive_fragment(b, p);
		prof_await(&b->actors[p->to], p->received);
		prof_send_all(b, &b->actors[p->to], p->from, p->answer,
			      prof_tag(p->step, TAG_ANSWER));
	}
	for (size_t i = b->first; i < b->nfragments; i++) {
		struct fragment *p = &b->fragments[i];

		if (p->answer)
			prof_await(&b->actors[p->from],
				   prof_receive_all(b, &b->actors[p->from], p->to, p->answer,
						    prof_tag(p->step, TAG_ANSWER)));
	}
}
