/* SPDX-License-Identifier: BSD-3-Clause */
/* With a length for each process every block arrives where it belongs, by every algorithm, from and
 * to every root, with gaps and without, and no byte between blocks is touched. */
#include "../lib/collective.h"

enum { GAP = 5, UNTOUCHED = 0xa5 };

static const size_t some_sizes[] = { 3, 0, 1, 4099, 8, 0, 70000, 17, 256 };

static int root, spread, turn;

/* Bytes that process p has for process q in this turn. */
static size_t size_of(int p, int q)
{
	return some_sizes[(size_t)(p + 3 * q + turn) % 9];
}

struct area {
	char *at;
	size_t sizes[16], offsets[16], bytes;
};

static const size_t *offsets_of(const struct area *a)
{
	return spread ? a->offsets : NULL;
}

/* Blocks of @sizes; spread ones in reverse order with gaps. */
static void lay_out(struct area *a)
{
	size_t end = 0;

	for (int i = 0; i < procs(); i++) {
		int q = spread ? procs() - 1 - i : i;

		a->offsets[q] = end;
		end += a->sizes[q] + (spread ? GAP : 0);
	}
	a->bytes = end;
	a->at = memory(end);
}

/* Bytes between blocks are as memory() left them. */
static long wrong_gaps(const struct area *a)
{
	long n = 0;

	for (int q = 0; spread && q < procs(); q++)
		for (size_t i = 0; i < GAP; i++)
			n += (unsigned char)a->at[a->offsets[q] + a->sizes[q] + i] != UNTOUCHED;
	return n;
}

/* The block of each process in @a, where it is the one for @q; -1: for us. */
static long wrong_blocks(const struct area *a, int q)
{
	long n = wrong_gaps(a);

	for (int p = 0; p < procs(); p++)
		n += wrong(a->at + a->offsets[p], a->sizes[p],
			   number(turn, p, q < 0 ? me() : q));
	return n;
}

static void fill_for_all(const struct area *a, int p)
{
	for (int q = 0; q < procs(); q++)
		fill(a->at + a->offsets[q], a->sizes[q], number(turn, p, q));
}

static void collects(void)
{
	size_t mine = size_of(me(), 0);
	struct area all = { .at = NULL };
	char *src = memory(mine);

	for (int p = 0; p < procs(); p++)
		all.sizes[p] = size_of(p, 0);
	lay_out(&all);
	fill(src, mine, number(turn, me(), 0));
	if (me() == root)
		bsp_gatherv(root, src, mine, all.at, all.sizes, offsets_of(&all));
	else
		bsp_gatherv(root, src, mine, NULL, NULL, NULL);
	if (me() == root)
		none_wrong(wrong_blocks(&all, 0), "bsp_gatherv", mine, root);
	memset(all.at, UNTOUCHED, all.bytes);
	bsp_allgatherv(src, mine, all.at, all.sizes, offsets_of(&all));
	none_wrong(wrong_blocks(&all, 0), "bsp_allgatherv", mine, root);
	free(all.at);
	free(src);
}

static void deals_out(void)
{
	size_t mine = size_of(root, me());
	struct area all = { .at = NULL };
	char *dst = memory(mine);

	for (int q = 0; q < procs(); q++)
		all.sizes[q] = size_of(root, q);
	lay_out(&all);
	fill_for_all(&all, root);
	if (me() == root)
		bsp_scatterv(root, all.at, all.sizes, offsets_of(&all), dst, mine);
	else
		bsp_scatterv(root, NULL, NULL, NULL, dst, mine);
	none_wrong(wrong(dst, mine, number(turn, root, me())), "bsp_scatterv", mine, root);
	free(all.at);
	free(dst);
}

static void exchanges(void)
{
	struct area out = { .at = NULL }, in = { .at = NULL };

	for (int q = 0; q < procs(); q++) {
		out.sizes[q] = size_of(me(), q);
		in.sizes[q] = size_of(q, me());
	}
	lay_out(&out);
	lay_out(&in);
	fill_for_all(&out, me());
	bsp_exchangev(out.at, out.sizes, offsets_of(&out), in.at, in.sizes, offsets_of(&in));
	none_wrong(wrong_blocks(&in, -1), "bsp_exchangev", in.bytes, -1);
	free(out.at);
	free(in.at);
}

/* ---- In place ------------------------------------------------------------------------- */

static void in_place(void)
{
	struct area all = { .at = NULL };
	size_t mine = size_of(me(), 0);
	char *own = memory(mine);

	for (int p = 0; p < procs(); p++)
		all.sizes[p] = size_of(p, 0);
	lay_out(&all);
	fill(all.at + all.offsets[me()], mine, number(turn, me(), 0));
	bsp_allgatherv(all.at + all.offsets[me()], mine, all.at, all.sizes, offsets_of(&all));
	none_wrong(wrong_blocks(&all, 0), "bsp_allgatherv in place", mine, -1);
	fill(own, mine, number(turn, me(), 0));
	bsp_gatherv(root, me() == root ? all.at + all.offsets[me()] : own, mine, all.at, all.sizes,
		    offsets_of(&all));
	none_wrong(wrong_blocks(&all, 0), "bsp_gatherv in place", mine, root);
	for (int q = 0; q < procs(); q++)
		all.sizes[q] = 40 + (size_t)((q + me()) % 3);
	free(own);
	free(all.at);
	lay_out(&all);
	fill_for_all(&all, me());
	bsp_exchangev(all.at, all.sizes, offsets_of(&all), all.at, all.sizes, offsets_of(&all));
	none_wrong(wrong_blocks(&all, -1), "bsp_exchangev in place", all.bytes, -1);
	free(all.at);
}

/* ---- Folds ------------------------------------------------------------------------------- */

static size_t count_of(int q)
{
	return some_sizes[(size_t)(q + turn) % 9] % 60;
}

/* In place the result replaces our block of the source. */
static void folds_and_deals_out(const struct element *e, int op, bool is_in_place)
{
	size_t counts[16], n = 0, before = 0, mine = count_of(me());
	char *src, *dst, *all;

	for (int q = 0; q < procs(); q++) {
		counts[q] = count_of(q);
		before += q < me() ? counts[q] : 0;
		n += counts[q];
	}
	src = memory(n * e->bytes);
	dst = is_in_place ? src + before * e->bytes : (char *)memory(mine * e->bytes);
	put_numbers(src, e, me(), n);
	bsp_reduce_scatter(op, e->type, src, dst, counts);
	all = folded(op, e, procs() - 1, n);
	none_wrong(different(e, all + before * e->bytes, dst, mine), "bsp_reduce_scatter", mine,
		   op);
	free(all);
	if (!is_in_place)
		free(dst);
	free(src);
}

static void all_folds(void)
{
	for (int i = 0; i < NTYPES; i++)
		for (int k = 0; k < NOPERATORS; k++)
			if (is_for(operators[k], &elements[i]))
				folds_and_deals_out(&elements[i], operators[k], (i + k) % 2);
}

/* ---- All of it ------------------------------------------------------------------------------ */

static void body(void)
{
	enter();
	for (turn = 0; turn < 5; turn++) {
		for (spread = 0; spread < 2; spread++) {
			root = (turn * 2 + spread) % procs();
			collects();
			deals_out();
			exchanges();
			in_place();
		}
	}
	all_folds();
	bsp_end();
}

/* Nothing but empty blocks, and areas that are not there. */
static void nothing_at_all(void)
{
	size_t none[16] = { 0 }, far[16];

	enter();
	memset(far, 0xff, sizeof far);
	bsp_gatherv(0, NULL, 0, NULL, none, far);
	bsp_scatterv(0, NULL, none, far, NULL, 0);
	bsp_allgatherv(NULL, 0, NULL, none, NULL);
	bsp_exchangev(NULL, none, NULL, NULL, none, far);
	bsp_reduce_scatter(BSP_SUM, BSP_DOUBLE, NULL, NULL, none);
	bsp_end();
}

int main(void)
{
	static const char *const forced[] = {
		"gather:linear,allgather:ring,exchange:direct,reduce-scatter:halving",
		"allgather:bruck,exchange:pairwise,reduce-scatter:direct-rotated",
		"allgather:recursive-doubling,exchange:direct-rotated",
		"allgather:multicast",
		"allgather:bruck+nodes,reduce-scatter:direct-rotated+nodes",
		"allgather:ring+nodes,reduce-scatter:halving+nodes",
	};

	for (int i = 0; i < 6; i++) {
		setenv("BSP_COLL", forced[i], 1);
		/* one that is for powers of two gives a notice, and another one is taken */
		for (int n = 1; n <= 9; n += job_networked() || n == 5 ? 3 : 1)
			lives_ok(body, n, "%d processes, algorithms %d", n, i);
	}
	unsetenv("BSP_COLL");
	lives_ok(body, 0, "algorithms as the models have it");
	lives_ok(nothing_at_all, 3, "three processes without a byte");
	lives_ok(nothing_at_all, 1, "one process without a byte");
	return done_testing();
}
