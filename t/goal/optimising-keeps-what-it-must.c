/* SPDX-License-Identifier: BSD-3-Clause */
/* Redundant dependencies are exactly those that go; messages stay apart where they have to. */
#include "../lib/schedules.h"
#include "../lib/simulated.h"

enum { GRAPHS = 500, OPS_MOST = 24 };

/* ---- Dependencies --------------------------------------------------------------------------- */

/* Events are starts, 2 i, and ends, 2 i + 1: which comes before which. */
struct order {
	bool before[2 * OPS_MOST][2 * OPS_MOST];
};

static void close_order(struct order *o, int n)
{
	for (int k = 0; k < 2 * n; k++)
		for (int i = 0; i < 2 * n; i++)
			for (int j = 0; j < 2 * n; j++)
				o->before[i][j] |= o->before[i][k] && o->before[k][j];
}

/* The order that a block has; operations have the numbers of their tags. Without edge @skip. */
static int order_of(struct order *o, const struct goal_prog *prog, int n, int skip)
{
	const struct goal_op *op = goal_first_op(prog);
	int edges = 0;

	*o = (struct order){ 0 };
	for (int i = 0; i < n; i++, op = goal_op_next(op)) {
		o->before[2 * op->tag][2 * op->tag + 1] = true;
		for (size_t j = 0; j < goal_list_len(op); j++, edges++) {
			uint32_t to = goal_op_at(prog, goal_list(op)[j])->tag;

			if (edges != skip)
				o->before[2 * op->tag + (j >= op->nfollowers)][2 * to] = true;
		}
	}
	close_order(o, n);
	return edges;
}

/* Is each edge needed: is the order another one without it? */
static bool is_least(const struct goal_prog *prog, int n, const struct order *whole)
{
	struct order o;
	int edges = order_of(&o, prog, n, -1);

	for (int skip = 0; skip < edges; skip++) {
		order_of(&o, prog, n, skip);
		if (memcmp(&o, whole, sizeof o) == 0)
			return false;
	}
	return true;
}

static void random_orders(void)
{
	int other = 0, more = 0;
	uint64_t seed = 33, dropped = 0, cut = 0;

	for (int i = 0; i < GRAPHS; i++) {
		int n = 1 + (int)random_below(&seed, OPS_MOST);
		struct goal_graph *g = goal_graph_create(2, 0);
		struct edge edges[4 * OPS_MOST];
		struct goal_gain gain;
		struct order was, is;
		struct goal_prog prog;
		void *block[2];
		size_t len;

		for (int op = 0; op < n; op++)
			goal_call(g, (uint32_t)op, NULL, 0, 0);
		random_edges(g, &seed, edges, n > 1 ? random_below(&seed, 4 * (uint64_t)n) : 0);
		block[0] = compiled(g, &len);
		prog = good(block[0], len);
		order_of(&was, &prog, n, -1);
		if (!goal_optimize(g, &gain))
			bail("graph %d: %s", i, goal_graph_error(g));
		cut += gain.cut;
		block[1] = compiled(g, &len);
		prog = good(block[1], len);
		order_of(&is, &prog, n, -1);
		other += memcmp(&was, &is, sizeof was) != 0;
		more += !is_least(&prog, n, &is);
		dropped += gain.edges;
		goal_graph_destroy(g);
		free(block[0]);
		free(block[1]);
	}
	is_int(0, other, "of %d graphs all have the order of before", GRAPHS);
	is_int(0, more, "and no dependency that others imply");
	is_int(0, cut, "as no search was cut short");
	ok(dropped > GRAPHS, "of %llu that there were", (unsigned long long)dropped);
}

/* Each operation waits for as many before it: in the square of them paths could be followed. */
static void large_graph(void)
{
	enum { OPS = 20000, BACK = 16 };
	struct goal_graph *g = goal_graph_create(1, 0);
	struct goal_gain gain;
	uint64_t seed = 1, edges = 0;

	for (int op = 0; op < OPS; op++) {
		goal_calc(g, 1);
		for (int i = 0; i < BACK && op > 0; i++, edges++)
			goal_requires(g, op, (int)random_below(&seed, (uint64_t)op));
	}
	ok(goal_optimize(g, &gain), "%d operations with %llu dependencies", OPS,
	   (unsigned long long)edges);
	ok(gain.followed <= (1 << 24) + 64 * (OPS + edges), "%llu edges are followed, no more",
	   (unsigned long long)gain.followed);
	ok(gain.cut > 0, "searches were cut short, and that is reported");
	goal_graph_destroy(g);
}

/* ---- Messages --------------------------------------------------------------------------- */

struct merge_case {
	const char *what, *text;
	uint64_t messages;		/* that become part of others */
	const char *skipped;
};

#define TWO(rank0, rank1) "num_ranks 2\nrank 0 {\n" rank0 "}\nrank 1 {\n" rank1 "}\n"

static const struct merge_case cases[] = {
	{ "two that nothing separates",
	  TWO("send 8b to 1 tag 1\nsend 8b to 1 tag 2\n",
	      "recv 8b from 0 tag 1\nrecv 8b from 0 tag 2\n"), 1, NULL },
	{ "received in another order",
	  TWO("send 8b to 1 tag 1\nsend 8b to 1 tag 2\n",
	      "recv 8b from 0 tag 2\nrecv 8b from 0 tag 1\n"), 1, NULL },
	{ "of one tag",
	  TWO("send 8b to 1 tag 1\nsend 8b to 1 tag 1\n",
	      "recv 8b from 0 tag 1\nrecv 8b from 0 tag 1\n"), 1, NULL },
	{ "the second answers what follows the first",
	  TWO("a: send 8b to 1 tag 1\nb: send 8b to 1 tag 2\nc: recv 8b from 1 tag 3\n"
	      "b requires c\n",
	      "a: recv 8b from 0 tag 1\nb: recv 8b from 0 tag 2\nc: send 8b to 0 tag 3\n"
	      "c requires a\n"), 0, NULL },
	{ "the receiver passes the first on before the second",
	  TWO("send 8b to 1 tag 1\nsend 8b to 1 tag 2\n"
	      "recv 8b from 1 tag 3\nrecv 8b from 1 tag 4\n",
	      "a: recv 8b from 0 tag 1\nb: recv 8b from 0 tag 2\nc: send 8b to 0 tag 3\n"
	      "d: send 8b to 0 tag 4\nc requires a\nd requires b\n"), 0, NULL },
	{ "the sender changes the first after its send",
	  TWO("a: send 8b to 1 tag 1\nsend 8b to 1 tag 2\nc: calc 5\nc requires a\n",
	      "recv 8b from 0 tag 1\nrecv 8b from 0 tag 2\n"), 0, NULL },
	{ "the receives are in order",
	  TWO("send 8b to 1 tag 1\nsend 8b to 1 tag 2\n",
	      "a: recv 8b from 0 tag 1\nb: recv 8b from 0 tag 2\nb requires a\n"), 0, NULL },
	{ "a third of the same tag is apart from them",
	  TWO("a: send 8b to 1 tag 1\nb: send 8b to 1 tag 1\nc: calc 1\nd: send 8b to 1 tag 1\n"
	      "d requires c\n",
	      "recv 8b from 0 tag 1\nrecv 8b from 0 tag 1\nrecv 8b from 0 tag 1\n"), 0, NULL },
	{ "they go over two networks",
	  TWO("send 8b to 1 tag 1 cpu 0 nic 0\nsend 8b to 1 tag 2 cpu 0 nic 1\n",
	      "recv 8b from 0 tag 1\nrecv 8b from 0 tag 2\n"), 0, NULL },
	{ "a receive is open",
	  TWO("send 8b to 1 tag 1\nsend 8b to 1 tag 2\n",
	      "recv 8b from 0 tag 1\nrecv 8b from -1 tag 2\n"), 0,
	  "a receive is open to any process or any tag" },
	{ "one has no receive",
	  TWO("send 8b to 1 tag 1\nsend 8b to 1 tag 2\n", "recv 8b from 0 tag 1\n"), 0,
	  "a message has no receive" },
	{ "they end before their receives begin",
	  TWO("a: send 8b to 1 tag 1\nb: send 8b to 1 tag 2\nc: send 8b to 1 tag 3\n"
	      "c requires a\nc requires b\n",
	      "c: recv 8b from 0 tag 3\na: recv 8b from 0 tag 1\nb: recv 8b from 0 tag 2\n"
	      "a requires c\nb requires c\n"), 0,
	  "a send has to end before its receive begins" },
	{ "a receive expects another length",
	  TWO("send 8b to 1 tag 1\nsend 8b to 1 tag 2\n",
	      "recv 8b from 0 tag 1\nrecv 9b from 0 tag 2\n"), 0, NULL },
};

static void one_case(const struct merge_case *c)
{
	struct goal_set set = sim_parsed(c->text), result;
	struct goal_gain gain;

	if (!goal_set_optimize(&set, true, &result, &gain))
		bail("no memory");
	is_int(c->messages, gain.messages, "%s", c->what);
	is_str(c->skipped ? c->skipped : "", gain.skipped ? gain.skipped : "", "%s: why", c->what);
	goal_set_free(&result);
	if (!goal_set_optimize(&set, false, &result, &gain))
		bail("no memory");
	is_int(0, gain.messages, "%s: none unless they are wanted", c->what);
	goal_set_free(&result);
	goal_set_free(&set);
}

/* ---- Local operations -------------------------------------------------------------------- */

/* After goal_optimize() of copies of 8 bytes at @dst from @src: operations and their pieces. */
static void copies_become(const char *what, bool chained, int buffer, int ops, uint32_t parts)
{
	struct goal_graph *g = goal_graph_create(1, 0);
	struct goal_prog prog;
	size_t len;
	void *block;
	int a, b;

	goal_buffer(g);
	goal_buffer(g);
	a = goal_local(g, GOAL_COPY, GOAL_NONE, 8, GOAL_AT(0, 8), GOAL_AT(buffer, 0));
	b = goal_local(g, GOAL_COPY, GOAL_NONE, 8, GOAL_AT(0, 16), GOAL_AT(buffer, 8));
	if (chained)
		goal_requires(g, b, a);
	ok(goal_optimize(g, NULL), "%s", what);
	is_int(ops, goal_nops(g), "%s: operations", what);
	block = compiled(g, &len);
	prog = good(block, len);
	is_int(parts, goal_first_op(&prog)->nparts, "%s: pieces", what);
	free(block);
	goal_graph_destroy(g);
}

int main(void)
{
	random_orders();
	large_graph();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		one_case(&cases[i]);
	copies_become("copies that touch, in any order", false, 1, 1, 2);
	copies_become("in order, of buffers that may be the same", true, 1, 1, 4);
	copies_become("in order, the second reads what the first wrote", true, 0, 1, 4);
	return done_testing();
}
