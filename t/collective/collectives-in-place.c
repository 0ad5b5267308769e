/* SPDX-License-Identifier: BSD-3-Clause */
/* A process's own block may be in place already, on some processes and not on others. */
#include "../lib/collective.h"

enum { BYTES = 3000 };

static char all[16 * BYTES], other[16 * BYTES];
static int root;

static char *block(int p)
{
	return all + (size_t)p * BYTES;
}

static long wrong_blocks(int turn, bool for_us)
{
	long n = 0;

	for (int p = 0; p < procs(); p++)
		n += wrong(block(p), BYTES, number(turn, p, for_us ? me() : 0));
	return n;
}

/* On process 0 in place if it can be, and on the others in the i-th bit of @who. */
static bool in_place(int who)
{
	return who >> me() & 1;
}

static void data(int who)
{
	fill(all, BYTES, number(1, root, 0));
	bsp_bcast(root, all, in_place(who) ? all : other, BYTES);
	none_wrong(wrong(in_place(who) ? all : other, BYTES, number(1, root, 0)), "bsp_bcast",
		   BYTES, root);
	fill_blocks(all, BYTES, 2, root, procs());
	bsp_scatter(root, all, me() == root && in_place(who) ? block(me()) : other, BYTES);
	none_wrong(wrong(me() == root && in_place(who) ? block(me()) : other, BYTES,
			 number(2, root, me())), "bsp_scatter", BYTES, root);
	none_wrong(me() == root ? wrong(block(procs() - 1), BYTES, number(2, root, procs() - 1)) :
				  0,
		   "source of bsp_scatter", BYTES, root);
	fill(in_place(who) ? block(me()) : other, BYTES, number(3, me(), 0));
	bsp_gather(root, in_place(who) ? block(me()) : other, all, BYTES);
	none_wrong(me() == root ? wrong_blocks(3, false) : 0, "bsp_gather", BYTES, root);
	fill(in_place(who) ? block(me()) : other, BYTES, number(4, me(), 0));
	bsp_allgather(in_place(who) ? block(me()) : other, all, BYTES);
	none_wrong(wrong_blocks(4, false), "bsp_allgather", BYTES, root);
	fill_blocks(in_place(who) ? all : other, BYTES, 5, me(), procs());
	bsp_exchange(in_place(who) ? all : other, all, BYTES);
	none_wrong(wrong_blocks(5, true), "bsp_exchange", BYTES, root);
}

static void folds(int who)
{
	const struct element *e = &elements[2];
	size_t n = BYTES / 4;
	char *src = in_place(who) ? all : other;
	void *of_all = folded(BSP_SUM, e, procs() - 1, n), *of_some = folded(BSP_SUM, e, me(), n);

	put_numbers(src, e, me(), n);
	bsp_reduce(root, BSP_SUM, BSP_INT, src, all, n);
	none_wrong(me() == root ? different(e, of_all, all, n) : 0, "bsp_reduce", BYTES, root);
	put_numbers(src, e, me(), n);
	bsp_allreduce(BSP_SUM, BSP_INT, src, all, n);
	none_wrong(different(e, of_all, all, n), "bsp_allreduce", BYTES, root);
	put_numbers(src, e, me(), n);
	bsp_prefix(BSP_SUM, BSP_INT, src, all, n);
	none_wrong(different(e, of_some, all, n), "bsp_prefix", BYTES, root);
	free(of_all);
	free(of_some);
}

static void body(void)
{
	enter();
	for (root = 0; root < procs(); root++)
		for (int who = 0; who < 8; who++) {
			data(who);
			folds(who);
		}
	ok(true, "all is where it belongs");
	bsp_end();
}

int main(void)
{
	for (int i = 0; i < TURNS; i++) {
		force_algorithms(i);
		for (int n = 1; n <= 5; n += job_networked() ? 4 : 2)
			lives_ok(body, n, "%d processes, algorithms %d", n, i);
	}
	return done_testing();
}
