#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bench/offload measures each figure, and prints its tables and plots.

# The values are tested by schedules-in-the-kernel-hide-behind-computing.t and make check-figures.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

test -x "$top_builddir/bench/offload" || skip_all "bench/offload was not built"
test -z "$BSP_SANITIZE" || skip_all "not applicable: programs are sanitized"
test -z "$BSP_GUEST_KERNEL" ||
	skip_all "in virtual time a kernel that watches itself takes for ever"

rows=$tap_dir/rows
page=$tap_dir/page.html
said=$(BUILD=$top_builddir ROUNDS=1 ANSWERS=2 LINKS=500 ROWS=$rows HTML=$page sh \
	"$top_srcdir/bench/offload.sh" 2 2>&1)
is 0 "$?" "offload.sh" || diag "$said"

missing()
{
	for table in latency alone hidden overhead processes workers rest; do
		for what in barrier tree exchange neighbors; do
			for way in softirq worker esp tcp; do
				grep -q "^row $table $what $way 2 500 " "$rows" ||
					echo "$table $what $way"
			done
		done
	done
	for way in user softirq worker worker-softirq; do
		for load in idle computing; do
			grep -q "^row answer $load $way 2 50 " "$rows" || echo "answer $load $way"
		done
	done
}
none "$(missing)" "every figure was measured"
like '^\| barrier, dissemination \| 2 \| ' "$said" "the tables have them"
is 3 "$(grep -o '<div class="picture"' "$page" | wc -l)" "the page has the plots"

# ---- Barriers as each process sees them ---------------------------------------------------------

rows=$tap_dir/nodes
said=$(BUILD=$top_builddir PARTS='overheads nodes' TIMES=3 LINKS=0 ROWS=$rows sh \
	"$top_srcdir/bench/barriers.sh" 2 2>&1)
is 0 "$?" "barriers.sh" || diag "$said"

# Each process sends one message or multicast for a barrier, and acknowledges.
wrong()
{
	for variant in dissemination butterfly tree-2-back tree-2 tree-3 tree-4 concurrent \
		tree-3-by-2 concurrent-by-2; do
		for way in softirq worker; do
			$AWK -v variant=$variant -v way=$way '
				$2 == "node" && $3 == variant && $4 == way && $11 >= 1 &&
					0 < $8 && $8 <= $9 && $9 <= $10 {
					good++
				}
				END {
					if (good != 2)
						print variant, way
				}' "$rows"
		done
	done
}
none "$(wrong)" "both processes have least, mean, most and frames of each barrier"
like '^\| softirq \| message \| [0-9. |]* \| ' "$said" "the overheads have a table"
like '^\| 2 \| [0-9]* \([0-9]* to [0-9]*\) \| ' "$said" "so have the barriers"

done_testing
