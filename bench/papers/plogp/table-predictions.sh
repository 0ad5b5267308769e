# SPDX-License-Identifier: BSD-3-Clause
# table-predictions.sh - each operation: is the time of the chosen algorithm as predicted, and is it
# about the best?
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/plogp/probe.sh"

operations=bcast,scatter,gather,allgather,exchange,reduce,allreduce,scan,reduce-scatter,barrier
echo "# $about_real; two processes"
echo "$head"
for network in $(networks); do
	rows "$network" 2 $operations | awk -F, -v network="$network" '
		function flush() {
			if (chosen > 0) {
				printf "%s %s/predicted by measured,%d,%g,,,\n", network, kind, \
					bytes, predicted / chosen
				printf "%s %s/chosen by best,%d,%g,,,\n", network, kind, bytes, \
					chosen / best
			}
			chosen = 0
		}
		NR == 1 || $3 != 2 { next }
		$1 != kind || $4 != bytes { flush(); kind = $1; bytes = $4 }
		$11 == 1 { predicted = $6; chosen = $7 }
		$12 == 1 { best = $7 }
		END { flush() }'
done
