#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Goal.h compiles without a warning as C99, C11 and C++, and means the same in each.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

cd "$tap_dir" || bail "no $tap_dir"
cat >uses.c <<'END'
#include <goal.h>
#include <goal.h>
int main(void)
{
	struct goal_graph *g = goal_graph_create(2, 0);
	int buffer = goal_buffer(g);
	struct goal_place there = GOAL_AT(buffer, 8);
	struct goal_piece piece = { GOAL_AT(GOAL_SCRATCHPAD, 0), 8 };
	const struct goal_op *op = NULL;
	goal_scratch(g, 8);
	goal_requires(g, goal_send(g, 8, there, 1, 0), goal_recv_list(g, &piece, 1, 1, 0));
	goal_send(g, 1, GOAL_NOWHERE, 1, 0);
	return goal_graph_error(g) != NULL || op != NULL;
}
END
cp uses.c uses.cc
for std in c99 c11 c17; do
	said=$($CC -std=$std -pedantic-errors -Wall -Wextra -Werror -I"$top_srcdir/goal" \
		-I"$top_srcdir/kernel/goal" \
		-c uses.c -o uses.o 2>&1)
	ok $? "as $std" || diag "$said"
done
for std in c++11 c++17; do
	said=$($CXX -std=$std -pedantic-errors -Wall -Wextra -Werror -I"$top_srcdir/goal" \
		-I"$top_srcdir/kernel/goal" \
		-c uses.cc -o uses.o 2>&1)
	ok $? "as $std" || diag "$said"
done

done_testing
