// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_gen_counts.c - messages of a barrier, with what it carries. */

/*
 * In the scratchpad, as words of 4 bytes:
 *
 *	in[n] any all out[0] out[1] ... out[P-1]	out[d] is for process me + d
 *	zeros[P]
 *	a block for each message that is received
 *
 * Without numbers there are only any, all and the blocks.
 *
 * n is 2, of which one is used, or the processes of this node where these are counted. out[0] is
 * what has come in for this process so far, or out[0] to out[n-1] for those of the node; 0 between
 * barriers, as all of out is. any, all and out lie side by side because a multicast has one piece.
 */
#include "goal/gen/goal_gen_counts.h"

enum { WORD = 4, PIECES_MOST = 5 };

/* A list of pieces that is being made; few are needed. */
struct pieces {
	struct goal_piece piece[PIECES_MOST];
	size_t n;
};

static void add_piece(struct pieces *p, uint64_t offset, uint64_t words)
{
	if (words)
		p->piece[p->n++] = (struct goal_piece){ GOAL_AT(GOAL_SCRATCHPAD, offset),
							words * WORD };
}

static void add_words(struct pieces *p, const struct goal_barrier *b)
{
	add_piece(p, b->counts->any, 2);
}

/* Where in out a run lies: it may go over its end. */
static void add_run(struct pieces *p, const struct goal_barrier *b, struct goal_counts_run run)
{
	int d = (int)(((int64_t)run.first - b->me + b->nprocs) % b->nprocs);
	int straight = run.n < b->nprocs - d ? run.n : b->nprocs - d;

	if (b->counts->words)
		return;
	add_piece(p, b->counts->out + (uint64_t)d * WORD, straight);
	add_piece(p, b->counts->out, run.n - straight);
}

static uint64_t words_of(const struct goal_barrier *b, const struct goal_message *m)
{
	return b->counts->words ? 0 : (uint64_t)m->run[0].n + m->run[1].n;
}

static int placed(const struct goal_barrier *b, int op, unsigned int nic)
{
	goal_place_on(b->g, op, 0, nic);
	return op;
}

static int send_nothing(const struct goal_barrier *b, const struct goal_message *m)
{
	return placed(b, goal_send(b->g, 0, GOAL_NOWHERE, m->peer, m->tag), m->nic);
}

static int recv_nothing(const struct goal_barrier *b, const struct goal_message *m)
{
	return placed(b, goal_recv(b->g, 0, GOAL_NOWHERE, m->peer, m->tag), m->nic);
}

static int send_pieces(const struct goal_barrier *b, const struct goal_message *m,
		       const struct pieces *p)
{
	return placed(b, goal_send_list(b->g, p->piece, p->n, m->peer, m->tag), m->nic);
}

static int recv_pieces(const struct goal_barrier *b, const struct goal_message *m,
		       const struct pieces *p)
{
	return placed(b, goal_recv_list(b->g, p->piece, p->n, m->peer, m->tag), m->nic);
}

void goal_counts_init(struct goal_barrier *b)
{
	uint64_t all = (uint64_t)b->nprocs * WORD, in = (uint64_t)(b->ours + b->ours % 2) * WORD;
	uint64_t at;

	if (!b->counts)
		return;
	if (b->counts->words)
		all = 0;
	at = goal_scratch(b->g, in + 2 * WORD + all);
	b->zeros = goal_scratch(b->g, all);
	*b->counts = (struct goal_counts){
		.words = b->counts->words,
		.in = at,
		.any = at + in,
		.all = at + in + WORD,
		.out = at + in + 2 * WORD,
	};
}

int goal_counts_send(const struct goal_barrier *b, const struct goal_message *m)
{
	struct pieces p = { .n = 0 };

	if (!b->counts)
		return send_nothing(b, m);
	add_words(&p, b);
	add_run(&p, b, m->run[0]);
	add_run(&p, b, m->run[1]);
	return send_pieces(b, m, &p);
}

static int fold_word(const struct goal_barrier *b, enum goal_function function, uint64_t word,
		     uint64_t from)
{
	return goal_local(b->g, function, GOAL_U32, WORD, GOAL_AT(GOAL_SCRATCHPAD, word),
			  GOAL_AT(GOAL_SCRATCHPAD, from));
}

/* One after the other, which are the fewest dependencies: local operations take no time. */
int goal_counts_fold(const struct goal_barrier *b, const struct goal_message *m, int after)
{
	struct pieces p = { .n = 0 }, dst = { .n = 0 }, src = { .n = 0 };
	uint64_t block;
	int got, any, all, counts;

	if (!b->counts)
		return recv_nothing(b, m);
	block = goal_scratch(b->g, (2 + words_of(b, m)) * WORD);
	add_piece(&p, block, 2 + words_of(b, m));
	got = recv_pieces(b, m, &p);
	any = fold_word(b, GOAL_OR, b->counts->any, block);
	all = fold_word(b, GOAL_AND, b->counts->all, block + WORD);
	goal_requires(b->g, any, got);
	if (after >= 0)
		goal_requires(b->g, any, after);
	goal_requires(b->g, all, any);
	if (b->counts->words)
		return all;
	add_run(&dst, b, m->run[0]);
	add_run(&dst, b, m->run[1]);
	add_piece(&src, block + 2 * WORD, words_of(b, m));
	counts = goal_local_list(b->g, GOAL_ADD, GOAL_U32, 0, dst.piece, dst.n, src.piece, src.n);
	goal_requires(b->g, counts, all);
	return counts;
}

int goal_counts_get(const struct goal_barrier *b, const struct goal_message *m, uint64_t *totals)
{
	struct pieces p = { .n = 0 };

	if (!b->counts)
		return recv_nothing(b, m);
	*totals = goal_scratch(b->g, words_of(b, m) * WORD);
	if (!b->counts->words)
		b->counts->in = *totals;
	add_words(&p, b);
	add_piece(&p, *totals, words_of(b, m));
	return recv_pieces(b, m, &p);
}

/* Counts for other processes go to memory that is not read. */
int goal_counts_get_multicast(const struct goal_barrier *b, const struct goal_message *m)
{
	struct pieces p = { .n = 0 };
	uint64_t rest;

	if (!b->counts)
		return recv_nothing(b, m);
	add_words(&p, b);
	if (b->counts->words)
		return recv_pieces(b, m, &p);
	rest = goal_scratch(b->g, (uint64_t)b->nprocs * WORD);
	add_piece(&p, rest, b->me);
	add_piece(&p, b->counts->in, 1);
	add_piece(&p, rest + (uint64_t)b->me * WORD, b->nprocs - 1 - b->me);
	return recv_pieces(b, m, &p);
}

int goal_counts_put(const struct goal_barrier *b, const struct goal_message *m, uint64_t totals)
{
	struct pieces p = { .n = 0 };

	if (!b->counts)
		return send_nothing(b, m);
	add_words(&p, b);
	add_piece(&p, totals, words_of(b, m));
	return send_pieces(b, m, &p);
}

int goal_counts_put_multicast(const struct goal_barrier *b, uint32_t tag)
{
	uint64_t counts = b->counts && !b->counts->words ? (uint64_t)b->nprocs : 0;

	if (!b->counts)
		return goal_multicast(b->g, 0, GOAL_NOWHERE, tag);
	return goal_multicast(b->g, (2 + counts) * WORD,
			      GOAL_AT(GOAL_SCRATCHPAD, b->counts->any), tag);
}

int goal_counts_clear(const struct goal_barrier *b, int after)
{
	int clear;

	if (b->counts->words)
		return -1;
	clear = goal_local(b->g, GOAL_COPY, GOAL_NONE, (uint64_t)b->nprocs * WORD,
			   GOAL_AT(GOAL_SCRATCHPAD, b->counts->out),
			   GOAL_AT(GOAL_SCRATCHPAD, b->zeros));
	goal_requires(b->g, clear, after);
	return clear;
}

/* A copy goes part by part: the first one is kept before it is set to 0. */
int goal_counts_take(const struct goal_barrier *b, int after)
{
	struct pieces dst = { .n = 0 };
	struct pieces src = { .n = 0 };
	int take;

	if (b->counts->words)
		return -1;
	add_piece(&dst, b->counts->in, b->ours);
	add_piece(&dst, b->counts->out, b->nprocs);
	add_piece(&src, b->counts->out, b->ours);
	add_piece(&src, b->zeros, b->nprocs);
	take = goal_local_list(b->g, GOAL_COPY, GOAL_NONE, 0, dst.piece, dst.n, src.piece, src.n);
	goal_requires(b->g, take, after);
	return take;
}
