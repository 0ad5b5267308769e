#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Messages through the ring of shared memory arrive, and no process sleeps for ever, in whatever
# order stores reach memory; without one of the rules spin finds a fault.
# shellcheck disable=SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/relaxed/model/spin.sh"

model=ring.pml

holds "messages through a ring, with store buffers"
holds "through one slot" -DSLOTS=1 -DMESSAGES=3

finds "without a release the turn comes before the data" 'assertion violated .seen' -DNO_RELEASE
finds "data that are read before the turn are old" 'assertion violated .seen' -DEARLY_READ
finds "data that are read after the ack are those of a later message" 'assertion violated .seen' \
	-DLATE_READ
finds "without membarrier() and a limit a process sleeps for ever" 'invalid end state' \
	-DNO_MEMBARRIER
finds "as without a last look before the sleep" 'invalid end state' -DNO_LOOK
finds "and without a waker" 'invalid end state' -DNO_WAKE

done_testing
