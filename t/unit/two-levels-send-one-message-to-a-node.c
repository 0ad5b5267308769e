/* SPDX-License-Identifier: BSD-3-Clause */
/* Where nodes have several processes, a collective operation sends as many messages between nodes
 * as its algorithm does between so many processes; without consecutive numbers it has one level. */
#include "bsplib/model/nodes.h"
#include "../lib/collective.h"
#include "../lib/sent.h"

#include <sys/mman.h>

enum { CALLS = 3, NODE = 3, BYTES = 16, NONE = 1000 };

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

static void counts(const char *coll, void (*call)(void), int nprocs, uint64_t messages)
{
	uint64_t sum = 0;

	setenv("BSP_COLL", coll, 1);
	operation = call;
	for (int p = 0; p < nprocs; p++)
		between[p] = NONE;
	lives_ok(body, nprocs, "%s, %d processes", coll, nprocs);
	for (int p = 0; p < nprocs; p++)
		sum += between[p];
	is_int((long)(CALLS * messages), (long)sum, "%s, %d processes: messages between nodes",
	       coll, nprocs);
}

static int rounds(int n)
{
	int k = 0;

	while (1 << k < n)
		k++;
	return k;
}

/* Nodes of three, but the last, if there are fewer. */
static void all_of(int nprocs)
{
	int n = (nprocs + NODE - 1) / NODE;

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
	setenv("BSP_NODE_SIZE", "3", 1);
	setenv("BSP_PARAMS", "none", 1);
	if (bspt_find("mix")->probe(9, why, sizeof(why)) < 0)
		skip_all("no transport without a counted barrier can run here");
	between = mmap(NULL, 16 * sizeof(*between), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (between == MAP_FAILED)
		bail("no shared memory");
	maps();
	all_of(7);
	counts("exchange:direct+nodes", exchange, 9, 3 * 2);
	return done_testing();
}
