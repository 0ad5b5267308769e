#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Settings that are parts of BSP_WAIT now are accepted by their old names, with one notice for each.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# Process 1 comes to the barrier when there is a file.
cat >"$tap_dir/late.c" <<'END'
#include <bsp.h>
#include <unistd.h>
int main(void)
{
	bsp_begin(bsp_nprocs());
	while (bsp_pid() == 1 && access("go", F_OK))
		usleep(10000);
	bsp_sync();
	bsp_end();
}
END
cd "$tap_dir" || bail "no $tap_dir"
bspcc -o late late.c || bail "bspcc"
BSP_NPROCS=2 BSP_TRANSPORT=shm
export BSP_NPROCS BSP_TRANSPORT

# moved OLD VALUE ITEM: the notice is printed once, by the program or by bsprun
moved()
{
	env "$1=$2" ./late 2>said
	is "bsp_begin: $1 is now a part of BSP_WAIT: BSP_WAIT=$3" "$(sed 's/ (.*//' said)" \
		"$1=$2: one notice of a job of two, and no other line"
	is "BSP_NPROCS=2 BSP_TRANSPORT=shm BSP_WAIT=$3 ./late" \
		"$(env "$1=$2" bsprun --show ./late 2>said)" "bsprun gives the program $3"
	is "bsprun: $1 is now a part of BSP_WAIT: BSP_WAIT=$3" "$(cat said)" "with its notice"
	is "BSP_NPROCS=2 BSP_TRANSPORT=shm BSP_WAIT=$3 ./late" \
		"$(bsprun -x "$1=$2" --show ./late 2>/dev/null)" "so does -x"
	env "$1=$2" bsprun ./late 2>said
	is 1 "$(grep -c 'is now a part' said)" "the program behind bsprun prints no other"
}

: >go
moved BSP_JOIN_WAIT 5 join:5
moved BSP_DISCOVER_WAIT 5.5s join:5.5s
moved BSP_LIFELINE 3 lifeline:3
moved BSP_WATCHDOG_WARN 7 warn:7
moved BSP_SPIN 0 spin:0us
moved BSP_SPIN auto spin:auto
moved BSP_YIELD 30 yield:30us
moved BSP_YIELD 3ms yield:3ms

is "BSP_NPROCS=2 BSP_TRANSPORT=shm BSP_WAIT=lifeline:3,spin:0us,lifeline:4 ./late" \
	"$(BSP_SPIN=0 BSP_LIFELINE=3 BSP_WAIT=lifeline:4 bsprun --show ./late 2>/dev/null)" \
	"the new name counts where both are set, as a later time does"
is "BSP_NPROCS=2 BSP_TRANSPORT=shm BSP_WAIT=lifeline:4,lifeline:3 ./late" \
	"$(BSP_WAIT=lifeline:4 bsprun -x BSP_LIFELINE=3 --show ./late 2>/dev/null)" \
	"but -x counts before the environment"
is "BSP_NPROCS=2 BSP_TRANSPORT=shm BSP_WATCHDOG=0 BSP_WAIT=warn:0,join:5 ./late" \
	"$(bsprun --watchdog 0 -x BSP_WAIT=join:5 --show ./late)" \
	"other times of -x leave --watchdog 0 without a warning"
is "BSP_NPROCS=2 BSP_TRANSPORT=shm BSP_WAIT=join:0.3,join:0.5 ./late" \
	"$(BSP_JOIN_WAIT=0.3 BSP_DISCOVER_WAIT=0.5 bsprun --show ./late 2>/dev/null)" \
	"two old names of one time come in the order of the library"

# Process 0 of two waits in bsp_begin for the other, which never gets there.
cat >alone <<'END'
if test "$OMPI_COMM_WORLD_RANK" -ne 0; then
	until test -e over; do sleep 0.05; done
	exit
fi
unset BSP_NPROCS BSP_TRANSPORT
"$@" ./late 2>said
: >over
END
# joins [COMMAND]: what the program started by @COMMAND says
joins()
{
	rm -f over said
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 BSP_JOIN_WAIT=0.3 \
		BSP_DISCOVER_WAIT=0.5 timeout -k 5 "$(limit)" "$MPIRUN" --oversubscribe -n 2 \
		sh ./alone "$@" >out 2>err </dev/null
	grep -o 'have not come to bsp_begin for .* s;' said || diag "$(cat said err)"
}
if test "$MPIRUN" && test -z "$BSP_SANITIZE" && has_plugin pmix &&
	"$MPIRUN" --version 2>/dev/null | grep -q 'Open MPI\|OpenRTE'; then
	is "have not come to bsp_begin for 0.5 s;" "$(joins)" "of both the library takes the later"
	is "have not come to bsp_begin for 0.5 s;" "$(joins bsprun)" "also behind bsprun"
else
	skip "no mpirun of Open MPI here, or no plugin for it"
fi
is "  BSP_LIFELINE=3 is now a part of BSP_WAIT: BSP_WAIT=lifeline:3" \
	"$(BSP_LIFELINE=3 bspinfo | grep LIFELINE)" "bspinfo says so"

# warns SETTING: a job whose process 1 is late says so within the limit of a test, not after 600 s
warns()
{
	rm -f go
	env "$1" ./late 2>said &
	until_true grep -q 'no progress' said
	ok $? "$1 is used" || diag "$(cat said)"
	: >go
	wait $!
	is 0 $? "and the job goes on"
}
warns BSP_WAIT=join:5,warn:0.2
warns BSP_WATCHDOG_WARN=0.2

for wrong in BSP_SPIN=long BSP_LIFELINE=-1 BSP_YIELD=5q BSP_JOIN_WAIT=9999999 BSP_WATCHDOG_WARN=; do
	env $wrong ./late 2>said
	is "1 bsp_begin: BSP_WAIT is" "$? $(grep -o '^bsp_begin: BSP_WAIT is' said | head -1)" \
		"$wrong is wrong"
	env $wrong bsprun ./late 2>said
	is 2 $? "and bsprun refuses it"
done

done_testing
