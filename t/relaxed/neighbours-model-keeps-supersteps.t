#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Supersteps among neighbours have what was put in them, whatever the order of messages; without one
# of the rules they do not, and spin finds it.
# shellcheck disable=SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/relaxed/model/spin.sh"

model=neighbors.pml

holds "neighbours on a line, and one superstep for all"
holds "the first process alone ends a superstep for all: it is refused" -DDISAGREE

finds "a process far ahead is counted in the wrong epoch without a meeting" \
	'assertion violated ..sent==step' -DNO_MEETING -DALL=2 -DSTEPS=4
finds "without words from the neighbours puts are missing" 'assertion violated .got' -DNO_WORD
finds "a chunk of the next superstep takes effect too early" 'assertion violated .got' -DNO_HOLD
finds "with one count for all supersteps: deadlock" 'invalid end state' -DNO_EPOCHS
finds "processes that differ and are not refused: deadlock" 'invalid end state' \
	-DDISAGREE -DNO_REFUSAL

done_testing
