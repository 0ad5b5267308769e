/* SPDX-License-Identifier: BSD-3-Clause */
/* sent.h - what a process sends to processes of other nodes, or to all, by kind. */
#ifndef SENT_H
#define SENT_H

#include "bsplib/engine/engine.h"
#include "bsplib/schedule/note.h"

#include <string.h>

/*
 * Counts chunks as they are given to the transport, and passes them on. Notes that depend on time,
 * as questions after a long wait, are none of these.
 */
static struct {
	uint64_t chunks;		/* of supersteps */
	uint64_t messages, message_bytes;	/* of schedules; bytes of the chunks */
	uint64_t received;		/* notes that chunks have been received */
	struct bspt *watched[BSPI_CARRIERS];
	struct bspt_ops ops[BSPI_CARRIERS];
	const struct bspt_ops *real[BSPI_CARRIERS];
	int n;
} sent;

static inline void sent_count(const char *chunk, size_t len)
{
	const struct bspi_head *h = (const struct bspi_head *)chunk;
	const struct bspi_rec *rec = (const struct bspi_rec *)(h + 1);

	if (!(h->flags & BSPI_UNCOUNTED))
		sent.chunks++;
	if (!(h->flags & BSPI_GOALS))
		return;
	if (!(h->flags & BSPI_URGENT))
		rec = (const struct bspi_rec *)(chunk + h->sum);
	if (!(rec->what & BSPI_HP)) {
		sent.messages++;
		sent.message_bytes += len;
	} else if (((const struct bspi_note *)(rec + 1))->kind == BSPI_NOTE_RECEIVED) {
		sent.received++;
	}
}

static inline void sent_send(struct bspt *t, int peer, void *chunk, size_t len)
{
	int i = 0;

	while (sent.watched[i] != t)
		i++;
	sent_count(chunk, len);
	sent.real[i]->send(t, peer, chunk, len);
}

static inline void sent_watch_one(struct bspt *t)
{
	for (int i = 0; i < sent.n; i++)
		if (sent.watched[i] == t)
			return;
	sent.watched[sent.n] = t;
	sent.real[sent.n] = t->ops;
	sent.ops[sent.n] = *t->ops;
	sent.ops[sent.n].send = sent_send;
	t->ops = &sent.ops[sent.n++];
}

/* From now on, what this process sends: between nodes, or if there is one node to all. */
static inline void sent_watch(void)
{
	const int *node = bspi.job.wire->node;
	bool several = false;

	memset(&sent, 0, sizeof(sent));
	for (int q = 0; q < bspi.nprocs; q++)
		several |= node[q] != node[bspi.me];
	for (int q = 0; q < bspi.nprocs; q++)
		if (q != bspi.me && (!several || node[q] != node[bspi.me]))
			sent_watch_one(bspi_out_of(q)->t);
}

#endif
