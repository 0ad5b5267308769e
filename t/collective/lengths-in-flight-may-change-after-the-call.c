/* SPDX-License-Identifier: BSD-3-Clause */
/* Forty operations with a length for each process are in flight at once, their arrays are
 * overwritten after each call, and they are waited for in any order, in relaxed supersteps too. */
#include "../lib/requests.h"

enum { MANY = 40, ROUNDS = 4, MOST = 3000, KINDS_OF_CALLS = 5 };

struct flying {
	bsp_request r;
	int kind, root, turn;
	char *src, *dst;
};

static struct flying flying[MANY];
static uint64_t common, own;

/* Bytes that process p has for process q in a turn; for gathers q is 0. */
static size_t size_of(const struct flying *f, int p, int q)
{
	return pattern((uint32_t)(f->turn * 64 + p), (size_t)q) % 4 ?
		       pattern((uint32_t)f->turn, (size_t)(p * 16 + q)) % 64 :
		       (size_t)(p * 977 + q * 131 + f->turn * 7) % MOST;
}

/* Arrays that are gone when the call has returned. */
static bsp_request started(const struct flying *f, size_t *in, size_t *out)
{
	int p = procs();
	size_t mine = size_of(f, me(), 0);
	bsp_request r;

	for (int q = 0; q < p; q++) {
		in[q] = f->kind == 3 ? size_of(f, q, me()) : size_of(f, q, 0);
		out[q] = f->kind == 3 ? size_of(f, me(), q) : size_of(f, f->root, q);
	}
	switch (f->kind) {
	case 0: r = bsp_igatherv(f->root, f->src, mine, f->dst, in, NULL); break;
	case 1: r = bsp_iscatterv(f->root, f->src, out, NULL, f->dst, out[me()]); break;
	case 2: r = bsp_iallgatherv(f->src, mine, f->dst, in, NULL); break;
	case 3: r = bsp_iexchangev(f->src, out, NULL, f->dst, in, NULL); break;
	default: r = bsp_ireduce_scatter(BSP_XOR, BSP_UINT8, f->src, f->dst, in); break;
	}
	memset(in, 0xee, (size_t)p * sizeof *in);
	memset(out, 0xee, (size_t)p * sizeof *out);
	return r;
}

/* One block behind the other, of those from all processes for @q. */
static long wrong_blocks(const struct flying *f, int q)
{
	const char *at = f->dst;
	long n = 0;

	for (int p = 0; p < procs(); p++) {
		size_t bytes = size_of(f, p, q);

		n += wrong(at, bytes, number(f->turn, p, q));
		at += bytes;
	}
	return n;
}

/* The block for us begins behind those for lower processes. */
static long wrong_fold(const struct flying *f)
{
	size_t before = 0;
	long n = 0;

	for (int p = 0; p < me(); p++)
		before += size_of(f, p, 0);
	for (size_t i = 0; i < size_of(f, me(), 0); i++) {
		unsigned char x = 0;

		for (int p = 0; p < procs(); p++)
			x ^= pattern(number(f->turn, p, 0), before + i);
		n += x != (unsigned char)f->dst[i];
	}
	return n;
}

static long wrong_result(const struct flying *f)
{
	switch (f->kind) {
	case 0: return me() == f->root ? wrong_blocks(f, 0) : 0;
	case 1: return wrong(f->dst, size_of(f, f->root, me()), number(f->turn, f->root, me()));
	case 2: return wrong_blocks(f, 0);
	case 3: return wrong_blocks(f, me());
	default: return wrong_fold(f);
	}
}

static void fill_source(const struct flying *f)
{
	char *at = f->src;

	if (f->kind == 4) {
		fill(at, MOST * (size_t)procs(), number(f->turn, me(), 0));
		return;
	}
	for (int q = 0; q < procs(); q++) {
		bool blocks = f->kind == 1 || f->kind == 3;
		size_t bytes = size_of(f, f->kind == 1 ? f->root : me(), q);

		if (blocks || q == 0)
			fill(at, bytes, number(f->turn, me(), q));
		at += bytes;
	}
}

static void start(struct flying *f, int turn)
{
	size_t in[16], out[16];

	f->turn = turn;
	f->kind = (int)random_below(&common, KINDS_OF_CALLS);
	f->root = (int)random_below(&common, (uint32_t)procs());
	f->src = memory(MOST * (size_t)procs());
	f->dst = memory(MOST * (size_t)procs());
	fill_source(f);
	f->r = started(f, in, out);
}

static void finish(int i)
{
	struct flying *f = &flying[i];

	test_and_wait(&f->r, &own);
	none_wrong(wrong_result(f), "a call", (size_t)f->turn, f->kind);
	free(f->src);
	free(f->dst);
}

static void body(void)
{
	enter();
	common = 4711;
	own = (uint32_t)me() * 77 + 5;
	for (int round = 0; round < ROUNDS; round++) {
		if (round == 1)
			bsp_set_sync(BSP_RELAXED);
		for (int i = 0; i < MANY; i++) {
			start(&flying[i], round * MANY + i);
			if (i % 16 == 7)
				bsp_sync();
		}
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
	lives_ok(body, 4, "four processes");
	lives_ok(with_thread, 3, "with a thread for progress");
	return done_testing();
}
