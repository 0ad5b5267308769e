/* SPDX-License-Identifier: BSD-3-Clause */
/* If any one allocation fails, the graph says so, nothing is lost and nothing else happens. */
#include "../lib/tap.h"

#include <stdlib.h>
#include <string.h>

static long left;			/* allocations until one fails; it and all later ones do */

static void *scarce_calloc(size_t n, size_t size)
{
	return left-- > 0 ? calloc(n, size) : NULL;
}

static void *scarce_realloc(void *old, size_t size)
{
	return left-- > 0 ? realloc(old, size) : NULL;
}

#define calloc scarce_calloc
#define realloc scarce_realloc
#include "goal/goal_graph.c"
#include "goal/goal_emit.c"
#undef calloc
#undef realloc

/* More of everything than there is room for at first. */
static void build(struct goal_graph *g)
{
	struct goal_piece piece = { GOAL_AT(0, 0), 8 };
	int i;

	for (i = 0; i < 40; i++) {
		goal_buffer(g);
		goal_recv_list(g, &piece, 1, 1, 0);
		goal_calc(g, 1);
		goal_requires(g, 2 * i + 1, 2 * i);
	}
}

static struct goal_graph *decompile(const void *block, size_t len)
{
	size_t bytes = goal_check_bytes(len), at;
	void *work = malloc(bytes);
	struct goal_prog prog = { NULL };
	struct goal_graph *g;

	if (!work || goal_check(block, len, 0, work, bytes, &prog, &at))
		bail("what was compiled is not good");
	g = goal_decompile(&prog);
	free(work);
	return g;
}

/* The step that fails with allocation number @n: 1, 2 or 3; 0: none; -1: a wrong length. */
static int with(long n, const char **error)
{
	static char text[200];
	struct goal_graph *g, *again = NULL;
	size_t len = 77;
	void *block;

	left = n;
	g = goal_graph_create(2, 0);
	if (!g)
		return 1;
	build(g);
	block = goal_compile(g, &len);
	snprintf(text, sizeof text, "%s", goal_graph_error(g) ? goal_graph_error(g) : "");
	*error = text;
	if (block)
		again = decompile(block, len);
	free(block);
	goal_graph_destroy(g);
	goal_graph_destroy(again);
	return again ? 0 : block ? 3 : len == 77 ? 2 : -1;
}

int main(void)
{
	long n, count[4] = { 0 }, silent = 0;
	const char *error = "";
	int what;

	do {
		what = with(count[1] + count[2] + count[3], &error);
		if (what < 0)
			bail("a length without a block");
		count[what]++;
		silent += what == 2 && !strstr(error, "out of memory");
		n = count[1] + count[2] + count[3];
	} while (what && n < 1000);
	is_int(0, what, "after %ld allocations there is enough", n);
	is_int(1, count[1], "without the first there is no graph");
	ok(count[2] > 10, "without one of %ld there is no block", count[2]);
	is_int(0, silent, "and the graph says so");
	ok(count[3] > 3, "without one of %ld there is no graph of a block", count[3]);
	return done_testing();
}
