#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# LU finds the reference norms, classic and relaxed, on any grid of processes, in blocks of any
# number of planes.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

lu=$top_builddir/examples/lu
test -x "$lu" || bail "no $lu: make check builds it"

# verifies P ARGUMENTS...: with the settings of the environment
verifies()
{
	p=$1
	shift
	said=$(BSP_NPROCS=$p "$lu" "$@" 2>&1)
	is 0 $? "lu $* on $p processes, BSP_SYNC=${BSP_SYNC-}${BSP_EAGER+, BSP_EAGER=$BSP_EAGER}" ||
		diag "$said"
	like '^Verification SUCCESSFUL$' "$said" "says that it is right"
}

for BSP_SYNC in program classic; do
	export BSP_SYNC
	for p in 1 2 3 4 6 8; do
		verifies $p S
	done
	verifies 5 S			# blocks of 2 points
	verifies 25 S			# and in both directions

	# a superstep for each plane; blocks that are not all of one size; one for all planes
	for planes in 1 3 10 1000; do
		verifies 1 -k $planes S
		verifies 6 -k $planes S
	done
	for p in 1 2 4; do
		verifies $p W
	done
done

# every put asks first; processes that may not run ahead
BSP_SYNC=program
BSP_EAGER=0 && export BSP_EAGER
verifies 2 S
verifies 6 -k 1 S
unset BSP_EAGER
BSP_CREDIT=1 && export BSP_CREDIT
verifies 6 -k 1 S
unset BSP_CREDIT

# the supersteps that lu.c reports, and the puts that each read depends on
for p in 1 4 6 9; do
	said=$(BSP_CHECK=1 BSP_NPROCS=$p "$lu" -i 3 S 2>&1)
	is 0 $? "lu on $p processes is well-formed" || diag "$said"
	like '^bsp: checked [0-9]+ supersteps, [0-9]+ reads, [0-9]+ puts: well-formed' "$said" \
		"as the checker says"
done

said=$(BSP_NPROCS=2 "$lu" W 2>&1)
like '^LU \(NPB specification\)' "$said" "the output names the program"
like '^Class +W$' "$said" "its class"
like '^Size +33 x 33 x 33$' "$said" "the size of that"
like '^Iterations +300$' "$said" "the iterations"
like '^Processes +2, a grid of 1 x 2$' "$said" "the processes"
like '^Time in seconds +[0-9]+\.[0-9]+$' "$said" "the time"
like '^Mop/s total +[0-9]+\.[0-9]+ \(nominal\)$' "$said" "the rate"
like '^residual 1 +1\.23651163819[0-9]+e\+01 +1\.2365116381920e\+01 ' "$said" "each residual norm"
like '^error    5 +1\.08427741779[0-9]+e\+00 +1\.0842774177920e\+00 ' "$said" "each error norm"
like '^surface  1 +1\.16139931102[0-9]+e\+01 +1\.1613993110230e\+01 ' "$said" \
	"and the surface integral"

done_testing
