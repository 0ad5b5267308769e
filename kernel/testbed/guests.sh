#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# guests.sh - boots several guests on one Ethernet segment and prints their TAP as one.

# usage: guests.sh SEGMENT N OPTION... STOCK SCRIPT [PROGRAM]...
#
# SEGMENT is the program of segment.c, the rest are the arguments of guest.sh, for each of the N
# guests. All run SCRIPT, in which $guest is the number of the guest, barrier waits for the other
# guests, and vanish ends the guest like a power failure (testlib). The run fails if that of one
# guest fails, or its plan is missing or wrong.

here=$(cd "$(dirname "$0")" && pwd)
segment=$1 n=$2
shift 2
work=$(mktemp -d "${TMPDIR:-/tmp}/bsp-guests.XXXXXX") || exit 1
started=
cleanup()
{
	# shellcheck disable=SC2086
	test -z "$started" || { kill $started 2>/dev/null; wait $started 2>/dev/null; }
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

"$segment" "$work" "$n" >"$work/log" 2>&1 &
started=$! hub=$!
for _ in $(seq 1200); do
	test ! -e "$work/ready" || break
	kill -0 $hub 2>/dev/null || break
	sleep 0.1
done
test -e "$work/ready" || { echo "Bail out! guests.sh: no segment: $(cat "$work/log")"; exit 1; }

guests=
for i in $(seq "$n"); do
	sh "$here/guest.sh" -n "$work" -i "$i" "$@" >"$work/tap.$i" 2>"$work/errors.$i" </dev/null &
	started="$started $!" guests="$guests $!"
done
result=0
for pid in $guests; do
	wait "$pid" || result=1
done
for i in $(seq "$n"); do
	sed "s/^/# guest $i: /" "$work/errors.$i"
done

# Test points are numbered consecutively, and name their guest.
for i in $(seq "$n"); do
	sed "s/^/$i /" "$work/tap.$i"
done | awk -v n="$n" '
	{ guest = $1; sub(/^[0-9]+ /, "") }
	/^(not )?ok / {
		seen[guest] += !/^not ok - guest: /
		word = /^not/ ? "not ok" : "ok"
		sub(/^(not )?ok *[0-9]*/, "")
		sub(/^ *- /, "")
		print word " " ++all " - guest " guest ": " $0
		next
	}
	/^1\.\.[0-9]+/ { plan[guest] = substr($1, 4); next }
	{ print }
	END {
		for (g = 1; g <= n; g++) {
			if (plan[g] == "" || plan[g] != seen[g] + 0) {
				print "not ok " ++all " - guest " g ": its plan is " plan[g] ", seen are " seen[g] + 0
				bad = 1
			}
		}
		print "1.." all
		exit bad
	}' || result=1
exit $result
