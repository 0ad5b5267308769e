/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks reach the neighbours that are listed, in any order of the lists, of which there are more
 * than schedules are kept: once, several times, to the process itself, or none; in flight too. */
#include "../lib/collective.h"
#include "../lib/random.h"

enum { MOST = 64, TURNS_OF_LISTS = 150, IN_FLIGHT = 8 };

static const size_t sizes[] = { 1, 8, 100, 0, 4099, 24 };

struct exchange {
	int n, turn;
	int pids[MOST];			/* overwritten after the call */
	int kth[MOST];			/* of the blocks for the same process */
	size_t bytes;
	char *src, *dst;
	bsp_request r;
};

static uint64_t own;

/* How often p and q are neighbours in a turn: as often as q and p. */
static int times(int turn, int p, int q)
{
	int low = p < q ? p : q, high = p < q ? q : p;
	unsigned char x = pattern((uint32_t)turn, (size_t)(low * 16 + high));

	return x % 8 == 7 ? 3 : x % 8 > 4;
}

static uint32_t seed_of(const struct exchange *x, int from, int to, int kth)
{
	return number(x->turn, from, to) * 4 + (uint32_t)kth;
}

static void list_all(struct exchange *x)
{
	x->n = 0;
	for (int q = 0; q < procs(); q++)
		for (int i = times(x->turn, me(), q); i > 0; i--)
			x->pids[x->n++] = q;
}

/* In an order of our own. */
static void shuffle(struct exchange *x)
{
	for (int k = x->n - 1; k > 0; k--) {
		int j = (int)random_below(&own, (uint32_t)k + 1), pid = x->pids[k];

		x->pids[k] = x->pids[j];
		x->pids[j] = pid;
	}
}

static void count_each(struct exchange *x)
{
	for (int k = 0; k < x->n; k++) {
		x->kth[k] = 0;
		for (int j = 0; j < k; j++)
			x->kth[k] += x->pids[j] == x->pids[k];
	}
}

static void make(struct exchange *x, int turn, size_t bytes)
{
	x->turn = turn;
	x->bytes = bytes;
	list_all(x);
	shuffle(x);
	count_each(x);
	x->src = memory((size_t)x->n * bytes);
	x->dst = memory((size_t)x->n * bytes);
	for (int k = 0; k < x->n; k++)
		fill(x->src + (size_t)k * bytes, bytes, seed_of(x, me(), x->pids[k], x->kth[k]));
}

static void check(struct exchange *x)
{
	long n = 0;

	for (int k = 0; k < x->n; k++)
		n += wrong(x->dst + (size_t)k * x->bytes, x->bytes,
			   seed_of(x, x->pids[k], me(), x->kth[k]));
	none_wrong(n, "bsp_neighbor_exchange", x->bytes, x->turn);
	free(x->src);
	free(x->dst);
}

static void start(struct exchange *x)
{
	int pids[MOST];

	memcpy(pids, x->pids, sizeof pids);
	x->r = bsp_ineighbor_exchange(x->n, pids, x->src, x->dst, x->bytes);
	memset(pids, 0xee, sizeof pids);
}

static void in_flight(int turn)
{
	struct exchange x[IN_FLIGHT];

	for (int i = 0; i < IN_FLIGHT; i++) {
		make(&x[i], turn + i, sizes[(turn + i) % 6]);
		start(&x[i]);
	}
	for (int i = IN_FLIGHT - 1; i >= 0; i--) {
		bsp_wait(&x[i].r);
		check(&x[i]);
	}
}

static void body(void)
{
	struct exchange x;

	enter();
	own = (uint64_t)me() + 17;
	for (int turn = 0; turn < TURNS_OF_LISTS; turn++) {
		make(&x, turn, turn == 9 ? 300000 : sizes[turn % 6]);
		bsp_neighbor_exchange(x.n, x.pids, x.src, x.dst, x.bytes);
		check(&x);
		if (turn % 50 == 0)
			in_flight(1000 + turn);
	}
	bsp_end();
}

static void relaxed(void)
{
	enter();
	own = (uint64_t)me() + 23;
	bsp_set_sync(BSP_RELAXED);
	for (int step = 0; step < 4; step++) {
		in_flight(2000 + 20 * step);
		bsp_sync();
	}
	bsp_end();
}

/* One process has no neighbour, the others are a ring whose lists stay as they are. */
static void same_lists(void)
{
	int ring, pids[2], src[2], dst[2];

	enter();
	ring = procs() - 1;
	pids[0] = (me() + ring - 1) % (ring ? ring : 1);
	pids[1] = (me() + 1) % (ring ? ring : 1);
	for (int i = 0; i < 500; i++) {
		src[0] = 2 * (1000 * i + me());
		src[1] = 2 * (1000 * i + me()) + 1;
		if (me() == ring)
			bsp_neighbor_exchange(0, NULL, NULL, NULL, sizeof *src);
		else
			bsp_neighbor_exchange(2, pids, src, dst, sizeof *src);
		if (me() == ring)
			continue;
		/* of two or one the neighbours on both sides are the same: see the manual */
		none_wrong(dst[0] != 2 * (1000 * i + pids[0]) + (ring > 2), "from the left", 4, i);
		none_wrong(dst[1] != 2 * (1000 * i + pids[1]) + (ring <= 2), "from the right", 4,
			   i);
	}
	bsp_end();
}

int main(void)
{
	for (int n = 1; n <= 9; n += job_networked() ? 4 : 2)
		lives_ok(body, n, "%d processes", n);
	lives_ok(body, 0, "as many as there can be");
	lives_ok(relaxed, 4, "in relaxed supersteps");
	for (int n = 2; n <= 5; n++)
		lives_ok(same_lists, n, "a ring of %d", n - 1);
	return done_testing();
}
