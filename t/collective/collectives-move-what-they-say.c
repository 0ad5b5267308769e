/* SPDX-License-Identifier: BSD-3-Clause */
/* Every block arrives where it belongs, by every algorithm, from and to every root. */
#include "../lib/collective.h"

static const size_t sizes[] = { 0, 1, 8, 4099, 65536 };

enum { LARGE = (1 << 20) + 5 };

static int root;

static void copies(size_t bytes)
{
	char *src = memory(bytes), *dst = memory(bytes);

	fill(src, bytes, number(1, root, 0));
	bsp_bcast(root, me() == root ? src : NULL, dst, bytes);
	none_wrong(wrong(dst, bytes, number(1, root, 0)), "bsp_bcast", bytes, root);
	none_wrong(wrong(src, bytes, number(1, root, 0)), "source of bsp_bcast", bytes, root);
	free(src);
	free(dst);
}

static void deals_out(size_t bytes)
{
	char *all = memory(bytes * (size_t)procs()), *one = memory(bytes);

	fill_blocks(all, bytes, 2, root, procs());
	bsp_scatter(root, me() == root ? all : NULL, one, bytes);
	none_wrong(wrong(one, bytes, number(2, root, me())), "bsp_scatter", bytes, root);
	free(all);
	free(one);
}

/* Counts wrong bytes in the blocks of all processes: for this one, or each one's own. */
static long wrong_blocks(const char *all, size_t bytes, int turn, bool for_us)
{
	long n = 0;

	for (int p = 0; p < procs(); p++)
		n += wrong(all + (size_t)p * bytes, bytes, number(turn, p, for_us ? me() : 0));
	return n;
}

static void collects(size_t bytes)
{
	char *all = memory(bytes * (size_t)procs()), *one = memory(bytes);

	fill(one, bytes, number(3, me(), 0));
	bsp_gather(root, one, me() == root ? all : NULL, bytes);
	if (me() == root)
		none_wrong(wrong_blocks(all, bytes, 3, false), "bsp_gather", bytes, root);
	free(all);
	free(one);
}

static void collects_at_all(size_t bytes)
{
	char *all = memory(bytes * (size_t)procs()), *one = memory(bytes);

	fill(one, bytes, number(4, me(), 0));
	bsp_allgather(one, all, bytes);
	none_wrong(wrong_blocks(all, bytes, 4, false), "bsp_allgather", bytes, -1);
	free(all);
	free(one);
}

static void exchanges(size_t bytes)
{
	char *src = memory(bytes * (size_t)procs()), *dst = memory(bytes * (size_t)procs());

	fill_blocks(src, bytes, 5, me(), procs());
	bsp_exchange(src, dst, bytes);
	none_wrong(wrong_blocks(dst, bytes, 5, true), "bsp_exchange", bytes, -1);
	free(src);
	free(dst);
}

static void all_sizes(void)
{
	enter();
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		for (root = 0; root < procs(); root += 1 + procs() / 4) {
			copies(sizes[i]);
			deals_out(sizes[i]);
			collects(sizes[i]);
		}
		collects_at_all(sizes[i]);
		exchanges(sizes[i]);
	}
	bsp_end();
}

static void large(void)
{
	enter();
	root = procs() - 1;
	copies(LARGE);
	deals_out(LARGE);
	collects(LARGE);
	collects_at_all(LARGE);
	exchanges(LARGE);
	bsp_end();
}

int main(void)
{
	for (int i = 0; i < TURNS; i++) {
		force_algorithms(i);
		for (int n = 1; n <= 9; n += SANITIZED || job_networked() ? 4 : 1)
			lives_ok(all_sizes, n, "%d processes, algorithms %d", n, i);
		lives_ok(large, 3, "3 processes, algorithms %d, large", i);
	}
	unsetenv("BSP_COLL");
	lives_ok(all_sizes, 0, "algorithms as the models have it");
	return done_testing();
}
