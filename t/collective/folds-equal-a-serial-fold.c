/* SPDX-License-Identifier: BSD-3-Clause */
/* Every operator on every type gives what one process would compute, by every algorithm. */
#include "../lib/collective.h"

static const char *text(const char *call, int op, const struct element *e)
{
	static char t[60];

	snprintf(t, sizeof t, "%s, operator %x, type %x", call, (unsigned int)op,
		 (unsigned int)e->type);
	return t;
}

static void one_fold(int op, const struct element *e, size_t n, int root)
{
	char *src = memory(n * e->bytes), *dst = memory(n * e->bytes);
	char *all = folded(op, e, procs() - 1, n), *some = folded(op, e, me(), n);

	put_numbers(src, e, me(), n);
	bsp_reduce(root, op, e->type, src, me() == root ? dst : NULL, n);
	if (me() == root)
		none_wrong(different(e, all, dst, n), text("bsp_reduce", op, e), n, root);
	memset(dst, 0x5a, n * e->bytes);
	bsp_allreduce(op, e->type, src, dst, n);
	none_wrong(different(e, all, dst, n), text("bsp_allreduce", op, e), n, -1);
	memset(dst, 0x5a, n * e->bytes);
	bsp_prefix(op, e->type, src, dst, n);
	none_wrong(different(e, some, dst, n), text("bsp_prefix", op, e), n, -1);
	free(all);
	free(some);
	free(src);
	free(dst);
}

static void all_folds(void)
{
	enter();
	for (int i = 0; i < NOPERATORS * NTYPES; i++) {
		int op = operators[i / NTYPES];
		const struct element *e = &elements[i % NTYPES];

		if (is_for(op, e))
			one_fold(op, e, (size_t)(i % 4 ? i : 0) * 11 + 1, i % procs());
	}
	one_fold(BSP_SUM, &elements[0], 0, 0);
	one_fold(BSP_SUM, &elements[9], 8192, procs() - 1);
	one_fold(BSP_MAX, &elements[4], 4099, procs() / 2);
	bsp_end();
}

static void large(void)
{
	enter();
	one_fold(BSP_SUM, &elements[9], 131072, 1);
	one_fold(BSP_XOR, &elements[4], (1 << 20) + 3, 1);
	bsp_end();
}

/* Floating point: the same bits on all processes, though the sum depends on the order. */
static void same_everywhere(void)
{
	double x[3], all[3], of_root[3];

	enter();
	for (int i = 0; i < 3; i++)
		x[i] = 1.0 / (1 + me() * 3 + i);
	bsp_allreduce(BSP_SUM, BSP_DOUBLE, x, all, 3);
	memcpy(of_root, all, sizeof all);
	bsp_bcast(0, of_root, of_root, sizeof of_root);
	is_blob(of_root, all, sizeof all, "all have the sum of process 0");
	bsp_end();
}

int main(void)
{
	for (int i = 0; i < 4; i++) {
		force_algorithms(i);
		for (int n = 1; n <= 9; n += SANITIZED || job_networked() ? 4 : 1) {
			lives_ok(all_folds, n, "%d processes, algorithms %d", n, i);
			lives_ok(same_everywhere, n, "%d processes, algorithms %d, the same", n, i);
		}
		lives_ok(large, 3, "3 processes, algorithms %d, large", i);
	}
	unsetenv("BSP_COLL");
	lives_ok(all_folds, 0, "algorithms as the models have it");
	return done_testing();
}
