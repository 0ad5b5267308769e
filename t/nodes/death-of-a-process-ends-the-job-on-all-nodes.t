#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# When one process dies, those on all nodes end, and a message says why.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
make_nodes 3
build_endless

for transport in mix mpi; do
	for victim in 0 3; do
		run_endless 4 bsprun --transport $transport -H node1,node2:2,node3
		kill -KILL "$(cat running.$victim)"
		ends "$transport: process $victim is killed, and all end"
		test $status -ne 0 && test $status -ne 124
		ok $? "$transport: with a status that is not 0 ($status)"
		like 'signal 9|Killed|cannot be reached|lost|gone|has died' "$(cat errors)" \
			"$transport: and a message"
		test "$(grep -c '^bsp[_:]' errors)" -le 1
		ok $? "$transport: and no other of ours" || diag "$(cat errors)"
	done
done

# After some supersteps one of four processes does something, and the others go on.
bspcc -O2 -o goes -x c - <<'END' || bail "goes does not compile"
#include <bsp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int area[16];

static void go(const char *how)
{
	if (strcmp(how, "aborts") == 0)
		bsp_abort("no more of %s", "this");
	if (strcmp(how, "errs") == 0)
		bsp_put(0, area, area, sizeof area, 4);
	if (strcmp(how, "ends") == 0)
		exit(0);
	if (strcmp(how, "fails") == 0)
		exit(3);
	if (strcmp(how, "vanishes") == 0)
		_exit(0);
	if (strcmp(how, "crashes") == 0)
		raise(SIGSEGV);
}

int main(int argc, char **argv)
{
	int s;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(area, sizeof area);
	bsp_sync();
	for (s = 0;; s++) {
		bsp_put((bsp_pid() + 1) % bsp_nprocs(), &s, area, 0, sizeof s);
		if (s == 20 && argc > 2 && bsp_pid() == atoi(argv[2]))
			go(argv[1]);
		bsp_sync();
	}
}
END

# goes HOW PROCESS MESSAGE: 0 and 1 are on one node, 2 and 3 on the other
goes()
{
	on_node node1 timeout -k 5 "$(limit)" bsprun -H node1:2,node2:2 ./goes "$1" "$2" \
		>output 2>errors &
	job=$!
	ends "process $2 $1, and all end"
	test $status -ne 0 && test $status -ne 124
	ok $? "process $2 $1: with a status that is not 0 ($status)"
	like "$3" "$(cat errors)" "process $2 $1: a message says so"
	test "$(grep -c '^bsp[_:]' errors)" -le 1
	ok $? "process $2 $1: and no other of ours" || diag "$(cat errors)"
}

died='^bsp: process [0-3] on node[12] has died|exited on signal|exited, but without'
goes aborts 0 '^bsp_abort: no more of this'
goes aborts 3 '^bsp_abort: no more of this'
goes errs 1 '^bsp_put: .*\(process 1, superstep 21, '
goes errs 2 '^bsp_put: .*\(process 2, superstep 21, '
goes ends 2 '^bsp_end: was not called before the end'
goes fails 1 '^bsp_end: was not called before the end'
goes vanishes 0 "$died"
goes vanishes 3 "$died"
goes crashes 2 "$died"

none "$(files_left)" "no files stay behind"

done_testing
