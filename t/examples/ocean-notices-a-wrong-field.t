#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A wrong number in ocean makes it say FAILED, and its exit status 1.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

ocean=$top_builddir/examples/ocean
test -x "$ocean" || bail "no $ocean: make check builds it"

# fails P ARGUMENT...
fails()
{
	p=$1
	shift
	said=$(BSP_NPROCS=$p "$ocean" -n 34 "$@" 2>"$tap_dir/err")
	is 1 $? "ocean -n 34 $* on $p processes has exit status 1" || diag "$(cat "$tap_dir/err")"
	like '^Verification FAILED$' "$said" "and says FAILED"
}

for p in 1 4 9; do
	fails "$p" -t 4 -e 1e-11
	like \
		'^Serial run      [1-9][0-9]* of 2312 values differ, by [1-9][.0-9]*e-1[0-9] at most$' \
		"$said" "and how wrong it is"
	fails "$p" -t 1 -e 100
done

# a value alone in the last step: only what it spreads to is wrong
fails 4 -t 2 -s 0.25 -e 1e-3

# without a serial run, what the equations conserve is looked at
fails 2 -t 4 -q -e 100
said=$(BSP_NPROCS=2 "$ocean" -n 34 -t 4 -q)
is 0 $? "nothing wrong is no failure"
like '^Verification NOT PERFORMED$' "$said" "but -q does not say that it is right"
none "$(printf '%s\n' "$said" | grep '^Serial run')" "because there was no serial run"

done_testing
