#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bsprun --nodes: the same results, with a supervisor and memory for each node, and lines whole.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

need_transport ofi

cat >sums.c <<'END_C'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_shared(int me)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long inode, last = 0;
	char line[4096];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "memfd:bsp") &&
		    sscanf(line, "%*s %*s %*s %*s %lu", &inode) == 1 && inode != last) {
			printf("memory %lu process %d\n", inode, me);
			last = inode;
		}
	if (maps)
		fclose(maps);
}

/* Has the supervisor of this process loaded libfabric, before it has forked? */
static void print_loaded(int me)
{
	char name[64], line[4096];
	FILE *maps;
	int found = 0;

	snprintf(name, sizeof(name), "/proc/%d/maps", (int)getppid());
	maps = fopen(name, "r");
	while (maps && fgets(line, sizeof(line), maps))
		found |= strstr(line, "libfabric") != NULL;
	if (maps)
		fclose(maps);
	printf("loaded %d process %d\n", found, me);
}

/* sums [PROCESSES]: bsp_begin with so many at most */
int main(int argc, char **argv)
{
	int me, n, sum = 0, i;

	bsp_begin(argc > 1 ? atoi(argv[1]) : bsp_nprocs());
	me = bsp_pid();
	n = bsp_nprocs();
	int all[64] = { 0 };
	bsp_push_reg(all, sizeof(all));
	bsp_sync();
	for (i = 0; i < n; i++) {
		int value = 100 * me + i;

		bsp_put(i, &value, all, me * (int)sizeof(value), sizeof(value));
	}
	bsp_sync();
	for (i = 0; i < n; i++)
		sum += all[i] * (i + 1);
	printf("result %d of %d: %d\n", me, n, sum);
	printf("supervisor %d process %d\n", (int)getppid(), me);
	print_shared(me);
	print_loaded(me);
	for (i = 0; i < 100; i++)
		printf("line %d.%d ................................... end\n", me, i);
	bsp_end();
	return 0;
}
END_C
bspcc -o sums sums.c >built 2>&1 || bail "sums.c does not compile: $(cat built)"

# run OPTION...: its output is in the file out
run()
{
	timeout -k 5 "$(limit)" bsprun "$@" >out 2>err </dev/null
	is 0 $? "bsprun $*: ends well" || diag "$(cat err)"
}

# blocks OUT: how many processes each supervisor has, in the order of the processes
blocks()
{
	sed -n 's/^supervisor //p' "$1" | sort -k 3n | awk '
		$1 != last { if (n) printf "%d,", n; n = 0; last = $1 }
		{ n++ } END { print n }'
}

run -n 7 ./sums
grep ^result out | sort >alone

run -n 7 --nodes 3 -x BSP_VERBOSE=1 ./sums
is "$(cat alone)" "$(grep ^result out | sort)" "7 processes on 3 nodes: the same results"
is 3,3,1 "$(blocks out)" "a supervisor for each node, of 3, 3 and 1 processes"
like "transport mix" "$(cat err)" "memory inside nodes, a network between them"
like "3 nodes, shm inside, ofi between them" "$(cat err)" "which is ofi"

# Processes that have a piece of memory in common: each piece is of one node.
sed -n 's/^memory //p' out | sort -k 3n | awk '{ of[$1] = of[$1] " " $3 }
	END { for (i in of) print of[i] }' | sort -u >pieces
is " 0 1 2
 3 4 5
 6" "$(cat pieces)" "each node has memory of its own, with all of its processes"
is 7 "$(grep -c '^loaded 1 ' out)" "libfabric was loaded before the processes were forked"
is 700 "$(grep -c '^line .* end$' out)" "all lines are whole"

run -n 10 --nodes 4 ./sums 5
is 3,2 "$(blocks out)" "of 3, 3, 3 and 1 processes a program that asks for 5 has the first"
run -n 4 --nodes 2 --tag-output --report report.json ./sums
is 400 "$(grep -c '^\[\([0-9]\)\] line \1\..* end$' out)" "lines have the numbers of all nodes"
is 4 "$(grep -c '"puts": 4' report.json)" "a report is of all nodes"
run -n 3 --nodes 1 ./sums
is 3 "$(blocks out)" "one node is none"
run -n 2 --nodes 2 --transport ofi ./sums
is 1,1 "$(blocks out)" "--transport ofi: between all processes"
# If no transport can run, the one that would carry the job says why.
like "^bsp_begin: transport mix cannot be used: between nodes: ofi: bsp-ofi.so is not installed" \
	"$(BSP_PLUGINS=$PWD/none bsprun -n 4 --nodes 2 ./sums 2>&1)" \
	"nodes without a network: each transport that was tried says why it cannot run"

done_testing
