/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_reduce_scatter.c - blocks of all processes folded; each gets its own of the result. */

/*
 * In direct-rotated a process sends each other one its block, and folds the blocks that it receives
 * in the order of the processes: the fewest bytes and operations that there can be, in P - 1
 * messages. Recursive halving takes log2 P messages (Rabenseifner, "Optimization of Collective
 * Reduction Operations", 2004, first half): in round k neighbours at distance 2^k exchange half of
 * the blocks that they have left, so that process r keeps those whose number has the bits 0 .. k of
 * r. Near ones are first, so values are of runs of processes in order, as everywhere.
 *
 * Every piece is one block, so all of it can be done with lengths as arguments (goal_gen.h).
 */
#include "goal/gen/goal_gen_fold.h"
#include "goal/goal_graph.h"

#include <stdlib.h>

struct scattering {
	struct goal_graph *g;
	const struct goal_task *task;
	int nprocs, rank;
};

static struct goal_piece scattering_block(const struct scattering *s, int buffer, int i)
{
	return (struct goal_piece){ GOAL_AT(buffer, (uint64_t)i * s->task->bytes),
				    s->task->bytes };
}

/* Alone, or without bytes, there is at most a copy to make. */
static bool scattering_is_trivial(const struct scattering *s)
{
	if (s->task->bytes > 0 && s->nprocs == 1)
		goal_copy(s->g, GOAL_AT(s->task->target, 0), GOAL_AT(s->task->source, 0),
			  s->task->bytes);
	return s->task->bytes == 0 || s->nprocs == 1;
}

/* ---- Direct --------------------------------------------------------------------------- */

/* The block from process @p, which is @at once *@here has ended; *@here -1: from the start. */
static struct goal_place direct_receive(const struct scattering *s, int p, int *here)
{
	struct goal_place at = scattering_block(s, GOAL_SCRATCHPAD, p).at;

	*here = -1;
	if (p == s->rank)
		return scattering_block(s, s->task->source, p).at;
	if (p == 0)
		at = GOAL_AT(s->task->target, 0);
	*here = goal_recv(s->g, s->task->bytes, at, p, 0);
	return at;
}

static void gen_reduce_scatter_direct(struct goal_graph *g, const struct goal_task *task,
				      int nprocs, int rank)
{
	struct scattering s = { g, task, nprocs, rank };
	struct goal_place target = GOAL_AT(task->target, 0), at;
	int last, here;

	if (scattering_is_trivial(&s))
		return;
	goal_scratch(g, (uint64_t)nprocs * task->bytes);
	for (int i = 1; i < nprocs; i++) {
		int to = (rank + i) % nprocs;

		goal_send(g, task->bytes, scattering_block(&s, task->source, to).at, to, 0);
	}
	at = direct_receive(&s, 0, &last);
	if (rank == 0)
		last = goal_copy(g, target, at, task->bytes);
	for (int p = 1; p < nprocs; p++) {
		int fold;

		at = direct_receive(&s, p, &here);
		fold = goal_local(g, task->function, task->datatype, task->bytes, target, at);
		goal_requires(g, fold, last);
		goal_after(g, fold, here);
		last = fold;
	}
}

static int direct_scratch_block(int nprocs, int rank, uint64_t unit)
{
	(void)nprocs;
	return unit == 0 || unit == (uint64_t)rank ? -1 : rank;	/* see direct_receive() */
}

/* ---- Recursive halving ------------------------------------------------------------------ */

enum { AREAS = 2 };			/* of P blocks each, in the scratchpad */

struct halves {
	struct scattering s;
	int area;			/* where values are; -1: in the source */
	int ready;			/* the operation after which they are; -1: from the start */
	struct goal_piece *left, *right;	/* of a message, or of operands: room for P / 2 */
};

/* Block @i of an area, or of the source. */
static struct goal_piece halves_block(const struct halves *h, int area, int i)
{
	if (area < 0)
		return scattering_block(&h->s, h->s.task->source, i);
	return scattering_block(&h->s, GOAL_SCRATCHPAD, area * h->s.nprocs + i);
}

/* The blocks of an area that process @p keeps after the round of @distance. */
static size_t halves_kept(const struct halves *h, struct goal_piece *pieces, int area, int p,
			  int distance)
{
	size_t n = 0;

	for (int i = p % (2 * distance); i < h->s.nprocs; i += 2 * distance)
		pieces[n++] = halves_block(h, area, i);
	return n;
}

/* Blocks of area @dst fold those of area @src, or are copies of them. */
static int halves_local(struct halves *h, bool folds, int dst, int src, int distance, int before)
{
	const struct goal_task *t = h->s.task;
	size_t n = halves_kept(h, h->left, dst, h->s.rank, distance);
	int op;

	halves_kept(h, h->right, src, h->s.rank, distance);
	op = goal_local_list(h->s.g, folds ? t->function : GOAL_COPY,
			     folds ? t->datatype : GOAL_NONE, 0, h->left, n, h->right, n);
	goal_after(h->s.g, op, before);
	return op;
}

/*
 * The lower process's value is the left operand, which is overwritten: ours only if it is not in
 * the source.
 */
static void halves_fold(struct halves *h, int other, int area, int received, int distance)
{
	bool ours_first = h->s.rank < other && !goal_fold_commutes(h->s.task);
	int free_area = 1 - area, fold;

	if (!ours_first) {
		fold = halves_local(h, true, area, h->area, distance, received);
		goal_after(h->s.g, fold, h->ready);
		h->area = area;
		h->ready = fold;
		return;
	}
	if (h->area < 0) {
		h->ready = halves_local(h, false, free_area, -1, distance, h->ready);
		h->area = free_area;
	}
	fold = halves_local(h, true, h->area, area, distance, received);
	goal_after(h->s.g, fold, h->ready);
	h->ready = fold;
}

static void gen_reduce_scatter_halving(struct goal_graph *g, const struct goal_task *task,
				       int nprocs, int rank)
{
	struct halves h = { { g, task, nprocs, rank }, -1, -1, NULL, NULL };
	uint32_t tag = 0;

	if (scattering_is_trivial(&h.s))
		return;
	h.left = malloc((size_t)nprocs * sizeof(*h.left));
	if (!h.left) {
		goal_graph_fail(g, "out of memory for %d blocks", nprocs);
		return;
	}
	h.right = h.left + nprocs / 2;
	goal_scratch(g, AREAS * (uint64_t)nprocs * task->bytes);
	for (int distance = 1; distance < nprocs; distance *= 2, tag++) {
		/* Blocks arrive where the values are not: the last round has read it. */
		int other = rank ^ distance, area = h.area == 0 ? 1 : 0, sent, received;
		size_t n = halves_kept(&h, h.left, h.area, other, distance);

		sent = goal_send_list(g, h.left, n, other, tag);
		goal_after(g, sent, h.ready);
		n = halves_kept(&h, h.left, area, rank, distance);
		received = goal_recv_list(g, h.left, n, other, tag);
		goal_after(g, received, h.ready);
		halves_fold(&h, other, area, received, distance);
	}
	goal_requires(g,
		      goal_copy(g, GOAL_AT(task->target, 0), halves_block(&h, h.area, rank).at,
				task->bytes),
		      h.ready);
	free(h.left);
}

static int halving_scratch_block(int nprocs, int rank, uint64_t unit)
{
	(void)rank;
	return (int)(unit % (uint64_t)nprocs);
}

/* ---- Both ----------------------------------------------------------------------------------- */

static const char *reduce_scatter_refuses(const struct goal_task *task, int nprocs)
{
	const char *reason = goal_fold_refuses(task, nprocs);

	if (reason)
		return reason;
	if (task->source == task->target)
		return "it is not done in place";
	if (task->call >= 0)
		return "it folds by functions of GOAL only";
	if (task->bytes > GOAL_BYTES_MOST / AREAS / (uint64_t)nprocs)
		return "twice the blocks of all together have more than 2^40 bytes";
	return NULL;
}

static const char *halving_refuses(const struct goal_task *task, int nprocs)
{
	if (goal_butterfly_core(nprocs) != nprocs)
		return "the number of processes is no power of two";
	if (nprocs > 1 << 15)
		return "with more than 32768 processes an operation has too many pieces";
	return reduce_scatter_refuses(task, nprocs);
}

const struct goal_algorithm goal_reduce_scatter_algorithms[] = {
	{ .kind = GOAL_REDUCE_SCATTER,
	  .name = "direct-rotated",
	  .generate = gen_reduce_scatter_direct,
	  .scratch_block = direct_scratch_block,
	  .refuses = reduce_scatter_refuses,
	  .summary = "all to all, each begins behind itself and folds what it receives" },
	{ .kind = GOAL_REDUCE_SCATTER,
	  .name = "halving",
	  .generate = gen_reduce_scatter_halving,
	  .scratch_block = halving_scratch_block,
	  .refuses = halving_refuses,
	  .summary = "log2 P rounds, half of the blocks that are left in each; powers of two" },
	{ .name = NULL },
};
