#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where mpirun has given processes other settings, as it does on hosts to which it brings no
# variables, those of process 0 count for all of them.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

cat >around.c <<'END'
#include <bsp_coll.h>
#include <stdio.h>

int main(void)
{
	int left = -1, me, p, sum;

	bsp_begin(bsp_nprocs());
	me = bsp_pid();
	p = bsp_nprocs();
	bsp_push_reg(&left, sizeof left);
	bsp_sync();
	bsp_set_sync(BSP_RELAXED);
	for (int step = 0; step < 20; step++) {
		bsp_put((me + 1) % p, &me, &left, 0, sizeof me);
		bsp_sync();
		bsp_read(&left, WAITS);
	}
	sum = bsp_sumI(left);
	printf("%d after %d, sum %d\n", me, left, sum);
	bsp_end();
	return 0;
}
END
CFLAGS="$CFLAGS -DWAITS=1" compile around
cp around.c wrong.c
CFLAGS="$CFLAGS -DWAITS=2" compile wrong
all="0 after 2, sum 3
1 after 0, sum 3
2 after 1, sum 3"

# with SETTING OTHER PROGRAM: process 0 has one, the two others the other; ":" is none
with()
{
	timeout -k 5 "$(limit)" "$MPIRUN" --oversubscribe -n 1 env "$1" "./$3" : \
		-n 2 env "$2" "./$3" >out 2>err </dev/null
	echo $? >status
	sort out
}

none=UNUSED=1
while read -r one other; do
	is "$all" "$(with "$one" "$other" around)" "process 0 has $one, the others $other" ||
		diag "$(cat err)"
done <<END
BSP_BARRIER=linear $none
$none BSP_BARRIER=linear
BSP_BARRIER=nbx BSP_BARRIER=binomial
BSP_SYNC=classic $none
BSP_TRANSPORT=shm BSP_TRANSPORT=mix
BSP_COLL=allreduce:recursive-doubling,bcast:binomial $none
BSP_EAGER=0 BSP_EAGER=1k
$none BSP_NPROCS=3
END

# Process 1 finds what is wrong in its own call, though process 0 alone was asked to check.
with BSP_CHECK=1 $none wrong >/dev/null
like '^bsp_read: n is 2, but the true number of puts .* is 1: process ' "$(cat err)" \
	"all check where process 0 does"
like 'violations, found on 3 of 3 processes' "$(cat err)" "on each process"
is "$all" "$(with $none BSP_CHECK=1 around)" "none does where another one would" ||
	diag "$(cat err)"
none "$(grep checked err)" "and nothing is printed of it"

# All count what a report, or a program of bspcc -stat, has of them.
with BSP_REPORT=report.json $none around >/dev/null
is 3 "$(grep -c '"puts": [1-9]' report.json)" "process 0 reports what all have done" ||
	diag "$(cat err report.json)"
is "$all" "$(with $none BSP_REPORT=other.json around)" "others report nothing" ||
	diag "$(cat err)"
none "$(find . -name 'other*')" "and write no file"
cp around.c counted.c
CFLAGS="$CFLAGS -DWAITS=1" compile counted -Wl,--defsym=bsp_stat_by_default=1
for other in $none BSP_STAT=0 BSP_STAT=1; do
	with $none $other counted >/dev/null
	is 3 "$(grep -cE '^ +[0-2] +[1-9]' err)" \
		"statistics by default of process 0, the others have $other: of all" ||
		diag "$(cat err)"
done

# A value that is wrong ends the job with its name, wherever it is.
with $none BSP_SYNC=never around >/dev/null
like 'BSP_SYNC is "never", but must be one of program' "$(cat err)" "a wrong value is named"

done_testing
