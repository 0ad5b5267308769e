/* SPDX-License-Identifier: BSD-3-Clause */
/* model_kinds.h - a formula for each algorithm, and sums that several formulae need. */
#ifndef BSPI_MODEL_KINDS_H
#define BSPI_MODEL_KINDS_H

#include "bsplib/model/model.h"

/* The cost of a task of more than one process. @t->bytes is 1 at least. */
typedef double bspi_formula(const struct bspi_plogp *p, const struct goal_task *t, int n);

struct bspi_model {
	const char *name;		/* of the algorithm; NULL: end of the table */
	bspi_formula *cost;
};

extern const struct bspi_model bspi_models_bcast[], bspi_models_scatter[], bspi_models_gather[],
	bspi_models_allgather[], bspi_models_exchange[], bspi_models_reduce[],
	bspi_models_allreduce[], bspi_models_scan[], bspi_models_reduce_scatter[],
	bspi_models_barrier[];

/* Rounded down, or up, of n >= 1. */
static inline int bspi_log2_down(int n)
{
	return 31 - __builtin_clz((unsigned int)n);
}

static inline int bspi_log2_up(int n)
{
	return n < 2 ? 0 : 1 + bspi_log2_down(n - 1);
}

/* How many segments, and how large. */
struct bspi_cut {
	uint64_t bytes;
	double k;
};

static inline struct bspi_cut bspi_model_cut(const struct goal_task *t)
{
	uint64_t s = t->segment && t->segment < t->bytes ? t->segment : t->bytes;

	return (struct bspi_cut){ s, (double)((t->bytes + s - 1) / s) };
}

/*
 * The time between two segments at a process that passes them on: the gap, or the time that its
 * processor needs to receive one and to send it, if that is more. The papers have the gap alone.
 */
static inline double bspi_model_pace(const struct bspi_plogp *p, uint64_t bytes)
{
	double busy = bspi_model_send(p, bytes) + bspi_model_receive(p, bytes);
	double gap = bspi_model_gap(p, bytes);

	return busy > gap ? busy : gap;
}

/*
 * Down a binomial tree of @n processes, in which a process sends to its largest subtree first:
 * @fixed bytes and @each for every process of the subtree. And up, where @work ns are spent on
 * what has come.
 */
double bspi_model_down(const struct bspi_plogp *p, int n, uint64_t fixed, uint64_t each);
double bspi_model_up(const struct bspi_plogp *p, int n, uint64_t fixed, uint64_t each, double work);

/* How often @k of @n processes are joined until all are: levels of a k-nomial tree, or a chain. */
int bspi_model_levels(int n, int k);

#endif
