#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# LU refuses grids of processes that leave less than 2 points to some, unknown classes and wrong
# options.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

lu=$top_builddir/examples/lu
test -x "$lu" || bail "no $lu: make check builds it"

# too_many P CLASS PX PY POINTS FACTOR
too_many()
{
	said=$(BSP_NPROCS=$1 "$lu" "$2" 2>&1)
	is 1 $? "class $2 is not for $1 processes" || diag "$said"
	like "^bsp_abort: lu: $1 processes make a grid of $3 x $4, but class $2 has $5 points " \
		"$said" \
		"and the message says why"
	like "take a number of processes whose factors are at most $6 \\(" "$said" \
		"and what to do"
}

too_many 7 S 1 7 10 5
too_many 11 S 1 11 10 5
too_many 17 W 1 17 31 15

for class in X s SS 5 ""; do
	said=$(BSP_NPROCS=2 "$lu" "$class" 2>&1)
	is 2 $? "there is no class '$class'"
	like "^lu: there is no class '$class'; the classes are S, W, A, B and C\$" "$said" \
		"and the message says which there are"
done

for wrong in "S W" -x "-k" "-k 0 S" "-k -1 S" "-k x S" "-k 3x S" "-k 99999999999999999999 S" \
	"-i 0" \
	"-i 1.5" "-t 0" "-t -1" "-t nan" "-t 1e9" "-t 0.5s" "-e" "-e x S" "-k3 S" "S -k 3"; do
	# shellcheck disable=SC2086
	said=$(BSP_NPROCS=2 "$lu" $wrong 2>&1)
	is 2 $? "lu $wrong is refused"
	like '^usage: lu ' "$said" "and says how it is used"
done

done_testing
