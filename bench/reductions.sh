#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# reductions.sh - vectors folded by local operations in the kernel and by the process, in a guest:
# a table.

# reductions.sh. Run in the build folder, or in any with BUILD naming it, after make stock-kernel
# kernel-modules. It boots one guest (../kernel/testbed/guest.sh) and prints Markdown when that has
# ended.
#
# ROUNDS: of each figure, by default 9. ROWS: a file that keeps the figures as they came, or has
# them already: then nothing is measured.

. "${0%/*}/in_guest.sh"
rounds=${ROUNDS:-9}
command="${ROUNDS:+ROUNDS=$ROUNDS }bench/reductions.sh"

measure()
{
	needs "$build/bench/offload"
	echo "segment 1 && offload reductions $rounds" >"$work/script"
	in_guest -m 512 -k "$modules/espgoal.ko" "$build/stock" "$work/script" \
		"$build/bench/offload"
}

take_rows

echo "Command: \`$command\`"
echo
awk '
	{
		key = $3 SUBSEP $6
		us[key, $4] = $7
		if (!($6 in bytes)) {
			bytes[$6] = 1
			sizes[++nsizes] = $6
		}
		if (!($3 in folds)) {
			folds[$3] = 1
			fold[++nfolds] = $3
		}
	}
	END {
		head = "| bytes |"
		line = "|--:|"
		for (f = 1; f <= nfolds; f++) {
			head = head " " fold[f] ": kernel, us | process, us | ratio |"
			line = line "--:|--:|--:|"
		}
		print head "\n" line
		for (s = 1; s <= nsizes; s++) {
			text = "| " sizes[s] " |"
			for (f = 1; f <= nfolds; f++) {
				kernel = us[fold[f], sizes[s], "kernel"]
				process = us[fold[f], sizes[s], "process"]
				text = text sprintf(" %.3g | %.3g |", kernel, process)
				text = text sprintf(" %.2f |", kernel / process)
			}
			print text
		}
	}' "$work/rows"
