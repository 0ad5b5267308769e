#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ocean says what is wrong: with arguments, number of processes, or the aim of the solver.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

ocean=$top_builddir/examples/ocean
test -x "$ocean" || bail "no $ocean: make check builds it"

# refuses STATUS WANTED PROCESSES ARGUMENT...
refuses()
{
	status=$1 wanted=$2 p=$3
	shift 3
	said=$(BSP_NPROCS=$p "$ocean" "$@" 2>&1)
	is "$status" $? "ocean $* on $p processes is refused"
	like "$wanted" "$said" "and says why"
	none "$(printf '%s\n' "$said" | grep '^Verification')" "and verifies nothing"
}

for n in 0 4 5 33 100 16386 99999999999 -34 34x ''; do
	refuses 2 '^usage: ocean ' 2 -n "$n"
done
refuses 2 '^ocean: -n 100: the grid has 2\^k \+ 2 points' 2 -n 100
refuses 2 '^ocean: -a 0: the change .* a number above 0' 2 -a 0
refuses 2 '^ocean: -a nan: ' 2 -a nan
refuses 2 '^usage: ' 2 -t 0
refuses 2 '^usage: ' 2 -t many
refuses 2 '^usage: ' 2 -s inf
refuses 2 '^usage: ' 2 -n
refuses 2 '^usage: ' 2 -z 3
refuses 2 '^usage: ' 2 34

refuses 1 'ocean: 3 processes stand in a grid of 3 x 1, .*; -n 10 or more would do' 3 -n 6
refuses 1 'ocean: 17 processes stand in a grid of 17 x 1, .*; -n 66 or more would do' 17 -n 34
refuses 1 'ocean: 8 processes stand in a grid of 4 x 2, .*; -n 10 or more would do' 8 -n 6
refuses 1 'ocean: the solver does not reach 1e-30: after 100 cycles ' 2 -n 10 -t 1 -a 1e-30

# ... and what it advises does
for advice in "3 10" "17 66" "8 10"; do
	said=$(BSP_NPROCS=${advice% *} "$ocean" -n "${advice#* }" -t 1 2>&1)
	like '^Verification SUCCESSFUL$' "$said" "${advice% *} processes, -n ${advice#* }"
done

done_testing
