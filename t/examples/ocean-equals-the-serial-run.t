#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ocean computes the same bits on any number of processes, in both modes.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

ocean=$top_builddir/examples/ocean
test -x "$ocean" || bail "no $ocean: make check builds it"

# value NAME: what ocean said after NAME
value()
{
	printf '%s\n' "$said" | $SED -n "s/^$1 *//p"
}

# same N PROCESSES...: the checksum on each number is that of one process, in both modes
same()
{
	n=$1 wanted=
	shift
	for p do
		for mode in classic program; do
			said=$(BSP_NPROCS=$p BSP_SYNC=$mode "$ocean" -n "$n" -t 4 -s 0.25 2>&1)
			is 0 $? "$n x $n points on $p processes, BSP_SYNC=$mode" || diag "$said"
			is "the same to the last bit, SUCCESSFUL" \
				"$(value 'Serial run'), $(value Verification)" \
				"equals the serial run"
			wanted=${wanted:-$(value Checksum)}
			is "$wanted" "$(value Checksum)" "and that of the others"
		done
	done
}

same 6 1 2 4
same 34 1 2 3 4 6 8 9 16
same 66 5 7 9 12 32
same 130 2 16

# how processes stand
said=$(BSP_NPROCS=6 "$ocean" -n 18 -t 1)
like '^Processes       6 \(3 x 2\)$' "$said" "6 processes stand in a grid of 3 x 2"
said=$(BSP_NPROCS=7 "$ocean" -n 18 -t 1)
like '^Processes       7 \(7 x 1\)$' "$said" "7 processes stand in a row"

# both modes go through the same supersteps
for p in 4 6; do
	BSP_NPROCS=$p BSP_SYNC=classic "$ocean" -n 34 -t 2 | grep '^Supersteps' >"$tap_dir/classic"
	BSP_NPROCS=$p BSP_SYNC=program "$ocean" -n 34 -t 2 | grep '^Supersteps' >"$tap_dir/program"
	is "$(cat "$tap_dir/classic")" "$(cat "$tap_dir/program")" \
		"as many supersteps in both modes"
done

done_testing
