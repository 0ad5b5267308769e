# SPDX-License-Identifier: BSD-3-Clause
# figure-6.sh - a receiver of eight senders behind a narrow link: latency and bandwidth.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/offload/collectives.sh"

guest_or_skip
ROUNDS=5 SIZES='1024 4096 16384 65536 262144' QUEUES=16 ROWS=$SHARED/congestion.rows \
	sh "$SOURCE/bench/congestion.sh" 8 >"$KEEP/table.md" || exit 1
cp "$SHARED/congestion.rows" rows
cp rows "$KEEP/rows"
echo "# a guest in virtual time; eight senders to one receiver, whose link takes 100 Mbit/s behind"
echo "# a queue of 16 frames, as in a port of a switch; medians and quartiles of 5 rounds"
echo "series,x,value,low,high,unit"
awk '
	$2 == "goodput" {
		way = toupper($4)
		printf "bandwidth/%s,%d,%g,%g,%g,Mbit/s\n", way, $3, $7, $8, $9
		bits = 8 * $5 * $3
		printf "latency/%s,%d,%g,%g,%g,us\n", way, $3, bits / $7, bits / $9, bits / $8
	}' rows
