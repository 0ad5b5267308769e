/* SPDX-License-Identifier: BSD-3-Clause */
/* Compile, decompile, compile gives the same bytes; the first are in traversal order. */
#include "../lib/schedules.h"

static void *random_block(uint64_t *seed, int n, size_t *len)
{
	struct goal_graph *g = goal_graph_create(3, 0);
	size_t nedges = n > 1 ? random_below(seed, (uint32_t)n * 4) : 0;
	struct edge *edges = some(nedges * sizeof *edges);
	void *block, *twice;
	size_t len2;

	random_ops(g, seed, n);
	if (n > 0)
		goal_place_on(g, goal_calc(g, random_next(seed)), random_below(seed, 256),
			      random_below(seed, 256));
	random_edges(g, seed, edges, nedges);
	block = compiled(g, len);
	twice = compiled(g, &len2);
	if (len2 != *len || memcmp(block, twice, len2) != 0)
		bail("a graph that was compiled is not as it was");
	free(twice);
	free(edges);
	goal_graph_destroy(g);
	return block;
}

static bool same_again(const void *block, size_t len)
{
	struct goal_prog prog = good(block, len);
	struct goal_graph *g = goal_decompile(&prog);
	size_t len2;
	void *block2 = g ? compiled(g, &len2) : NULL;
	bool same = block2 && len2 == len && memcmp(block, block2, len) == 0;

	free(block2);
	goal_graph_destroy(g);
	return same;
}

static void random_blocks(void)
{
	uint64_t seed = 77;
	int i, same = 0;
	size_t len;

	for (i = 0; i < 500; i++) {
		void *block = random_block(&seed, (int)random_below(&seed, 60), &len);

		same += same_again(block, len);
		free(block);
	}
	is_int(500, same, "random graphs are the same, compiled again");
}

/* Tags of a block, in order, as a text. */
static const char *tags(struct goal_graph *g)
{
	static char text[200];
	size_t len, n = 0;
	void *block = compiled(g, &len);
	struct goal_prog prog = good(block, len);
	const struct goal_op *op = goal_op_at(&prog, prog.header->ops_at);
	uint32_t i;

	text[0] = '\0';
	for (i = 0; i < prog.header->nops; i++, op = goal_op_next(op))
		n += (size_t)snprintf(text + n, sizeof text - n, "%u(%u) ", op->tag,
				      op->dependencies);
	free(block);
	goal_graph_destroy(g);
	return text;
}

static struct goal_graph *sends(int n)
{
	struct goal_graph *g = goal_graph_create(2, 0);
	int i;

	for (i = 0; i < n; i++)
		goal_send(g, 0, GOAL_NOWHERE, 1, (uint32_t)i);
	return g;
}

static void order(void)
{
	struct goal_graph *g = sends(5);

	goal_requires(g, 0, 4);
	goal_requires(g, 1, 0);
	goal_requires(g, 1, 3);
	is_str("2(0) 3(0) 4(0) 0(1) 1(2) ", tags(g),
	       "independent ones first, then each behind what it waits for");
	g = sends(4);
	goal_requires(g, 3, 0);
	goal_irequires(g, 2, 0);
	goal_requires(g, 1, 0);
	is_str("0(0) 2(1) 1(1) 3(1) ", tags(g),
	       "followers before dependents, each as they were made");
	g = sends(2);
	goal_requires(g, 1, 0);
	goal_requires(g, 1, 0);
	is_str("0(0) 1(1) ", tags(g), "to be asked for twice is to be asked for once");
	g = sends(2);
	goal_requires(g, 1, 0);
	goal_irequires(g, 1, 0);
	is_str("0(0) 1(2) ", tags(g), "the start and the end of one are two things to wait for");
}

/* Long ones, whose cost would be seen if it were not linear. */
static void long_ones(void)
{
	enum { MANY = 200000 };
	struct goal_graph *g = sends(MANY);
	size_t len;
	void *block;
	int i;

	for (i = 1; i < MANY; i++) {
		goal_requires(g, i - 1, i);
		goal_irequires(g, 0, i);
	}
	block = compiled(g, &len);
	ok(same_again(block, len), "a chain of %d operations, made from its end", MANY);
	free(block);
	goal_graph_destroy(g);
}

int main(void)
{
	random_blocks();
	order();
	long_ones();
	return done_testing();
}
