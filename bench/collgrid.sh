#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collgrid.sh - how often the models choose the best algorithm: operations x sizes x processes on
# emulated networks.

# collgrid.sh [PROCESSES...]: by default 2 3 4 8 15 16 24 32. A cell of the grid is an operation,
# a size and a number of processes; every algorithm is measured in virtual time by bspprobe
# --verify, and the one that the models choose is good if it takes at most 1.1 times as long as
# the best. The program is looked for in the build folder, which is the current one or the one in
# BUILD. NETWORKS: names; OPTIONS: more for bspprobe, as --estimate; BYTES: largest message; CSV:
# a file that keeps all that was measured.

build=${BUILD:-.}
networks=${NETWORKS:-sp2 gigabit rdma100}
bytes=${BYTES:-1M}
test $# -gt 0 || set -- 2 3 4 8 15 16 24 32
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

echo \
	"Command: \`${OPTIONS:+OPTIONS='$OPTIONS' }bench/collgrid.sh $*\`, messages of 1 to $bytes bytes, powers of 4."
for network in $networks; do
	for n do
		# shellcheck disable=SC2086
		"$build/tools/bspprobe/bspprobe" -n "$n" --emulate "$network,cpu=0" --seconds \
			100000 --bytes "$bytes" \
			--verify --csv --quiet $OPTIONS >"$work/csv" || exit 1
		awk -F, -v n="$n" -v network="$network" \
			'NR > 1 && $3 == n { print network "," $0 }' \
			"$work/csv" >>"$work/all"
	done
done
test -z "$CSV" || cp "$work/all" "$CSV"

for network in $networks; do
	echo
	echo "$network: cells in which the choice is within 10 % of the best"
	echo
	awk -F, -v network="$network" -v columns="$*" '
		$1 == network {
			cell = $2 SUBSEP $4 SUBSEP $5
			if (!(cell in best) || $8 < best[cell])
				best[cell] = $8
			if ($12 == 1)
				chosen[cell] = $8
		}
		END {
			split("barrier bcast scatter gather allgather exchange reduce allreduce scan", kinds, " ")
			n = split(columns, column, " ")
			for (cell in best) {
				split(cell, part, SUBSEP)
				total[part[1], part[2]]++
				if (chosen[cell] <= 1.1 * best[cell])
					good[part[1], part[2]]++
			}
			printf "| %-9s |", "processes"
			for (i = 1; i <= n; i++)
				printf " %7s |", column[i]
			printf "\n|-----------|"
			for (i = 1; i <= n; i++)
				printf "--------:|"
			print ""
			for (k = 1; kinds[k] != ""; k++) {
				printf "| %-9s |", kinds[k]
				for (i = 1; i <= n; i++)
					printf " %3d /%2d |", good[kinds[k], column[i]], total[kinds[k], column[i]]
				print ""
			}
		}' "$work/all"
done

echo
awk -F, '
	{
		cell = $1 SUBSEP $2 SUBSEP $4 SUBSEP $5
		rows++
		off = $8 / $7
		near += off < 1.1 && off > 1 / 1.1
		if (!(cell in best) || $8 < best[cell]) {
			best[cell] = $8
			winner[cell] = $3
		}
		if ($12 == 1) {
			chosen[cell] = $8
			name[cell] = $3
		}
	}
	END {
		for (cell in best) {
			total++
			if (chosen[cell] <= 1.1 * best[cell]) {
				good++
				continue
			}
			split(cell, part, SUBSEP)
			missed[++nmissed] = sprintf("| %s | %s | %d | %d | %s | %s | %.2f |", part[1], part[2], part[3],
				part[4], name[cell], winner[cell], chosen[cell] / best[cell])
		}
		printf "In all %d of %d cells, %.1f %%; %.1f %% of all %d predictions are within 10 %% of what was measured.\n",
			good, total, 100 * good / total, 100 * near / rows, rows
		if (nmissed == 0)
			exit
		print "\n| network | operation | processes | bytes | chosen | best | ratio |\n|---|---|--:|--:|---|---|--:|"
		for (i = 1; i <= nmissed; i++)
			print missed[i] | "sort"
	}' "$work/all"
