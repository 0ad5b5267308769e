#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where a random program differs from the model it says where, and how the run is repeated.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

BSP_PLUGINS=${BSP_PLUGINS:-$top_builddir/.libs}
BSP_WATCHDOG=$(limit)
export BSP_PLUGINS BSP_WATCHDOG
soak=$top_builddir/t/soak/soak
processes=3
test "${BSP_TRANSPORT-}" != self || processes=1

# One byte of the last process is not what it should be in superstep 70.
BSP_NPROCS=$processes BSP_BARRIER=counting timeout "$(limit)" "$soak" seed=5 steps=300 spoil=70 \
	>"$tap_dir/out" 2>"$tap_dir/err"
is 1 $? "the status of a run with a wrong byte"
is "" "$(cat "$tap_dir/out")" "it does not say that all is as in the model"
where="^soak: seed 5, superstep 70 of 300 \([a-z]+, (classic|relaxed)\), "
where="${where}process $((processes - 1)) of $processes: "
like "${where}byte 399999 of memory is [0-9]+, expected [0-9]+\$" \
	"$(cat "$tap_dir/err")" "it names seed, superstep, process, byte, and both values"

# The command it prints does the same, and no more supersteps.
command=$($SED -n 's/^soak: repeat: //p' "$tap_dir/err")
like "BSP_BARRIER=counting .*BSP_NPROCS=$processes .* seed=5 spoil=70 steps=71\$" "$command" \
	"it prints a command"
env -i PATH="$PATH" sh -c "$command" >"$tap_dir/out" 2>"$tap_dir/again"
is 1 $? "the status of that command"
is "$($SED -n 's/.* process/process/p' "$tap_dir/err" | head -n 1)" \
	"$($SED -n 's/.* process/process/p' "$tap_dir/again" | head -n 1)" "it fails likewise"

# refused ARGUMENT
refused()
{
	"$soak" "$1" >"$tap_dir/out" 2>&1
	is 2 $? "$1 is refused"
}

refused seeds=1
refused seed=x
refused steps=0
refused phases=mixed,none
refused without=puts

done_testing
