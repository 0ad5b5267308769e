#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bench/offload: more of an operation is hidden behind computing when the kernel runs it than when
# the process does.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

test -x "$top_builddir/bench/offload" || skip_all "bench/offload was not built"
test -z "$BSP_SANITIZE" || skip_all "not applicable: programs are sanitized"
test -z "$BSP_GUEST_KERNEL" ||
	skip_all "in virtual time a kernel that watches itself takes for ever"

rows=$tap_dir/rows
said=$(BUILD=$top_builddir ROUNDS=3 ANSWERS=5 LINKS=500 ROWS=$rows sh \
	"$top_srcdir/bench/offload.sh" 4 2>&1)
is 0 "$?" "offload.sh" || diag "$said"

# Time in the guest is virtual: this does not depend on what else this machine does.
hidden()
{
	$AWK -v what="$1" -v way="$2" \
		'$2 == "hidden" && $3 == what && $4 == way && $5 == 4 { print $7 }' "$rows"
}
for what in barrier tree exchange; do
	for way in softirq worker; do
		figure "$what on 4 hosts, hidden: $(hidden $what $way) by the kernel ($way)," \
			"$(hidden $what esp) by the process"
		$AWK -v kernel="$(hidden $what $way)" -v user="$(hidden $what esp)" \
			'BEGIN { exit !(kernel > user) }'
		is 0 "$?" "of the $what more is hidden by the kernel ($way) than by the process"
	done
done

done_testing
