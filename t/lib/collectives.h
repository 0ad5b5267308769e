/* SPDX-License-Identifier: BSD-3-Clause */
/* collectives.h - collective operations in plain loops, to compare their schedules with. */
#ifndef COLLECTIVES_H
#define COLLECTIVES_H

#include "messages.h"

#include <math.h>

enum { SOURCE = 0, TARGET = 1 };

static inline bool holds_blocks(enum goal_kind kind, int which, bool root)
{
	if (kind == GOAL_SCATTER)
		return which == SOURCE && root;
	if (kind == GOAL_GATHER)
		return which == TARGET && root;
	if (kind == GOAL_REDUCE_SCATTER)
		return which == SOURCE;
	return kind == GOAL_EXCHANGE || (kind == GOAL_ALLGATHER && which == TARGET);
}

/* Bytes of a buffer of a process; 0 if it has none. */
static inline size_t buffer_bytes(const struct goal_task *t, int nprocs, int rank, int which)
{
	bool root = rank == t->root;

	if (holds_blocks(t->kind, which, root))
		return t->bytes * (size_t)nprocs;
	if (t->kind == GOAL_SCATTER && which == SOURCE)
		return 0;
	if (t->kind == GOAL_BCAST && which == SOURCE)
		return 0;
	if ((t->kind == GOAL_GATHER || t->kind == GOAL_REDUCE) && which == TARGET && !root)
		return 0;
	return t->bytes;
}

/* ---- Contributions -------------------------------------------------------------- */

/* Numbers of every kind: with signs, zeros of both signs, and some that are none. */
static inline double some_number(uint64_t *seed)
{
	switch (random_below(seed, 16)) {
	case 0:
		return 0.0;
	case 1:
		return -0.0;
	default:
		return ((double)random_below(seed, 2000001) - 1e6) / 1024 *
		       (double)(1 + random_below(seed, 1000));
	}
}

static inline void fill(unsigned char *at, const struct goal_task *t, size_t bytes, uint64_t *seed)
{
	double number;

	if (goal_kind_folds(t->kind) && t->call < 0 && t->datatype == GOAL_F64) {
		for (size_t i = 0; i < bytes; i += sizeof number) {
			number = some_number(seed);
			memcpy(at + i, &number, sizeof number);
		}
		return;
	}
	for (size_t i = 0; i < bytes; i++)
		at[i] = (unsigned char)random_next(seed);
}

/* ---- Expected results ------------------------------------------------------------ */

static inline void combine(const struct goal_task *t, unsigned char *left,
			   const unsigned char *right)
{
	struct matrix a, b;

	if (t->call < 0) {
		goal_compute(t->function, t->datatype, false, left, right,
			     t->bytes / goal_datatype_bytes(t->datatype));
		return;
	}
	for (uint64_t i = 0; i < t->bytes; i += sizeof a) {
		memcpy(&a, left + i, sizeof a);
		memcpy(&b, right + i, sizeof b);
		a = product(a, b);
		memcpy(left + i, &a, sizeof a);
	}
}

/*
 * @in: what each process gives, from @stride to @stride. Writes the @rank's target; false if that
 * has none.
 */
static inline bool expect(const struct goal_task *t, int nprocs, int rank, const unsigned char *in,
			  size_t stride, unsigned char *out)
{
	size_t bytes = t->bytes, last = t->kind == GOAL_SCAN ? (size_t)rank : (size_t)nprocs - 1;
	bool root_only = t->kind == GOAL_GATHER || t->kind == GOAL_REDUCE;

	if (root_only && rank != t->root)
		return false;
	if (t->kind == GOAL_BCAST)
		memcpy(out, in + (size_t)t->root * stride, bytes);
	if (t->kind == GOAL_SCATTER)
		memcpy(out, in + (size_t)t->root * stride + (size_t)rank * bytes, bytes);
	for (size_t p = 0; p < (size_t)nprocs; p++) {
		if (t->kind == GOAL_GATHER || t->kind == GOAL_ALLGATHER)
			memcpy(out + p * bytes, in + p * stride, bytes);
		if (t->kind == GOAL_EXCHANGE)
			memcpy(out + p * bytes, in + p * stride + (size_t)rank * bytes, bytes);
	}
	if (!goal_kind_folds(t->kind))
		return true;
	in += t->kind == GOAL_REDUCE_SCATTER ? (size_t)rank * bytes : 0;
	memcpy(out, in, bytes);
	for (size_t p = 1; p <= last; p++)
		combine(t, out, in + p * stride);
	return true;
}

/* Sums of floating-point numbers depend on how they are bracketed, everything else is exact. */
static inline bool rounds(const struct goal_task *t)
{
	return goal_kind_folds(t->kind) && t->call < 0 && t->datatype == GOAL_F64 &&
	       t->function == GOAL_ADD;
}

static inline bool alike(const struct goal_task *t, const void *wanted, const void *seen,
			 size_t bytes)
{
	const double *a = wanted, *b = seen;

	if (!rounds(t))
		return memcmp(wanted, seen, bytes) == 0;
	for (size_t i = 0; i < bytes / sizeof *a; i++)
		if (!(fabs(a[i] - b[i]) < 1e-3))
			return false;
	return true;
}

/* ---- One operation -------------------------------------------------------------------- */

struct trial {
	const struct goal_task *task;
	struct network *net;
	int nprocs;
	bool in_place;
	size_t stride;			/* of a process's contribution */
	unsigned char *in;		/* all of them */
};

/* Is the result in the buffer from which the contribution comes? */
static inline int target_of(const struct trial *t)
{
	return t->task->target;
}

static inline size_t size_of(const struct trial *t, int rank, int number)
{
	size_t source = buffer_bytes(t->task, t->nprocs, rank, SOURCE);
	size_t target = buffer_bytes(t->task, t->nprocs, rank, TARGET);

	if (!t->in_place && t->task->source != t->task->target)
		return number == t->task->source ? source : target;
	return source > target ? source : target;
}

/* Where in its buffer a process has its own contribution. */
static inline size_t own_at(const struct trial *t, int rank)
{
	bool among = t->task->kind == GOAL_ALLGATHER ||
		     (t->task->kind == GOAL_GATHER && rank == t->task->root);

	return t->in_place && among ? (size_t)rank * t->task->bytes : 0;
}

static inline size_t own_bytes(const struct trial *t, int rank)
{
	if (t->task->kind == GOAL_BCAST)
		return rank == t->task->root ? t->task->bytes : 0;
	return buffer_bytes(t->task, t->nprocs, rank, SOURCE);
}

static inline void bind_buffers(struct trial *t)
{
	for (int p = 0; p < t->nprocs; p++) {
		struct member *m = &t->net->member[p];
		unsigned char *in = t->in + (size_t)p * t->stride;
		const struct goal_header *h = m->run.prog.header;

		for (uint32_t i = 0; i < h->nbuffers; i++) {
			if (goal_buffers(&m->run.prog)[i].bytes > size_of(t, p, (int)i))
				goes_wrong(t->net, "%d wants more of buffer %u than there is", p,
					   i);
			m->buffers[i] = some(size_of(t, p, (int)i));
			memset(m->buffers[i], 0xc7, size_of(t, p, (int)i));
		}
		fill(in, t->task, own_bytes(t, p), &t->net->seed);
		if (own_bytes(t, p))
			memcpy(m->buffers[t->task->source] + own_at(t, p), in, own_bytes(t, p));
	}
}

static inline void check_target(struct trial *t, int rank)
{
	size_t bytes = buffer_bytes(t->task, t->nprocs, rank, TARGET);
	unsigned char *out = some(bytes), *seen = t->net->member[rank].buffers[target_of(t)];
	bool scattered_root = t->in_place && t->task->kind == GOAL_SCATTER && rank == t->task->root;

	if (scattered_root)
		seen += (size_t)rank * t->task->bytes;
	if (expect(t->task, t->nprocs, rank, t->in, t->stride, out) &&
	    !alike(t->task, out, seen, bytes))
		goes_wrong(t->net, "the target of %d of %d is wrong", rank, t->nprocs);
	free(out);
}

/* Memory outside the targets is unchanged. */
static inline void check_source(struct trial *t, int rank)
{
	const unsigned char *seen = t->net->member[rank].buffers[t->task->source];
	bool untouched = !t->in_place || (rank != t->task->root && (t->task->kind == GOAL_REDUCE ||
								    t->task->kind == GOAL_GATHER));

	if (t->task->kind == GOAL_SCATTER && t->in_place)
		untouched = rank == t->task->root;
	if (untouched && memcmp(seen, t->in + (size_t)rank * t->stride, own_bytes(t, rank)))
		goes_wrong(t->net, "the source of %d of %d has changed", rank, t->nprocs);
}

/* Results of allreduce are equal to the last bit. */
static inline void check_same(struct trial *t)
{
	for (int p = 1; p < t->nprocs; p++)
		if (memcmp(t->net->member[0].buffers[target_of(t)],
			   t->net->member[p].buffers[target_of(t)], t->task->bytes))
			goes_wrong(t->net, "0 and %d of %d have different results", p, t->nprocs);
}

static inline void once(struct trial *t)
{
	bind_buffers(t);
	if (!t->net->wrong[0])
		run_network(t->net);
	for (int p = 0; p < t->nprocs; p++) {
		check_target(t, p);
		check_source(t, p);
	}
	if (t->task->kind == GOAL_ALLREDUCE)
		check_same(t);
	for (int p = 0; p < t->nprocs; p++) {
		free(t->net->member[p].buffers[0]);
		free(t->net->member[p].buffers[1]);
		t->net->member[p].buffers[0] = t->net->member[p].buffers[1] = NULL;
	}
}

/*
 * Generate a schedule that the algorithm does not refuse, and run it three times, each time with
 * other buffers. Returns "", or the first error.
 */
static inline const char *try_it(const struct goal_task *task, int nprocs, uint64_t seed)
{
	static char wrong[200];
	struct trial t = { .task = task, .nprocs = nprocs };

	t.in_place = task->source == task->target && task->kind != GOAL_BCAST;
	t.stride = task->bytes * (size_t)nprocs;
	t.in = some(t.stride * (size_t)nprocs);
	t.net = open_network(task, nprocs, seed);
	for (int i = 0; i < 3 && !t.net->wrong[0]; i++)
		once(&t);
	snprintf(wrong, sizeof wrong, "%s", t.net->wrong);
	close_network(t.net);
	free(t.in);
	return wrong;
}

/* Report the first trial of many that failed. */
struct verdict {
	char first[400];
	int trials;
};

static inline void judge(struct verdict *v, const struct goal_task *task, int nprocs)
{
	const char *wrong;

	if (goal_refuses(task, nprocs, 0))
		return;
	wrong = try_it(task, nprocs, (uint64_t)++v->trials);

	if (wrong[0] && !v->first[0])
		snprintf(v->first, sizeof v->first, "P = %d, root %d, %llu bytes, segment %llu: %s",
			 nprocs, task->root, (unsigned long long)task->bytes,
			 (unsigned long long)task->segment, wrong);
}

/* Without the cases that it always refuses. */
__attribute__((format(printf, 2, 3)))
static inline void report(const struct verdict *v, const char *format, ...)
{
	char what[200];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	if (v->trials)
		is_str("", v->first, "%s: %d times", what, v->trials);
}

static inline struct goal_task task_of(const struct goal_algorithm *a, bool in_place)
{
	return (struct goal_task){
		.kind = a->kind, .algorithm = a, .call = -1, .networks = 1, .arity = 3,
		.source = 0, .target = in_place || a->kind == GOAL_BCAST ? 0 : 1,
	};
}

static inline bool has_root(enum goal_kind kind)
{
	return kind == GOAL_BCAST || kind == GOAL_SCATTER || kind == GOAL_GATHER ||
	       kind == GOAL_REDUCE;
}

/* All roots up to 9 processes, then some. */
static inline void each_root(struct verdict *v, struct goal_task *task, int nprocs)
{
	int step = nprocs <= 9 ? 1 : nprocs / 3;

	for (task->root = 0; task->root < nprocs; task->root += step) {
		judge(v, task, nprocs);
		if (!has_root(task->kind))
			break;
	}
	task->root = 0;
}

/* P = 1 .. 17, 32, 33. */
static inline int next_nprocs(int nprocs)
{
	return nprocs == 17 ? 32 : nprocs + 1;
}

static inline void each_nprocs(struct verdict *v, struct goal_task *task, int most)
{
	for (int nprocs = 1; nprocs <= most; nprocs = next_nprocs(nprocs))
		each_root(v, task, nprocs);
}

#endif
