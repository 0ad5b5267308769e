#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# predict_collectives.sh - how near predictions of collective operations come over shared memory and
# TCP, by the gap alone, with times of messages by themselves, and with local operations: a table.

# predict_collectives.sh [ROUNDS]: by default 8. A round measures parameters with bspprobe, for each
# group of operations anew, and then each operation of the group by the algorithm that the models
# choose, at powers of 4. All predictions are made from the same parameters, for the same run of
# the same algorithm. BUILD: the build folder, by default the current one. BYTES: the largest
# message, by default 64k. SECONDS_EACH: of bspprobe, by default 30. PRIORITY: as nice -n has it,
# by default 0. RUN: a command before bspprobe, as "chrt -r 5", with which no other program gets a
# processor meanwhile, and a run ends within a second or two. ROWS: a folder that keeps the CSV of
# each run, or has it: then nothing is measured.
#
# On a machine that others use, too, a waiting process that yields is not there when a message
# comes: so processes poll (BSP_WAIT). A machine may become another one within seconds. So just
# before each operation a message of its size is measured: where that takes as long as the
# parameters say, within a tenth, the machine is the one that was measured. The message is no part
# of the operation, and no prediction knows it.

rounds=${1:-8}
build=${BUILD:-.}
rows=${ROWS:-}
test "$rows" || {
	rows=$(mktemp -d) || exit 1
	trap 'rm -rf "$rows"' EXIT
	trap 'exit 1' HUP INT TERM
}

# one_run TRANSPORT OPERATIONS FILE
one_run()
{
	# shellcheck disable=SC2086 # a command with its arguments
	BSP_WAIT=spin:500ms BSP_OFI_PROVIDER=tcp nice -n "${PRIORITY:-0}" ${RUN:-} \
		"$build/tools/bspprobe/bspprobe" -n 2 --transport "$1" --seconds \
		"${SECONDS_EACH:-30}" --bytes "${BYTES:-64k}" --verify --chosen --only "$2" \
		--csv --quiet >"$3.part" && mv "$3.part" "$3"
}

measure()
{
	for round in $(seq "$rounds"); do
		for only in bcast,scatter,gather allgather,exchange,barrier reduce,allreduce \
			scan,reduce-scatter; do
			for transport in ofi shm; do
				file=$rows/$round-${only%%,*}-$transport.csv
				one_run $transport $only "$file" || exit 1
			done
		done
	done
}

# table TRANSPORT NAME: lines of the table, of values that have six samples at least
table()
{
	awk -F, -v name="$2" '
		function near(x) { return x >= 0.85 && x <= 1.15 }
		function median(list, n,    v, i, j, t) {
			split(list, v, " ")
			for (i = 2; i <= n; i++)
				for (j = i; j > 1 && v[j - 1] + 0 > v[j] + 0; j--) {
					t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
				}
			return (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2
		}
		# which: all, or those whose message is as it was; one of each cell, or its median
		function line(which,    cell, i, k, n, good) {
			for (cell in count) {
				k = split(cell, part, SUBSEP)
				if (part[1] != which)
					continue
				n++
				for (i = 1; i <= 3; i++)
					good[i] += near(median(ratio[i, cell],
						count[cell]))
			}
			printf "| %s | %s | %d | %d | %d | %d | %d | %d | %d | %d |\n", name, \
				which, values[which], each[which, 1], each[which, 2], \
				each[which, 3], n, good[1], good[2], good[3]
		}
		# predicted by measured: by the gap, with messages by themselves, with all
		function note(which, key,    i, by) {
			by[1] = $13 / $7
			by[2] = $16 / $7
			by[3] = $6 / $7
			values[which]++
			count[which, key]++
			for (i = 1; i <= 3; i++) {
				each[which, i] += near(by[i])
				ratio[i, which, key] = ratio[i, which, key] " " by[i]
			}
		}
		FNR > 1 && $3 == 2 && $11 == 1 && $10 >= 6 {
			note("all", $1 "-" $4)
			if ($15 >= 0.9 * $14 && $15 <= 1.1 * $14)
				note("machine as measured", $1 "-" $4)
		}
		END { line("all"); line("machine as measured") }' "$rows"/*-"$1".csv
}

ls "$rows"/*.csv >/dev/null 2>&1 || measure
three='by the gap | with alone and cross | with fold and copy'
echo "| network | which | values | $three | cells | $three |"
echo "|---|---|---|---|---|---|---|---|---|---|"
table ofi TCP
table shm "shared memory"
