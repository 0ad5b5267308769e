#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# BSP_VERBOSE=1 says for how long a wait polls and then yields, which are times of BSP_WAIT.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"

gm=$top_builddir/bench/gm

# waits PROCESSES VALUE: for how long they poll and yield
waits()
{
	BSP_NPROCS=$1 BSP_WAIT=$2 BSP_VERBOSE=1 timeout "$(limit)" "$gm" 8 1 2>&1 >/dev/null |
		$SED -n 's/^.*waits poll for \(.*\) us before they yield for \(.*\) us:.*/\1 \2/p'
}

test "$(BSP_NPROCS=2 timeout "$(limit)" "$gm" 8 1 2>/dev/null | wc -l)" -gt 0 ||
	skip_all "not applicable: jobs of one process here"
is "$(waits 2 join:60)" "$(waits 2 spin:auto,yield:auto)" "auto is the default"
like '^[0-9]* 2000$' "$(waits 2 yield:auto)" "two processes yield for 2 ms"
is "3 7" "$(waits 2 spin:3us,yield:7us)" "times of the user"
is "0 0" "$(waits 2 spin:0,yield:0)" "or none"
done_testing
