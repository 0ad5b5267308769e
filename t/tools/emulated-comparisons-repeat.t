#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On an emulated network both columns of a comparison compute alike, and a recording gives the same
# figures whenever it is replayed.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >work.c <<'END'
#include <bsp.h>

static double x[1000];

/* Work that takes processor time, more of it on process 0. */
static double work(int n)
{
	volatile double sum = 0;

	for (int i = 0; i < n; i++)
		sum += x[i % 1000];
	return sum;
}

int main(int argc, char **argv)
{
	double one = 1;
	int p, me;

	bsp_begin(bsp_nprocs());
	p = bsp_nprocs();
	me = bsp_pid();
	bsp_push_reg(x, sizeof x);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	for (int i = 0; i < 50 + argc; i++) {
		one += work(me ? 20000 : 40000);
		bsp_put((me + 1) % p, &one, x, 0, sizeof one);
		bsp_sync();
		one += work(20000);
		bsp_read(x, 1);
	}
	bsp_end();
	return 0;
}
END
bspcc -o work work.c || bail "the program does not compile"
TMPDIR=$tap_dir/tmp
export TMPDIR
mkdir "$TMPDIR"
network=L=50us,o=5us,g=5us,G=10ns

# row TABLE NAME: the two columns
row()
{
	sed -n "s/^$2  *\([0-9.]* [mu]*s\)  *\([0-9.]* [mu]*s\).*/\1,\2/p" "$1"
}

bsprun -n 3 --emulate $network --compare ./work >table
is 0 "$?" "a comparison"
like ', 1 round$' "$(cat table)" "of one round"
both=$(row table 'computation, mean')
test "$both" && test "${both%,*}" = "${both#*,}"
ok $? "computes the same in both columns" || diag "$(cat table)"
like '^Computation is that of one recorded run' "$(cat table)" "and says so"
none "$(ls -A "$TMPDIR")" "nothing is left"

bsprun -n 3 --emulate $network --sync classic --record work.rec ./work
bsprun -n 3 --emulate $network --replay work.rec --compare ./work >first
bsprun -n 3 --emulate $network --replay work.rec --compare --rounds 3 ./work >again
bsprun -n 3 --emulate $network --replay work.rec --compare ./work >second
cmp -s first second
ok $? "two comparisons of one recording are the same" || diag "$(diff first second)"
is "$(row first total)" "$(row again total)" "and so are three rounds"
took=$(bspprof work.rec | sed -n 's/.* supersteps, \([0-9.]*\) s$/\1/p')
bsprun -n 3 --emulate $network --replay work.rec --sync classic --record replayed.rec ./work
again=$(bspprof replayed.rec | sed -n 's/.* supersteps, \([0-9.]*\) s$/\1/p')
echo "$took $again" | awk '{ exit !($1 > 0 && $2 > 0.98 * $1 && $2 < 1.02 * $1) }'
ok $? "a replayed run takes as long as the recorded one" || diag "$took, $again"

# Runs that cannot be replayed end with a message.
bsprun -n 3 --emulate $network --replay work.rec ./work more 2>said
test $? -ne 0
ok $? "a run that makes other calls ends"
like 'work.rec \(BSP_REPLAY\) is of a run that made other calls here' "$(cat said)" "with that"
bsprun -n 2 --emulate $network --replay work.rec ./work 2>said
like 'is not one of all these processes' "$(cat said)" "one with fewer processes, too"
bsprun -n 3 --replay work.rec ./work 2>said
like 'is for emulated networks' "$(cat said)" "and one that is not emulated"
bsprun -n 3 --emulate $network --replay missing.rec ./work 2>said
like 'missing.rec \(BSP_REPLAY\) No such file' "$(cat said)" "and one without a recording"

done_testing
