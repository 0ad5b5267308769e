#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Valgrind finds nothing of ours in a random program.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

command -v valgrind >/dev/null || skip_all "no valgrind here"
test -z "$BSP_SANITIZE" || skip_all "not applicable: sanitizers and valgrind do not bear each other"

BSP_PLUGINS=${BSP_PLUGINS:-$top_builddir/.libs}
BSP_WATCHDOG=$(limit 120)
# hwloc says much where it cannot ask the processor.
HWLOC_COMPONENTS=-x86
export BSP_PLUGINS BSP_WATCHDOG HWLOC_COMPONENTS

# run PROCESSES BARRIER ARGUMENT...
run()
{
	processes=$1 barrier=$2
	test "${BSP_TRANSPORT-}" != self || processes=1
	shift 2
	# A search for leaks reads all memory that shm has reserved.
	BSP_NPROCS=$processes BSP_BARRIER=$barrier timeout "$(limit 280)" \
		valgrind -q --leak-check=no --error-exitcode=99 --trace-children=yes \
		--suppressions="$top_srcdir/t/soak/valgrind.supp" \
		"$top_builddir/t/soak/soak" "$@" >"$tap_dir/out" 2>"$tap_dir/err" </dev/null
	is 0 $? "the status of $processes processes, $barrier: $*"
	like 'as in the model$' "$(cat "$tap_dir/out")" "it comes to its end"
	none "$(cat "$tap_dir/err")" "valgrind has nothing to say"
}

run 3 dissemination seed=1 steps=130 phases=mixed,bursts,registrations

done_testing
