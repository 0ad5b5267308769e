// SPDX-License-Identifier: BSD-3-Clause
/* coll_sort.c - sorting one value of each process, in sorted order over the processes. */

/*
 * Sorting by regular sampling (Shi and Schaeffer, 1992) has four phases: each process sorts what
 * it has, regular samples of all are collected, the blocks between every p-th sample are
 * exchanged, and merged. With one value on each process that value is its sample, so the p
 * samples are the whole input, and once they are sorted the i-th of them is what process i is to
 * have: nothing is left to exchange. So all collect the samples, in one h-relation of p - 1
 * values, and each sorts them by merging. The order is the same everywhere, as the sort is
 * stable and the input the same.
 */

#include "bsplib/collective/coll.h"

#include "bsplib/core/error.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/state.h"

#include <stdlib.h>
#include <string.h>

struct sort {
	bspi_less_fn *less;
	int nbytes;
	char *values;
};

static bool is_less(const struct sort *s, int a, int b)
{
	int nbytes = s->nbytes;		/* of the program: it may change that */

	return s->less(s->values + (size_t)a * s->nbytes, s->values + (size_t)b * s->nbytes,
		       &nbytes);
}

/* The sorted numbers from[0, half) and from[half, n), to @to. */
static void sort_merge(const struct sort *s, const int *from, int half, int n, int *to)
{
	int i = 0, j = half;

	while (i < half || j < n) {
		bool second = i == half || (j < n && is_less(s, from[j], from[i]));

		*to++ = from[second ? j++ : i++];
	}
}

/* Numbers of values: @order is sorted, whatever @less says; @room has as many. */
static void sort_numbers(const struct sort *s, int *order, int n, int *room)
{
	int half = n / 2;

	if (n < 2)
		return;
	sort_numbers(s, order, half, room);
	sort_numbers(s, order + half, n - half, room);
	sort_merge(s, order, half, n, room);
	memcpy(order, room, n * sizeof(*order));
}

static void pick(struct sort *s, const char *call, const char *site, void *dst)
{
	int *order = malloc(2 * bspi.nprocs * sizeof(*order));

	if (!order)
		bspi_fail_memory(call, site);
	for (int i = 0; i < bspi.nprocs; i++)
		order[i] = i;
	sort_numbers(s, order, bspi.nprocs, order + bspi.nprocs);
	memcpy(dst, s->values + (size_t)order[bspi.me] * s->nbytes, s->nbytes);
	free(order);
}

void bspi_coll_sort(const char *call, const char *site, bspi_less_fn *less, const void *src,
		    void *dst, size_t nbytes)
{
	struct sort s = { .less = less, .nbytes = nbytes };
	struct bspi_coll c = {
		.call = call, .site = site, .kind = GOAL_ALLGATHER, .src = src, .count = nbytes,
	};

	bspi_require_running(call, site);
	if (!less)
		bspi_fail(call, site, "the comparison is NULL");
	if (nbytes > INT32_MAX)
		bspi_fail(call, site, "size %zd is negative or more than an int can say",
			  (ssize_t)nbytes);
	if (!dst && nbytes)
		bspi_fail(call, site, "the destination is NULL");
	s.values = malloc(bspi.nprocs * nbytes + 1);
	if (!s.values)
		bspi_fail_memory(call, site);
	c.dst = s.values;
	bspi_enter();
	bspi_coll_do(&c);
	bspi_leave();
	if (nbytes)
		pick(&s, call, site, dst);
	free(s.values);
}
