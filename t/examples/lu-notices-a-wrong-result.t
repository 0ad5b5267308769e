#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# LU says FAILED, and ends with status 1, if one value of its result or the time step is wrong.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

lu=$top_builddir/examples/lu
test -x "$lu" || bail "no $lu: make check builds it"

# outcome STATUS WORD P ARGUMENTS...
outcome()
{
	status=$1 word=$2 p=$3
	shift 3
	said=$(BSP_NPROCS=$p "$lu" "$@" 2>&1)
	is "$status" $? "lu $* on $p processes ends with $status" || diag "$said"
	like "^Verification $word" "$said" "and says $word"
}

# one value of e is wrong, of 1000 in class S and 29791 in W
for p in 1 2 6; do
	outcome 1 FAILED $p -e 1e-6 S
	outcome 1 FAILED $p -e -1e-6 S
	outcome 0 SUCCESSFUL $p -e 1e-14 S
done
outcome 1 FAILED 2 -e 1e-2 W
outcome 1 FAILED 2 -e nan S
outcome 1 FAILED 2 -e inf S
outcome 1 FAILED 2 -e 1e300 S
outcome 0 SUCCESSFUL 2 -e 0 S

# the wrong values are marked
said=$(BSP_NPROCS=2 "$lu" -e 1e-6 S 2>&1)
like '^residual 5 .* wrong$' "$said" "a wrong value is marked"
test "$(printf '%s\n' "$said" | grep -c '^surface .* wrong$')" -eq 0
ok $? "and one that is right is not"

# the time step is part of what is verified
outcome 1 FAILED 2 -t 0.49 S
outcome 1 FAILED 2 -t 0.500001 S
like '^The time step is 0.500001: wrong, class S has 0.5$' "$said" "and why"
outcome 0 SUCCESSFUL 2 -t 0.5 S

# other numbers of iterations have no known result, which is no failure
outcome 0 "NOT PERFORMED: the result is known after 50 iterations" 2 -i 49 S
outcome 0 SUCCESSFUL 2 -i 50 S

done_testing
