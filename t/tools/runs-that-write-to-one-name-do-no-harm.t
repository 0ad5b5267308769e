#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs that record or report to one name at the same time end well, each with a whole file; no link
# that lies there is followed, and nothing but what was asked for stays.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >ring.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ring N: N supersteps; ring N FIFO: after half of them a byte is read; ring N abort: at the end */
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), x = 0, me;
	FILE *wait;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&x, sizeof x);
	bsp_sync();
	for (int i = 0; i < n; i++) {
		bsp_put((bsp_pid() + i) % bsp_nprocs(), &i, &x, 0, i % 4);
		bsp_sync();
		if (i == n / 2 && argc > 2 && strcmp(argv[2], "abort") && bsp_pid() == 0) {
			wait = fopen(argv[2], "r");
			fgetc(wait);
			fclose(wait);
		}
	}
	me = bsp_pid();
	bsp_end();
	if (argc > 2 && strcmp(argv[2], "abort") == 0 && me == 0)
		abort();
	return 0;
}
END
bspcc -o ring ring.c || bail "the program does not compile"

# steps FILE: supersteps of a recording
steps()
{
	bspprof "$1" | sed -n 's/.* \([0-9]*\) supersteps.*/\1/p'
}

# beside COMMAND...: while it runs, another run of the same begins and ends; see status-1, status-2
beside()
{
	rm -f go
	mkfifo go
	"$@" ./ring 100000 go >said-1 2>&1 &
	exec 3>go		# which returns when the first run is in the middle
	"$@" ./ring 10 >said-2 2>&1
	echo $? >status-2
	echo >&3
	exec 3>&-
	wait $!
	echo $? >status-1
}

export BSP_NPROCS=2
beside env BSP_RECORD=one.rec
is "0 0" "$(cat status-1) $(cat status-2)" "two runs that record to one name end well" ||
	diag "$(cat said-1 said-2)"
is 100002 "$(steps one.rec)" "the recording is that of the last one"
is one.rec "$(echo one.*)" "and nothing else is left"
beside bsprun --record two.rec --profile two.html
is "0 0" "$(cat status-1) $(cat status-2)" "so do two of bsprun" || diag "$(cat said-1 said-2)"
is 100002 "$(steps two.rec)" "whose recording is that of the last one, too"
is "two.html two.rec" "$(echo two.*)" "and nothing else is left"
beside env BSP_REPORT=three.json
is "0 0" "$(cat status-1) $(cat status-2)" "two runs that report to one name end well"
is three.json "$(echo three.*)" "and leave one file"

# ---- Links that lie there --------------------------------------------------------------------

for planted in four.rec four.rec.part0 four.rec.part1 four.rec.end four.json four.html \
	four.trace four.table four.goal four.svg; do
	echo precious >"of-$planted"
	ln -s "of-$planted" "$planted"
done
BSP_RECORD=four.rec BSP_REPORT=four.json ./ring 10
bsprun --profile four.html --trace four.trace ./ring 10
bspprof -o four.table four.rec
goalc gen barrier -P 2 -o four.goal
goalc svg --output four.svg four.goal
for planted in rec json html trace table goal svg; do
	test -s four.$planted && test ! -L four.$planted
	ok $? "four.$planted is a file of its own"
done
none "$(grep -L '^precious$' of-*)" "what the links named is as it was"

# ---- Files that are none ----------------------------------------------------------------------

like '"nprocs": 2' "$(BSP_REPORT=/dev/stdout ./ring 10)" "a report goes to a device or a pipe"
BSP_REPORT=/dev/full ./ring 10 2>said
is 0 $? "a report that cannot be written does not end the computation"
like 'cannot write the report /dev/full \(BSP_REPORT\): No space left' "$(cat said)" "but is named"
if test "$(id -u)" -ne 0; then
	: >protected
	chmod 400 protected
	BSP_REPORT=protected ./ring 10 2>said
	like 'cannot write the report .*protected' "$(cat said)" "a protected file stays"
fi
test -c /dev/null
ok $? "a device is not replaced"

# ---- Ends --------------------------------------------------------------------------------------

bsprun --profile five.html ./ring 10 abort 2>/dev/null
is 134 $? "a program that aborts after bsp_end"
is five.html "$(echo five.*)" "leaves its profile and nothing else"
BSP_RECORD=six.rec ./ring 10 abort 2>/dev/null
is six.rec "$(echo six.*)" "or its recording"

done_testing
