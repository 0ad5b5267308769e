#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Valgrind finds no error and no leak in a program that has none, with the suppressions that are
# installed, over a transport whose libraries have some.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

command -v valgrind >/dev/null || skip_all "no valgrind here"
test -z "$BSP_SANITIZE" || skip_all "not applicable: sanitizers and valgrind exclude each other"
suppressions=$(find "$stage" -name bsp.supp)

cat >program.c <<'END'
#include <bsp.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 60000 };

int main(int argc, char **argv)
{
	int me, p, tag = 4;
	double x, *area = calloc(100, sizeof(*area));
	char *text = malloc(2 * LONG);

	(void)argv;
	bsp_begin(2);
	me = bsp_pid();
	p = bsp_nprocs();
	x = me;
	memset(text, me, 2 * LONG);
	bsp_push_reg(area, 100 * (int)sizeof(*area));
	bsp_push_reg(text, 2 * LONG);
	bsp_set_tagsize(&tag);
	bsp_sync();
	for (int i = 0; i < 3; i++) {
		bsp_put((me + 1) % p, &x, area, 8, sizeof(x));
		bsp_hpput((me + 1) % p, text, text, LONG, LONG);
		bsp_get((me + 1) % p, area, 16, &x, sizeof(x));
		bsp_send((me + 1) % p, &me, &x, sizeof(x));
		bsp_sync();
	}
	bsp_pop_reg(text);
	bsp_end();
	if (argc == 1)
		free(text);
	free(area);
	return argc > 1 && area[1] > 0;
}
END
bspcc -g -w -o program program.c
ok $? "the program compiles"

# finds TRANSPORT ARGUMENT...: the status of valgrind, with what it says in findings
finds()
{
	BSP_TRANSPORT=$1
	export BSP_TRANSPORT
	shift
	timeout "$(limit 300)" valgrind --quiet --error-exitcode=9 --leak-check=full \
		--trace-children=yes --suppressions="$suppressions" ./program "$@" >findings 2>&1
}

transport=shm
! has_transport ofi || transport=ofi
finds $transport
ok $? "nothing is found over $transport" || diag "$(head -n 40 findings)"
finds shm wrong
is 9 $? "errors of a program are found"
like "definitely lost" "$(cat findings)" "and leaks"

done_testing
