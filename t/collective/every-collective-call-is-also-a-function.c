/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of bsp_coll.h can be called and pointed at without their macros. */
#include "../lib/collective.h"

static void second(void *result, void *left, void *right, int *nbytes)
{
	(void)left;
	memcpy(result, right, (size_t)*nbytes);
}

static void data(void)
{
	void (*bcast)(int, const void *, void *, size_t) = &bsp_bcast;
	int x = me() + 1, all[16], some[16];

	bcast(0, &x, all, sizeof x);
	is_int(1, all[0], "bsp_bcast");
	(bsp_allgather)(&x, all, sizeof x);
	is_int(procs(), all[procs() - 1], "bsp_allgather");
	(bsp_scatter)(0, all, some, sizeof x);
	is_int(me() + 1, some[0], "bsp_scatter");
	(bsp_exchange)(all, some, sizeof x);
	is_int(me() + 1, some[procs() - 1], "bsp_exchange");
	memset(all, 0, sizeof all);
	(bsp_gather)(0, &x, all, sizeof x);
	is_int(me() ? 0 : procs(), all[procs() - 1], "bsp_gather");
}

static void folds(void)
{
	int x = me() + 1, y = 0, p = procs();

	(bsp_reduce)(0, BSP_SUM, BSP_INT, &x, &y, 1);
	is_int(me() ? 0 : p * (p + 1) / 2, y, "bsp_reduce");
	(bsp_allreduce)(BSP_MAX, BSP_INT, &x, &y, 1);
	is_int(p, y, "bsp_allreduce");
	(bsp_prefix)(BSP_SUM, BSP_INT, &x, &y, 1);
	is_int(x * (x + 1) / 2, y, "bsp_prefix");
	(bsp_fold)(second, &x, &y, sizeof x);
	is_int(p, y, "bsp_fold");
	(bsp_scan)(second, &x, &y, sizeof x);
	is_int(x, y, "bsp_scan");
}

/* Process p has p + 1 numbers p for all, and p + 1 are for process p. */
static void lengths(void)
{
	int mine[16], all[256], some[256], p = procs(), n = p * (p + 1) / 2;
	size_t sizes[16], counts[16], own, each[16];

	for (int q = 0; q < p; q++) {
		mine[q] = me();
		counts[q] = (size_t)q + 1;
		sizes[q] = counts[q] * sizeof *mine;
	}
	own = sizes[me()];
	for (int q = 0; q < p; q++)
		each[q] = own;
	(bsp_allgatherv)(mine, own, all, sizes, NULL);
	is_int(p - 1, all[n - 1], "bsp_allgatherv");
	(bsp_scatterv)(0, all, sizes, NULL, some, own);
	is_int(me(), some[me()], "bsp_scatterv");
	memset(all, 0, sizeof all);
	(bsp_gatherv)(0, mine, own, all, sizes, NULL);
	is_int(me() ? 0 : p - 1, all[n - 1], "bsp_gatherv");
	for (int i = 0; i < n; i++)
		some[i] = 100 + me();
	(bsp_exchangev)(some, sizes, NULL, all, each, NULL);
	is_int(100 + p - 1, all[p * (me() + 1) - 1], "bsp_exchangev");
	for (int i = 0; i < n; i++)
		all[i] = 1;
	(bsp_neighbor_exchange)(1, mine, some, all, sizeof *all);
	is_int(100 + me(), all[0], "bsp_neighbor_exchange");
	all[0] = 1;
	(bsp_reduce_scatter)(BSP_SUM, BSP_INT, all, some, counts);
	is_int(p, some[me()], "bsp_reduce_scatter");
}

static void lengths_in_flight(void)
{
	int mine = me(), all[16], scattered = -1, blocks[16], out[16], ones[16], sum = 0, n = 0;
	size_t sizes[16], counts[16];
	bsp_request r[5];

	for (int q = 0; q < procs(); q++) {
		sizes[q] = sizeof mine;
		counts[q] = 1;
		ones[q] = q;
		out[q] = 100 * mine + q;
	}
	r[n++] = (bsp_igatherv)(0, &mine, sizeof mine, blocks, sizes, NULL);
	r[n++] = (bsp_iscatterv)(0, ones, sizes, NULL, &scattered, sizeof mine);
	r[n++] = (bsp_iallgatherv)(&mine, sizeof mine, all, sizes, NULL);
	r[n++] = (bsp_ireduce_scatter)(BSP_SUM, BSP_INT, ones, &sum, counts);
	while (n)
		bsp_wait(&r[--n]);
	ok(me() || blocks[procs() - 1] == procs() - 1, "bsp_igatherv");
	is_int(mine, scattered, "bsp_iscatterv");
	is_int(procs() - 1, all[procs() - 1], "bsp_iallgatherv");
	is_int(procs() * mine, sum, "bsp_ireduce_scatter");
	all[0] = mine;
	r[0] = (bsp_ineighbor_exchange)(1, &mine, out, all, sizeof mine);
	bsp_wait(&r[0]);
	is_int(100 * mine, all[0], "bsp_ineighbor_exchange");
	r[0] = (bsp_iexchangev)(out, sizes, NULL, blocks, sizes, NULL);
	bsp_wait(&r[0]);
	is_int(100 * (procs() - 1) + mine, blocks[procs() - 1], "bsp_iexchangev");
}

/* The same, by starting all and waiting for all. */
static void in_flight(void)
{
	int x = me() + 1, p = procs(), mine = 7, n = 0;
	int all[16], blocks[16], bcast = 0, scatter = 0, gather[16], reduce = 0, most, prefix, fold,
				 scan;
	bsp_request r[10];

	for (int q = 0; q < p; q++)
		blocks[q] = 100 * q + mine;
	r[n++] = (bsp_ibcast)(0, &x, &bcast, sizeof x);
	r[n++] = (bsp_iscatter)(0, blocks, &scatter, sizeof x);
	r[n++] = (bsp_igather)(0, &x, gather, sizeof x);
	r[n++] = (bsp_iallgather)(&x, all, sizeof x);
	r[n++] = (bsp_ireduce)(0, BSP_SUM, BSP_INT, &x, &reduce, 1);
	r[n++] = (bsp_iallreduce)(BSP_MAX, BSP_INT, &x, &most, 1);
	r[n++] = (bsp_iprefix)(BSP_SUM, BSP_INT, &x, &prefix, 1);
	r[n++] = (bsp_ifold)(second, &x, &fold, sizeof x);
	r[n++] = (bsp_iscan)(second, &x, &scan, sizeof x);
	while (n > 1)
		(bsp_wait)(&r[--n]);
	while (!(bsp_test)(&r[0]))
		continue;
	is_int(1, bcast, "bsp_ibcast");
	is_int(100 * me() + mine, scatter, "bsp_iscatter");
	ok(me() || gather[p - 1] == p, "bsp_igather");
	is_int(p, all[p - 1], "bsp_iallgather");
	is_int(me() ? 0 : p * (p + 1) / 2, reduce, "bsp_ireduce");
	is_int(p, most, "bsp_iallreduce");
	is_int(x * (x + 1) / 2, prefix, "bsp_iprefix");
	is_int(p, fold, "bsp_ifold");
	is_int(x, scan, "bsp_iscan");
	r[0] = (bsp_iexchange)(blocks, all, sizeof x);
	bsp_wait(&r[0]);
	is_int(100 * me() + mine, all[p - 1], "bsp_iexchange");
}

static void numbers(void)
{
	int p = procs();

	is_int(1, (bsp_all)(1), "bsp_all");
	is_int(p > 1, (bsp_any)(me() == 1), "bsp_any");
	is_int(p == 1, (bsp_constantI)(me()), "bsp_constantI");
	is_int(p, (bsp_sumI)(1), "bsp_sumI");
	is_near(p, (bsp_sumR)(1), 0, "bsp_sumR");
	is_near(p, (bsp_sumD)(1), 0, "bsp_sumD");
	is_int(me() + 1, (bsp_sumI_prefix)(1), "bsp_sumI_prefix");
}

static void body(void)
{
	enter();
	data();
	folds();
	in_flight();
	lengths();
	lengths_in_flight();
	numbers();
	bsp_end();
}

int main(void)
{
	lives_ok(body, 3, "three processes");
	lives_ok(body, 1, "one process");
	return done_testing();
}
