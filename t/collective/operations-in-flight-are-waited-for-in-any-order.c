/* SPDX-License-Identifier: BSD-3-Clause */
/* Fifty operations of all kinds are under way at once, and are tested and waited for in any
 * order. */
#include "../lib/requests.h"

enum { MANY = 50, ROUNDS = 6, MOST = 6000, KINDS_OF_CALLS = 10 };

struct flying {
	bsp_request r;
	int kind, root, turn;
	size_t bytes;
	char *src, *dst;
};

static struct flying runs[MANY];
static uint64_t common, own;

/* Associative, but not commutative. */
static void second(void *result, void *left, void *right, int *nbytes)
{
	(void)left;
	memcpy(result, right, (size_t)*nbytes);
}

static bsp_request started(const struct flying *f)
{
	switch (f->kind) {
	case 0: return bsp_ibcast(f->root, f->src, f->dst, f->bytes);
	case 1: return bsp_iscatter(f->root, f->src, f->dst, f->bytes);
	case 2: return bsp_igather(f->root, f->src, f->dst, f->bytes);
	case 3: return bsp_iallgather(f->src, f->dst, f->bytes);
	case 4: return bsp_iexchange(f->src, f->dst, f->bytes);
	case 5: return bsp_ireduce(f->root, BSP_SUM, BSP_UINT8, f->src, f->dst, f->bytes);
	case 6: return bsp_iallreduce(BSP_XOR, BSP_UINT8, f->src, f->dst, f->bytes);
	case 7: return bsp_iprefix(BSP_MAX, BSP_UINT8, f->src, f->dst, f->bytes);
	case 8: return bsp_ifold(second, f->src, f->dst, f->bytes);
	default: return bsp_iscan(second, f->src, f->dst, f->bytes);
	}
}

/* The first block of each process, folded from 0 to @last. */
static long wrong_fold(const struct flying *f, int last)
{
	long wrong = 0;

	for (size_t i = 0; i < f->bytes; i++) {
		unsigned char x = pattern(number(f->turn, 0, 0), i);

		for (int p = 1; p <= last; p++) {
			unsigned char y = pattern(number(f->turn, p, 0), i);

			x = f->kind == 5 ? (unsigned char)(x + y) :
			    f->kind == 6 ? x ^ y :
			    x > y	 ? x :
					   y;
		}
		wrong += x != (unsigned char)f->dst[i];
	}
	return wrong;
}

static long wrong_blocks(const struct flying *f, int block)
{
	long n = 0;

	for (int p = 0; p < procs(); p++)
		n += wrong(f->dst + (size_t)p * f->bytes, f->bytes, number(f->turn, p, block));
	return n;
}

static long wrong_result(const struct flying *f)
{
	bool root = f->root == me();

	switch (f->kind) {
	case 0: return wrong(f->dst, f->bytes, number(f->turn, f->root, 0));
	case 1: return wrong(f->dst, f->bytes, number(f->turn, f->root, me()));
	case 2: return root ? wrong_blocks(f, 0) : 0;
	case 3: return wrong_blocks(f, 0);
	case 4: return wrong_blocks(f, me());
	case 5: return root ? wrong_fold(f, procs() - 1) : 0;
	case 6: return wrong_fold(f, procs() - 1);
	case 7: return wrong_fold(f, me());
	case 8: return wrong(f->dst, f->bytes, number(f->turn, procs() - 1, 0));
	default: return wrong(f->dst, f->bytes, number(f->turn, me(), 0));
	}
}

static void start(struct flying *f, int turn)
{
	f->turn = turn;
	f->kind = (int)random_below(&common, KINDS_OF_CALLS);
	f->root = (int)random_below(&common, (uint32_t)procs());
	f->bytes = random_below(&common, random_below(&common, 8) ? 64 : MOST);
	f->src = memory(f->bytes * (size_t)procs());
	f->dst = memory(f->bytes * (size_t)procs());
	fill_blocks(f->src, f->bytes, turn, me(), procs());
	f->r = started(f);
}

static void finish(int i)
{
	struct flying *f = &runs[i];
	bsp_request none = BSP_NO_REQUEST;

	test_and_wait(&f->r, &own);
	none_wrong(f->r != none || !bsp_test(&f->r), "what has been waited for", f->bytes, f->kind);
	none_wrong(wrong_result(f), "a call", f->bytes, f->kind);
	free(f->src);
	free(f->dst);
}

static void body(void)
{
	enter();
	common = 4711;
	own = (uint32_t)me() * 77 + 5;
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < MANY; i++)
			start(&runs[i], round * MANY + i);
		in_any_order(MANY, &own, finish);
	}
	bsp_end();
}

static void with_thread(void)
{
	setenv("BSP_PROGRESS", "thread", 1);
	body();
}

int main(void)
{
	for (int n = 1; n <= 9; n += job_networked() ? 4 : 2)
		lives_ok(body, n, "%d processes", n);
	lives_ok(body, 2, "two processes");
	lives_ok(with_thread, 3, "with a thread for progress");
	return done_testing();
}
