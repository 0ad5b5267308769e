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
bytes=524288
rounds=2
said=$(BUILD=$top_builddir ROUNDS=$rounds SIZES=$bytes QUEUES=64 ROWS=$rows sh \
	"$top_srcdir/bench/congestion.sh" 1 8 2>&1)
is 0 "$?" "congestion.sh" || diag "$said"

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

# Time in the guest is virtual: this does not depend on what else this machine does.
for senders in 1 8; do
	# of a hundred that are needed; one round more is not counted
	lost=$($AWK -v n="$(figure dropped esp $senders)" -v senders=$senders -v bytes=$bytes \
		-v rounds=$rounds 'BEGIN {
			print 100 * n / ((rounds + 1) * senders * bytes / 1448)
		}')
	diag "$lost % of frames are lost"
	holds "$lost < 8" "$senders: few frames are lost"
	holds "$(figure goodput esp $senders) > 0.97 * $(figure goodput tcp $senders)" \
		"$senders: as much comes as over TCP"
	holds "$(figure fair esp $senders) > 0.95" "$senders: each has its share"
done
done_testing
