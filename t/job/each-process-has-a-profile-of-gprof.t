#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that was compiled with -pg writes a profile for each process, with the time that it has
# used and the calls that it has made.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

command -v gprof >/dev/null || skip_all "no gprof here"
test -z "$BSP_SANITIZE" || skip_all "not applicable: sanitizers replace what -pg calls"

# Process p makes p + 1 calls, each of 30 ticks of a hundredth of a second of its own time.
cat >work.c <<'END'
#include <bsp.h>
#include <time.h>
static double used(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}
__attribute__((noinline)) void work(void)
{
	volatile unsigned int x = 1;
	double end = used() + 0.3;

	do
		for (int i = 0; i < 1000000; i++)
			x = x * 3 + 1;
	while (used() < end);
}
int main(void)
{
	bsp_begin(bsp_nprocs());
	for (int i = 0; i <= bsp_pid(); i++)
		work();
	bsp_end();
	return 0;
}
END
bspcc -pg -o work work.c
bsprun -n 2 ./work
is 0 $? "a program with -pg runs"
for p in 0 1; do
	set -- gmon.out.$p.*
	is 1 $# "process $p has one profile" || continue
	calls=$((p + 1))
	# columns: percent, cumulative, self seconds, calls, ...
	seen=$(gprof -b -p ./work "$1" 2>&1)
	like "^ *[0-9.]+ +[0-9.]+ +[0-9.]+ +$calls .*work$" "$seen" \
		"with its calls"
	echo "$seen" | awk '$NF == "work" { found = $3 > 0 } END { exit !found }'
	ok $? "and its time"
done
mkdir named && cd named || bail "no folder"
GMON_OUT_PREFIX=mine bsprun -n 2 ../work
is 2 "$(find . -name 'mine.[0-9]*' | wc -l)" "GMON_OUT_PREFIX is the user's"

done_testing
