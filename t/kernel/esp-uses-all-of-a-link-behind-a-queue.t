#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Senders to one receiver behind a short queue share its link, and use all of it.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"
. "$top_srcdir/t/lib/congestion.sh"

measure "esp tcp" 64 524288 2 1 8
for senders in 1 8; do
	loses_less 5 $senders
	esp=$(row goodput esp $senders) tcp=$(row goodput tcp $senders)
	fair=$(row fair esp $senders)
	figure "$senders senders, a queue of 64: ESP $esp Mbit/s, fairness $fair, $lost % lost;" \
		"TCP $tcp Mbit/s"
	holds "$esp > 0.97 * $tcp" "$senders: as much comes as over TCP"
	holds "$fair > 0.95" "$senders: each has its share"
done

# The grants of all together are no more than the queue holds, also when all begin at once. A round
# in which the last frame of a message is lost takes as long as the timer, and which rounds do is
# chance: quartiles are from 48 to 95 Mbit/s. The median was 30 before grants were counted.
measure "esp tcp" 16 16384 9 8
loses_less 15 8
figure "8 senders, a queue of 16: ESP $(row goodput esp 8) of 100 Mbit/s, $lost % lost"
holds "$(row goodput esp 8) > 40" "of 100 Mbit/s more than 40 are used"
done_testing
