# SPDX-License-Identifier: BSD-3-Clause
# table-1.sh - parameters of LogP of the nodes of Table 1, and of hosts of a guest.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/offload/collectives.sh"

guest_or_skip
rm -f "$KEEP/rows"
BUILD=$BUILD ROWS=$KEEP/rows PARTS=overheads sh "$SOURCE/bench/barriers.sh" 2 >/dev/null || exit 1
echo "# hosts of a guest, in virtual time, schedules in softirq; a message without data"
echo "series,x,value,low,high,unit"
awk '$3 == "message" && $4 == "softirq" {
		us[$2] = $7
	}
	END {
		printf "os,4,%.3g,,,us\n", us["os"]
		printf "L,4,%.3g,,,us\n", us["L"]
		printf "or,4,%.3g,,,us\n", us["or"]
		printf "gap,4,%.3g,,,us\n", us["work"] - us["or"]
	}' "$KEEP/rows"
