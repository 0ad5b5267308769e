#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# FT finds the reference checksums, classic and relaxed, pipelined and plain, on any number of
# processes.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

ft=$top_builddir/examples/ft
test -x "$ft" || skip_all "no libfftw3-dev here"

# verifies P ARGUMENTS...: with the settings of the environment
verifies()
{
	p=$1
	shift
	said=$(BSP_NPROCS=$p "$ft" "$@" 2>&1)
	is 0 $? "ft $* on $p processes, BSP_SYNC=${BSP_SYNC-}${BSP_EAGER+, BSP_EAGER=$BSP_EAGER}" ||
		diag "$said"
	like '^Verification SUCCESSFUL$' "$said" "says that it is right"
}

for BSP_SYNC in program classic; do
	export BSP_SYNC
	for p in 1 2 4 8; do
		verifies $p S
		verifies $p -s S
		verifies $p -s -o S
		verifies $p W
	done
	verifies 4 -s W
	verifies 16 S

	# one put for a whole transposition; puts that are not all of one size; one for each plane
	for puts in 1 3 2147483647; do
		verifies 4 -b $puts S
	done
done

# every put asks first; and small puts and large ones in one program
BSP_SYNC=program
for BSP_EAGER in 0 4096; do
	export BSP_EAGER
	verifies 2 S
	verifies 4 -s S
	verifies 8 -b 3 W
done
unset BSP_EAGER

said=$(BSP_NPROCS=2 "$ft" W 2>&1)
like '^FT \(NPB specification\)' "$said" "the output names the program"
like '^Class +W$' "$said" "its class"
like '^Size +128 x 128 x 32$' "$said" "the size of that"
like '^Iterations +6$' "$said" "the iterations"
like '^Processes +2$' "$said" "the processes"
like '^Time in seconds +[0-9]+\.[0-9]+ ' "$said" "the time"
like '^Mop/s total +[0-9]+\.[0-9]+$' "$said" "and the rate"
like '^t =  6  checksum = 5\.5041597345[0-9]*e\+02 5\.2392122470[0-9]*e\+02$' "$said" \
	"and each checksum"

done_testing
