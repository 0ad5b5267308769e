#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs for the interface of 1993 compile without a warning and run as they are.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/network.sh"

# In the C of its time: global arrays, no prototypes of its own, one process for each processor.
cat >heat.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "bsp.h"

#define N 12
#define LEFT 0
#define RIGHT 1

double rod[N + 2], next[N + 2], halo[2], tolerance;
int p, me;

void maxdouble(res, left, right, nbytes)
void *res, *left, *right;
int nbytes;
{
	double *r = (double *)res, *a = (double *)left, *b = (double *)right;
	int i;

	for (i = 0; i < nbytes / (int)sizeof(double); i++)
		r[i] = a[i] > b[i] ? a[i] : b[i];
}

void addints(void *res, void *left, void *right, int n)
{
	int i;

	for (i = 0; i < n / (int)sizeof(int); i++)
		((int *)res)[i] = ((int *)left)[i] + ((int *)right)[i];
}

int main(int argc, char **argv)
{
	int i, step, cells, counts[2], sums[2];
	double change, most = 0.0;

	bspstart(argc, argv, 0, &p, &me);
	tolerance = me == 0 ? atof(argv[1]) : -1.0;
	bspbroadcast(0, &tolerance, &tolerance, sizeof(double));
	if (me == 0) halo[LEFT] = 100.0;
	for (step = 0; step < 2000; step++) {
		rod[0] = halo[LEFT];
		rod[N + 1] = halo[RIGHT];
		change = 0.0;
		for (i = 1; i <= N; i++) {
			next[i] = 0.5 * (rod[i - 1] + rod[i + 1]);
			if (next[i] - rod[i] > change) change = next[i] - rod[i];
		}
		for (i = 1; i <= N; i++) rod[i] = next[i];
		bspsstep(step);
		if (me > 0) bspstore(me - 1, &rod[1], &halo[RIGHT], sizeof(double));
		if (me < p - 1) bspstore(me + 1, &rod[N], &halo[LEFT], sizeof(double));
		bspsstep_end(step);
		bspreduce(maxdouble, &change, &most, sizeof(double));
		if (most < tolerance) break;
	}
	for (cells = 0, i = 1; i <= N; i++) cells += rod[i] > 50.0;
	counts[0] = cells; counts[1] = 1;
	bspreduce(addints, counts, sums, sizeof(sums));
	bspsstep(step);
	bspfetch((me + 1) % p, &rod[1], &change, sizeof(double));
	bspsstep_end(step);
	if (me == 0) {
		printf("%d of %d cells above 50 on %d processes, time %s\n", sums[0], N * p, sums[1],
		       bsptime() > 0.0 && bspdtime() > 0.0 ? "passes" : "stands");
		printf("the neighbour begins with %s\n", p == 1 || change < rod[N] ? "less" : "more");
	}
	bspfinish();
	return 0;
}
END
for std in gnu89 gnu17; do
	bspcc -std=$std -Wall -Werror -o heat heat.c 2>errors
	ok $? "compiles as $std without a warning" || diag "$(cat errors)"
	for transport in shm $network; do
		is "18 of 36 cells above 50 on 3 processes, time passes
the neighbour begins with less" "$(runs -n 3 --transport $transport ./heat 1e-9)" \
	"runs over $transport"
	done
done
is "6 of 12 cells above 50 on 1 processes, time passes
the neighbour begins with less" "$(runs -n 1 ./heat 1e-9)" "runs on one process"

# The operator of bsp_fold is another one: to mistake it is an error of the compiler in C++, a
# warning in C.
cat >wrong.cc <<'END'
#include <bsp.h>
void add(void *, void *, void *, int *);
void f(int *x) { bspreduce(add, x, x, 4); }
END
! bspcxx -c wrong.cc 2>/dev/null
ok $? "an operator of bsp_fold is refused"

done_testing
