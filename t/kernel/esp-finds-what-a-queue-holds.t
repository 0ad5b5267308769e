#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Senders to one receiver behind a short queue lose few frames, share its link, and use all of it.

# bench/congestion.sh, which says how it is measured; bench/CONGESTION.md has its figures.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

test -x "$top_builddir/bench/offload" || skip_all "bench/offload was not built"
test -z "$BSP_SANITIZE" || skip_all "not applicable: programs are sanitized"
test -z "$BSP_GUEST_KERNEL" ||
	skip_all "in virtual time a kernel that watches itself takes for ever"

rows=$tap_dir/rows

# measure QUEUE BYTES ROUNDS SENDERS...
measure()
{
	queue=$1
	bytes=$2
	rounds=$3
	shift 3
	rm -f "$rows"
	said=$(BUILD=$top_builddir ROUNDS=$rounds SIZES=$bytes QUEUES=$queue ROWS=$rows sh \
		"$top_srcdir/bench/congestion.sh" "$@" 2>&1)
	is 0 "$?" "a queue of $queue, messages of $bytes bytes" || diag "$said"
}

# figure TABLE WAY SENDERS
figure()
{
	$AWK -v table="$1" -v way="$2" -v senders="$3" \
		'$2 == table && $4 == way && $5 == senders { print $7 }' "$rows"
}

# holds CONDITION NAME: of awk
holds()
{
	$AWK "BEGIN { exit !($1) }"
	is 0 "$?" "$2" || diag "not so: $1"
}

# loses_less PERCENT SENDERS: of the frames that are needed; one round more is not counted
loses_less()
{
	lost=$($AWK -v n="$(figure dropped esp "$2")" -v senders="$2" -v bytes="$bytes" \
		-v rounds="$rounds" 'BEGIN {
			print 100 * n / ((rounds + 1) * senders * bytes / 1448)
		}')
	diag "$lost % of frames are lost"
	holds "$lost < $1" "$2: less than $1 % of the frames are lost"
}

# Time in the guest is virtual: this does not depend on what else this machine does.
measure 64 524288 2 1 8
for senders in 1 8; do
	loses_less 5 $senders
	holds "$(figure goodput esp $senders) > 0.97 * $(figure goodput tcp $senders)" \
		"$senders: as much comes as over TCP"
	holds "$(figure fair esp $senders) > 0.95" "$senders: each has its share"
done

# What is granted to all together is no more than the queue holds, also when all begin at once. A
# round in which the last frame of a message is lost takes as long as the timer, and which rounds do
# is chance: quartiles are from 48 to 95 Mbit/s. The median was 30 before grants were counted.
measure 16 16384 9 8
loses_less 15 8
holds "$(figure goodput esp 8) > 40" "of 100 Mbit/s more than 40 are used"
done_testing
