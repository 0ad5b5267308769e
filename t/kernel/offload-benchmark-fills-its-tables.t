#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bench/offload measures each figure, and prints its tables and plots.

# What the figures say: schedules-in-the-kernel-hide-behind-computing.t, make check-figures.

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
		for what in barrier tree exchange; do
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

done_testing
