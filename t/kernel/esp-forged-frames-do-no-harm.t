#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ESP: frames that are random, cut, replayed, reflected or forged are counted and change nothing.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

unauthenticated=$(guest_program unauthenticated) && forger=$(guest_program forger) &&
	reflector=$(guest_program reflector) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
segment 3 || echo "Bail out! no segment"
# Forged sources must not teach the bridge where hosts are.
for port in p1 p2 p3; do
	ip link set $port type bridge_slave learning off
done

for seed in 1 2 3; do
	tests "seed $seed" unauthenticated $seed 8000
done

tests "flood" unauthenticated flood
tests "acknowledgements" forger
tests "reflected" reflector

# dropped HOST REASON
dropped()
{
	in_ns "$1" cat /proc/net/enet | awk -v reason="$2" '$1 == reason { print $2 }'
}
for reason in truncated version type no_socket checksum tag duplicate; do
	test "$(dropped h2 $reason)" -gt 0
	ok $? "frames are counted as $reason"
done
done_testing
END
# shellcheck disable=SC2086
run_guest $virtual -t 240 "$stock" "$tap_dir/script" "$unauthenticated" "$forger" "$reflector"
