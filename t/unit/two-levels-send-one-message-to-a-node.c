/* SPDX-License-Identifier: BSD-3-Clause */
/* Where nodes have several processes, a collective operation sends as many messages between nodes
 * as its algorithm does between so many processes; without consecutive numbers it has one level. */
#include "bsplib/model/nodes.h"
#include "../lib/collective.h"
#include "../lib/sent.h"

#include <sys/mman.h>

enum { CALLS = 3, BYTES = 16, NONE = 1000 };

static uint64_t *between;		/* of each process, shared with the job */

static void bcast(void)
{
	char block[BYTES] = "";

	fill(block, sizeof(block), number(1, procs() - 1, 0));
	if (me() != procs() - 1)
		memset(block, 0, sizeof(block));
	bsp_bcast(procs() - 1, block, block, sizeof(block));
	none_wrong(wrong(block, sizeof(block), number(1, procs() - 1, 0)), "bsp_bcast",
		   sizeof(block), procs() - 1);
}

static void allreduce(void)
{
	int64_t mine = me() + 1, sum = 0;

	bsp_allreduce(BSP_SUM, BSP_INT64, &mine, &sum, 1);
	if (sum != procs() * (procs() + 1) / 2)
		is_int(procs() * (procs() + 1) / 2, sum, "the sum of all");
}

static void reduce(void)
{
	int64_t mine = me() + 1, sum = 0;

	bsp_reduce(1, BSP_SUM, BSP_INT64, &mine, &sum, 1);
	if (me() == 1 && sum != procs() * (procs() + 1) / 2)
		is_int(procs() * (procs() + 1) / 2, sum, "the sum at process 1");
}

static void allgather(void)
{
	char *mine = memory(BYTES), *all = memory((size_t)procs() * BYTES);

	fill(mine, BYTES, number(2, me(), 0));
	bsp_allgather(mine, all, BYTES);
	for (int p = 0; p < procs(); p++)
		none_wrong(wrong(all + p * BYTES, BYTES, number(2, p, 0)), "bsp_allgather", BYTES,
			   -1);
	free(mine);
	free(all);
}

static void exchange(void)
{
	char *src = memory((size_t)procs() * BYTES), *dst = memory((size_t)procs() * BYTES);

	fill_blocks(src, BYTES, 3, me(), procs());
	bsp_exchange(src, dst, BYTES);
	for (int p = 0; p < procs(); p++)
		none_wrong(wrong(dst + p * BYTES, BYTES, number(3, p, me())), "bsp_exchange", BYTES,
			   -1);
	free(src);
	free(dst);
}

/* ---- Folds in order, and lengths --- */

enum { OPERAND = 3 };			/* numbers: x -> (a x + b) modulo c, one after the other */

static void compose(void *result, void *left, void *right, int *bytes)
{
	const uint64_t *x = left, *y = right;
	uint64_t a = x[0] * y[0] % 9973, b = (x[1] * y[0] + y[1]) % 9973;
	uint64_t *r = result;

	(void)bytes;
	r[0] = a;
	r[1] = b;
	r[2] = x[2] + y[2];
}

static void operand_of(int p, uint64_t *x)
{
	x[0] = (uint64_t)p * 7 + 2;
	x[1] = (uint64_t)p * 31 + 5;
	x[2] = 1;
}

static void scan(void)
{
	uint64_t mine[OPERAND], all[OPERAND], next[OPERAND], got[OPERAND];

	operand_of(me(), mine);
	bsp_scan(compose, mine, got, sizeof(mine));
	operand_of(0, all);
	for (int p = 1; p <= me(); p++) {
		operand_of(p, next);
		compose(all, all, next, &(int){ sizeof(all) });
	}
	if (memcmp(all, got, sizeof(all)))
		is_blob(all, got, sizeof(all), "bsp_scan of functions that do not commute");
}

static void prefix(void)
{
	int64_t mine[3] = { me() + 1, -me(), 1 }, got[3] = { 0, 0, 0 }, n = me() + 1;

	bsp_prefix(BSP_SUM, BSP_INT64, mine, got, 3);
	if (got[0] != n * (n + 1) / 2 || got[1] != -n * (n - 1) / 2 || got[2] != n)
		is_int(n * (n + 1) / 2, got[0], "the sums of 0 to me");
}

/* Process p has p numbers of the result, but process 4 has none. */
static size_t count_of(int p)
{
	return p == 4 ? 0 : (size_t)p;
}

static void reduce_scatter(void)
{
	int64_t src[80], got[16];
	size_t counts[16], before = 0, n = 0;

	for (int p = 0; p < procs(); p++) {
		counts[p] = count_of(p);
		before += p < me() ? counts[p] : 0;
		n += counts[p];
	}
	for (size_t i = 0; i < n; i++)
		src[i] = (int64_t)i * 1000 + me();
	bsp_reduce_scatter(BSP_SUM, BSP_INT64, src, got, counts);
	for (size_t i = 0; i < counts[me()]; i++) {
		int64_t sum = (int64_t)(before + i) * 1000 * procs() + procs() * (procs() - 1) / 2;

		if (got[i] != sum)
			is_int(sum, got[i], "number %zu of the result", before + i);
	}
}

/* Blocks of other lengths in each call, with gaps: the schedule is one. */
static void allgatherv(void)
{
	static int turn;
	size_t sizes[16], offsets[16], end = 0, mine = ((size_t)me() * 37 + (size_t)turn) % 90;
	char *src = memory(mine), *all;

	for (int p = 0; p < procs(); p++) {
		sizes[p] = ((size_t)p * 37 + (size_t)turn) % 90;
		offsets[p] = end;
		end += sizes[p] + 3;
	}
	all = memory(end);
	fill(src, mine, number(4, me(), 0));
	bsp_allgatherv(src, mine, all, sizes, offsets);
	for (int p = 0; p < procs(); p++)
		none_wrong(wrong(all + offsets[p], sizes[p], number(4, p, 0)) +
				   (all[offsets[p] + sizes[p]] != (char)0xa5),
			   "bsp_allgatherv", sizes[p], -1);
	turn += 11;
	free(src);
	free(all);
}

static void (*operation)(void);

static void body(void)
{
	enter();
	bsp_sync();
	sent_watch();
	for (int i = 0; i < CALLS; i++)
		operation();
	between[me()] = sent.messages;
	bsp_end();
}

static void counts(const char *coll, void (*call)(void), int nprocs, int messages)
{
	uint64_t sum = 0;

	setenv("BSP_COLL", coll, 1);
	operation = call;
	for (int p = 0; p < nprocs; p++)
		between[p] = NONE;
	lives_ok(body, nprocs, "%s, %d processes", coll, nprocs);
	for (int p = 0; p < nprocs; p++)
		sum += between[p];
	is_int(CALLS * messages, (long)sum, "%s, %d processes: messages between nodes",
	       coll, nprocs);
}

static int rounds(int n)
{
	int k = 0;

	while (1 << k < n)
		k++;
	return k;
}

/* By recursive doubling: in the round of distance d all send but the last d. */
static int doublings(int n)
{
	int sum = 0;

	for (int d = 1; d < n; d *= 2)
		sum += n - d;
	return sum;
}

/* Nodes of @node, but the last, if there are fewer. */
static void all_of(int nprocs, const char *node)
{
	int n = (nprocs + atoi(node) - 1) / atoi(node);

	setenv("BSP_NODE_SIZE", node, 1);
	counts("scan:recursive-doubling+nodes", scan, nprocs, doublings(n));
	counts("scan:chain+nodes", scan, nprocs, n - 1);
	counts("scan:segmented-chain+nodes:8", prefix, nprocs, 3 * (n - 1));
	counts("reduce-scatter:direct-rotated+nodes", reduce_scatter, nprocs, n * (n - 1));
	if (n == 2)
		counts("reduce-scatter:halving+nodes", reduce_scatter, nprocs, 2);
	counts("allgather:bruck+nodes", allgatherv, nprocs, n * rounds(n));
	counts("allgather:ring+nodes", allgatherv, nprocs, n * (n - 1));
	counts("", prefix, nprocs, n == 2 ? 1 : doublings(n));
	counts("bcast:binomial+nodes", bcast, nprocs, n - 1);
	counts("reduce:binomial+nodes", reduce, nprocs, n - 1);
	counts("allreduce:reduce-bcast+nodes", allreduce, nprocs, 2 * (n - 1));
	counts("allgather:bruck+nodes", allgather, nprocs, n * rounds(n));
	counts("allgather:ring+nodes", allgather, nprocs, n * (n - 1));
	counts("exchange:direct+nodes", exchange, nprocs, n * (n - 1));
	counts("", bcast, nprocs, n - 1);	/* as the models choose by their estimates */
}

/* ---- Which nodes they are --- */

static const char *map_of(const int *node, int nprocs)
{
	static char text[80];
	struct goal_node_map map;
	int first[17];

	if (!bspi_nodes_map(node, nprocs, first, &map))
		return "one level";
	text[0] = '\0';
	for (int k = 0; k < map.n; k++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d", k ? "+" : "",
			 map.first[k + 1] - map.first[k]);
	return text;
}

static void maps(void)
{
	is_str("2+2", map_of((int[]){ 0, 0, 1, 1 }, 4), "nodes of two");
	is_str("1+3+2", map_of((int[]){ 2, 0, 0, 0, 1, 1 }, 6), "of any sizes, in any order");
	is_str("one level", map_of((int[]){ 0, 1, 0, 1 }, 4), "round-robin: one level");
	is_str("one level", map_of((int[]){ 0, 0, 1, 0 }, 4), "a node that comes again: one level");
	is_str("one level", map_of((int[]){ 0, 0, 0 }, 3), "one node: one level");
	is_str("one level", map_of((int[]){ 0, 1, 2 }, 3), "each alone: one level");
}

int main(void)
{
	char why[600];

	if (getenv("BSP_TRANSPORT") && strcmp(getenv("BSP_TRANSPORT"), "mix") != 0)
		skip_all("not applicable: this is about mix");
	setenv("BSP_TRANSPORT", "mix", 1);
	setenv("BSP_PARAMS", "none", 1);
	if (bspt_find("mix")->probe(9, why, sizeof(why)) < 0)
		skip_all("no transport without a counted barrier can run here");
	between = mmap(NULL, 16 * sizeof(*between), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (between == MAP_FAILED)
		bail("no shared memory");
	maps();
	all_of(7, "3");
	all_of(6, "5");			/* one is alone on its node */
	setenv("BSP_NODE_SIZE", "3", 1);
	counts("exchange:direct+nodes", exchange, 9, 3 * 2);
	setenv("BSP_NODE_SIZE", "1", 1);
	counts("scan:chain+nodes", scan, 5, 4);
	counts("reduce-scatter:direct-rotated+nodes", reduce_scatter, 5, 5 * 4);
	return done_testing();
}
