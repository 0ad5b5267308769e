/* SPDX-License-Identifier: BSD-3-Clause */
/* prof_builder.h - a graph while it is built out of a recording: what its files share. */
#ifndef PROF_BUILDER_H
#define PROF_BUILDER_H

#include "prof_graph.h"
#include "prof_neighbors.h"

#define PROF_TOO_LONG "it is too long for a graph"

enum {
	OPS_MOST = 40 << 20,		/* of all processes: memory */
	CHUNK_HEAD = 16,		/* bytes of struct bspi_head */
	RECORD_HEAD = 16,		/* of struct bspi_rec */
};

/* Classes of tags, beside the superstep or the number of the collective call. */
enum {
	TAG_DATA, TAG_ANSWER, TAG_ROUND, TAG_COLLECTIVE,
	TAG_COUNTS,			/* of org */
	TAG_ASK, TAG_GRANT, TAG_GRANTED,	/* of rel: req, ack, data */
	TAG_MEET,			/* before a barrier, with lists of neighbours */
	TAGS
};

/* The bytes from one process to another in one superstep; of rel: of one put. */
struct fragment {
	int from, to;
	uint32_t step;
	uint64_t bytes;			/* of the chunk, with heads */
	uint64_t answer;		/* bytes that @to has to send back */
	bool asked;			/* it is a put that was asked for, with a tag of its own */
	int received;			/* operation at @to that ends its receipt; -1: not yet */
};

/* Fragments that the next read of an area, or the next expect, waits for. */
struct waiting {
	uint32_t area;
	size_t *fragments;
	size_t n, room;
};

struct actor {
	struct recording_cursor cursor;
	bool over, synced;
	bool at_site;			/* this superstep ends at the site of the variant */
	struct goal_graph *graph;
	int last;			/* operation that all that follows waits for; -1: none */
	int wait;			/* of a published form: ends when all is received */
	enum recording_end end;
	bool alike, met;		/* the marks of this end */
	bool relaxed;			/* the mode of the superstep, if it has no such mark */
	uint32_t traffic;
	uint32_t collectives;
	struct waiting *areas;
	size_t nareas, areas_room;
	struct waiting messages;
	size_t first, n;		/* of builder.inbox: fragments of this superstep */
};

struct builder {
	const struct recording *r;
	enum prof_form form;
	bool has_relaxed;		/* supersteps of the recording are relaxed */
	/*
	 * the form is a published one: chunks or not, all messages have a processor of their own,
	 * and what they cost the process are operations of it
	 */
	bool apart;
	const char *site;		/* of the variant, or NULL */
	struct prof_neighbors neighbors;	/* of the whole run, in PROF_NEIGHBORS */
	const struct prof_network *net;
	struct actor *actors;
	struct fragment *fragments;
	size_t nfragments, fragments_room;
	size_t first;			/* of this superstep */
	uint32_t step;
	uint64_t chunk;
	uint64_t messages;		/* operations that send or receive */
	const char *wrong;
};

/* ---- prof_builder.c -------------------------------------------------------------------- */

/* One more, of this superstep; NULL: b->wrong says why. */
struct fragment *prof_fragment_add(struct builder *b, int from, int to);
/* The fragment of this superstep, new or not; while all that were added last are of @from. */
struct fragment *prof_fragment_between(struct builder *b, int from, int to);
/* The process computes for @ns of the recording. */
void prof_compute(struct builder *b, struct actor *a, uint64_t ns);
void prof_wait_for(struct builder *b, struct waiting *w, size_t fragment);
struct waiting *prof_area_of(struct builder *b, struct actor *a, uint32_t area);
uint32_t prof_tag(uint32_t number, uint32_t class);
/* Is there room for so many messages more? Else b->wrong says so, before they take memory. */
bool prof_has_room(struct builder *b, uint64_t messages);
/* Chunks of @bytes in all, after operation @after; the last operation that takes processor time. */
int prof_send_after(struct builder *b, struct actor *a, int to, uint64_t bytes, uint32_t tag,
		    int after);
/* The process sends them now. */
void prof_send_all(struct builder *b, struct actor *a, int to, uint64_t bytes, uint32_t tag);
/* The receipt of all chunks, which waits for nothing of this process. */
int prof_receive_all(struct builder *b, struct actor *a, int from, uint64_t bytes, uint32_t tag);
/* The operation waits for all that the process has done; it is returned. */
int prof_follow(struct actor *a, int op);
/* An operation that ends when this one has ended, and all that the process has done. */
int prof_both(struct actor *a, int op);
/* All that the process does next waits for the operation. */
void prof_await(struct actor *a, int op);
/* The bytes that a transfer of @a adds to the chunk for its target; 0: it is not in that chunk. */
typedef uint64_t prof_bytes_fn(const struct builder *b, const struct actor *a,
			       const struct recording_transfer *t);
/* The fragments of this superstep of @pid, with the answers to its gets. */
void prof_pack(struct builder *b, int pid, prof_bytes_fn *bytes_of);
void prof_receive_fragment(struct builder *b, struct fragment *p);
/* Requests to this process are served, and each process waits for its answers. */
void prof_answer_gets(struct builder *b);

/* ---- prof_published.c ------------------------------------------------------------------ */

/* A superstep of org, from bsp_sync on. */
void prof_end_org(struct builder *b);
/* Puts of a relaxed superstep of rel: @pid asks; when all have, they are granted and sent. */
void prof_ask(struct builder *b, int pid);
void prof_grant(struct builder *b);

#endif
