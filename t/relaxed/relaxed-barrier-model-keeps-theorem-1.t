#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# In no order of messages does a read of a relaxed superstep go wrong or wait for ever.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/relaxed/model/spin.sh"

# The first random programs of eager puts alone, and in the long form (TAP_LONG) ten times as many.
# Searches of all else, and of the programs that have names, are the same in both.
n=60
test -z "${TAP_LONG-}" || n=600
holds "eager puts" -DLAST=$((n - 1))
holds "eager puts, no window, told as late as may be" \
	-DWINDOW=0 -DTELL=1 -DUPTO=PATTERN -DFIRST=1000 -DLAST=$((1000 + n - 1))
holds "eager puts, a wider window, told as late as may be" \
	-DWINDOW=2 -DTELL=3 -DFIRST=2000 -DLAST=$((2000 + n - 1))
holds "eager puts, bsp_sync takes in more than it must" \
	-DWINDOW=0 -DLINGER -DUPTO=RANDOM -DPUTS=2 -DLAST=49
holds "req, ack and data" -DASKS=1 -DUPTO=PATTERN -DLAST=49
holds "eager puts and puts that ask in one program" -DASKS=2 -DLAST=99
holds "global synchronisations among relaxed supersteps" \
	-DASKS=2 -DBARRIER -DFROM=RANDOM -DUPTO=RANDOM -DLAST=59
idle=$(printf '%s\n' "$seen" |
	$SED -n '/^unreached in proctype process/{n;s/^.*(\([0-9]*\) of .*/\1/p;}')
is 0 "$idle" "every statement of a process was run in it"

done_testing
