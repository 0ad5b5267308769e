/* SPDX-License-Identifier: BSD-3-Clause */
/* Every prefix of a good block is refused, and so is the block with anything behind it. */
#include "../lib/schedules.h"

static void *any_block(uint64_t *seed, int nops, size_t *len)
{
	struct goal_graph *g = goal_graph_create(3, 0);
	size_t nedges = nops > 1 ? (size_t)nops * 2 : 0;
	struct edge *edges = some(nedges * sizeof *edges);
	void *block;

	random_ops(g, seed, nops);
	random_edges(g, seed, edges, nedges);
	block = compiled(g, len);
	free(edges);
	goal_graph_destroy(g);
	return block;
}

static void prefixes(int nops)
{
	uint64_t seed = 1 + (uint64_t)nops;
	size_t len, n, at, accepted = 0, misplaced = 0;
	unsigned char *block = any_block(&seed, nops, &len);

	for (n = 0; n < len; n++) {
		accepted += check_block(block, n, UINT32_MAX, &at) == 0;
		misplaced += at > n;
	}
	is_int(0, accepted, "none of the %zu prefixes of a block of %d operations is good", len,
	       nops);
	is_int(0, misplaced, "and none is wrong beyond its end");
	is_int(0, check_block(block, len, UINT32_MAX, &at), "the whole is good");
	block = realloc(block, len + 8);
	memset(block + len, 0, 8);
	is_int(-GOAL_ETRUNCATED, check_block(block, len + 8, UINT32_MAX, &at),
	       "8 bytes more are too many");
	free(block);
}

int main(void)
{
	prefixes(0);
	prefixes(1);
	prefixes(2);
	prefixes(40);
	return done_testing();
}
