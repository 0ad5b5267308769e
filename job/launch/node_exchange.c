// SPDX-License-Identifier: BSD-3-Clause
/* node_exchange.c - exchanges of launched processes by one process of each node. */

/*
 * A launcher's exchange costs each process a look-up of the data of each other one, P * P in a job.
 * Once the processes of a node share memory the first of them exchanges for all: it gives what its
 * node has in one piece, looks up one piece of each other node, and all read the data of the job
 * where it has written them. N nodes make N (N - 1) look-ups then, and the data of all processes
 * are once in a node.
 *
 *	process: data into its slot; said = r	first: all of the node have said r; pieces
 *	  ...waits for done = r			  exchanged; others into their slots; done = r
 *	reads all slots				reads all slots
 *
 * There are slots of two rounds. A process that writes a slot of round r + 2 has seen done = r + 1,
 * so all of its node have said r + 1, which they do when they have read the slots of r.
 */

#include "node_exchange.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { YIELDS = 100, PAUSE_LEAST_US = 50, PAUSE_MOST_US = 5000 };

/* Shared by a node. */
struct node_words {
	_Atomic uint32_t done;		/* by the first: the last round that is there */
	_Atomic int err;		/* of that round */
	_Atomic uint32_t said[];	/* by the owner, of each process of the job */
};

struct bspj_node_exchange {
	const struct bspt_wire *w;
	const struct bspj_launch *launch;
	struct node_words *words;
	char *slots;			/* of even rounds, then of odd ones */
	size_t bytes;			/* of memory that is shared */
	uint32_t round;
	int *first;			/* of each node */
	size_t *count;			/* processes of each */
	size_t *len;			/* of a piece of each, in this round */
	char *piece;			/* of the node, on its first process */
};

/* ---- Open, close ---------------------------------------------------------------------- */

void bspj_node_exchange_close(struct bspj_node_exchange *x)
{
	if (!x)
		return;
	if (x->words)
		munmap(x->words, x->bytes);
	free(x->first);
	free(x->count);
	free(x->len);
	free(x->piece);
	free(x);
}

static bool is_first(const struct bspj_node_exchange *x)
{
	return x->first[x->w->node[x->w->me]] == x->w->me;
}

static struct bspj_node_exchange *node_exchange_create(const struct bspt_wire *w)
{
	struct bspj_node_exchange *x = calloc(1, sizeof(*x));
	size_t nnodes = (size_t)w->nnodes;

	if (!x)
		return NULL;
	x->w = w;
	x->first = calloc(nnodes, sizeof(*x->first));
	x->count = calloc(nnodes, sizeof(*x->count));
	x->len = calloc(nnodes, sizeof(*x->len));
	if (!x->first || !x->count || !x->len) {
		bspj_node_exchange_close(x);
		return NULL;
	}
	for (int p = 0; p < w->nprocs; p++)
		if (x->count[w->node[p]]++ == 0)
			x->first[w->node[p]] = p;
	if (!is_first(x))
		return x;
	x->piece = malloc(x->count[w->node[w->me]] * BSPT_EXCHANGE_MOST);
	if (!x->piece) {
		bspj_node_exchange_close(x);
		return NULL;
	}
	return x;
}

int bspj_node_exchange_open(struct bspt_wire *w, const struct bspj_launch *launch,
			    struct bspj_node_exchange **opened)
{
	size_t words = sizeof(struct node_words) + (size_t)w->nprocs * sizeof(uint32_t);
	struct bspj_node_exchange *x;

	*opened = NULL;
	if (!launch->exchange_pieces || w->nnodes == w->nprocs || w->me >= w->nprocs)
		return 0;
	x = node_exchange_create(w);
	if (!x)
		return -ENOMEM;
	x->launch = launch;
	words = (words + 63) / 64 * 64;
	x->bytes = words + 2 * (size_t)w->nprocs * BSPT_EXCHANGE_MOST;
	x->words = w->share(w, x->bytes, x->bytes);
	if (!x->words) {
		bspj_node_exchange_close(x);
		return 0;
	}
	x->slots = (char *)x->words + words;
	*opened = x;
	return 0;
}

/* ---- A round ----------------------------------------------------------------------------- */

static char *node_slot(const struct bspj_node_exchange *x, int p)
{
	return x->slots + ((size_t)(x->round % 2) * x->w->nprocs + p) * BSPT_EXCHANGE_MOST;
}

/*
 * Time is counted in pauses, so that a job that is stopped and continued does not run out of it.
 * Pairs with the releases in bspj_node_exchange(): slots are written, or those before are read.
 */
static int node_await(const _Atomic uint32_t *word, uint32_t round, double timeout_s)
{
	unsigned int pause = PAUSE_LEAST_US;
	double waited = 0;

	for (int i = 0; (int32_t)(atomic_load_explicit(word, memory_order_acquire) - round) < 0;
	     i++) {
		if (i < YIELDS) {
			sched_yield();
			continue;
		}
		if (timeout_s > 0 && waited > timeout_s)
			return -ETIMEDOUT;
		usleep(pause);
		waited += pause * 1e-6;
		pause = pause < PAUSE_MOST_US ? pause + pause / 4 : PAUSE_MOST_US;
	}
	return 0;
}

/* Between the slots of the processes of node @k and a piece with @len bytes of each. */
static void node_move(const struct bspj_node_exchange *x, int k, char *piece, const char *from,
		      size_t len)
{
	size_t left = x->count[k];

	for (int p = x->first[k]; left > 0; p++) {
		if (x->w->node[p] != k)
			continue;
		if (from)
			memcpy(node_slot(x, p), from + (x->count[k] - left) * len, len);
		else
			memcpy(piece + (x->count[k] - left) * len, node_slot(x, p), len);
		left--;
	}
}

struct node_pieces {
	const struct bspj_node_exchange *x;
	size_t len;
};

static void node_take_piece(void *arg, int k, const void *its)
{
	const struct node_pieces *pieces = arg;

	if (k != pieces->x->w->node[pieces->x->w->me])
		node_move(pieces->x, k, NULL, its, pieces->len);
}

/* The first process of the node does it for all of it; the others are there, as launchers want. */
static int node_exchange_pieces(struct bspj_node_exchange *x, size_t len, double timeout_s)
{
	struct node_pieces pieces = { x, len };
	const struct bspt_wire *w = x->w;
	int ours = w->node[w->me], err = 0;

	for (int p = 0; p < w->nprocs && is_first(x) && !err; p++)
		if (w->node[p] == ours)
			err = node_await(&x->words->said[p], x->round, timeout_s);
	if (err || w->nnodes == 1)
		return err;		/* all of the job are of this node */
	if (is_first(x))
		node_move(x, ours, x->piece, NULL, len);
	for (int k = 0; k < w->nnodes; k++)
		x->len[k] = x->count[k] * len;
	return x->launch->exchange_pieces(x->first, x->len, w->nnodes, x->piece, node_take_piece,
					  &pieces, w->nprocs, timeout_s);
}

int bspj_node_exchange(struct bspj_node_exchange *x, const void *mine, size_t len,
		       bspt_take_fn *take, void *arg, double timeout_s)
{
	const struct bspt_wire *w = x->w;
	int err;

	x->round++;
	memcpy(node_slot(x, w->me), mine, len);
	/* Pairs with the acquire in node_await(): the slot is written, those before it are read. */
	atomic_store_explicit(&x->words->said[w->me], x->round, memory_order_release);
	err = node_exchange_pieces(x, len, timeout_s);
	if (is_first(x)) {
		atomic_store_explicit(&x->words->err, err, memory_order_relaxed);
		/* Pairs with the acquire in node_await(): all slots are written, and the error. */
		atomic_store_explicit(&x->words->done, x->round, memory_order_release);
	} else if (!err) {
		err = node_await(&x->words->done, x->round, timeout_s);
		if (!err)
			err = atomic_load_explicit(&x->words->err, memory_order_relaxed);
	}
	for (int p = 0; p < w->nprocs && !err; p++)
		take(arg, p, node_slot(x, p));
	return err;
}
