#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Output, statistics, checks and signals of later SPMD parts; and where a launcher has started the
# program there are none.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

# parts N...: a part for each number; "wait": then process 0 of the last part waits for a signal, in
# the part.
cat >parts.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int n, part, waits;

static void spmd(void)
{
	bsp_begin(n);
	printf("part %d: %d of %d\n", part, (int)bsp_pid(), (int)bsp_nprocs());
	bsp_sync();
	if (waits && bsp_pid() == 0) {
		fprintf(stderr, "ready\n");
		for (;;)
			pause();
	}
	bsp_end();
}

int main(int argc, char **argv)
{
	int i;

	bsp_init(spmd, argc, argv);
	for (i = 1; i < argc; i++) {
		part = i;
		n = atoi(argv[i]);
		waits = i + 1 < argc && strcmp(argv[i + 1], "wait") == 0;
		spmd();
	}
	printf("after all\n");
	return 3;
}
END
compile parts

cat >again.c <<'END'
#include <bsp.h>
#include <stdlib.h>
#include <string.h>

static void spmd(void)
{
	bsp_begin(bsp_nprocs());
	bsp_end();
}

int main(int argc, char **argv)
{
	bsp_init(spmd, argc, argv);
	spmd();
	if (argc > 1)
		bsp_init(spmd, argc, argv);
	spmd();
	return 0;
}
END
compile again

bsprun=$top_builddir/tools/bsprun/bsprun
expected="[0] after all
[0] part 1: 0 of 2
[0] part 2: 0 of 1
[0] part 3: 0 of 4
[1] part 1: 1 of 2
[1] part 3: 1 of 4
[2] part 3: 2 of 4
[3] part 3: 3 of 4"

is "$expected" "$(timeout -k 5 "$(limit)" "$bsprun" --local --tag-output -n 4 ./parts 2 1 4 2>err | sort)" \
	"lines of all parts have the number of their process" || diag "$(cat err)"
is "$expected" "$(timeout -k 5 "$(limit)" "$bsprun" --local --tag-output --watchdog "$(limit)" -n 4 ./parts 2 1 4 \
	2>err | sort)" \
	"also with a watchdog" || diag "$(cat err)"
timeout -k 5 "$(limit)" "$bsprun" --local -n 4 ./parts 2 1 4 >out 2>err
is 3 $? "the status is that of process 0"
is "" "$(cat err)" "without a word"

BSP_STAT=1 timeout -k 5 "$(limit)" "$bsprun" --local -n 4 ./parts 2 1 4 >out 2>err
is "bsp: 2 processes
bsp: 1 processes
bsp: 4 processes" "$(grep -o '^bsp: [0-9]* processes' err)" "statistics of each part"
timeout -k 5 "$(limit)" "$bsprun" --local --check -n 4 ./parts 2 3 2 >out 2>err
is 3 $? "bsprun --check: three parts" || diag "$(cat err)"

# A signal in a later part ends it; the watchdog sees it.
timeout -k 5 "$(limit)" "$bsprun" --local -n 3 ./parts 2 3 wait >out 2>err &
runner=$!
until_true grep -q ready err
kill -TERM $runner
wait $runner
is 143 $? "a signal ends the processes of a later part"
seconds=$(scaled 1)
timeout -k 5 "$(limit)" "$bsprun" --local --watchdog "$seconds" -n 3 ./parts 2 3 wait >out 2>err
is 1 $? "the watchdog watches over a later part"
like "bsp: no progress for $seconds s; of 3 processes" "$(cat err)" "and tells of it"

# A launcher has started what there is, once.
for how in "" " with bsp_init"; do
	# shellcheck disable=SC2086
	launched 2 ./again $how >seen
	test "$(cat status)" -ne 0
	ok $? "mpirun$how: a second part is refused"
	like \
		'^bsp_(begin|init): called after bsp_end; a program that a launcher has started .*has one SPMD part.*bsprun --local' \
		"$(cat err)" "mpirun$how: it is said why"
	is 1 "$(grep -c '^bsp_' err)" "mpirun$how: by one message"
done

done_testing
