#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every command of doc/tutorial.md prints what stands below it there.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/tutorial.sh"

# can_run FILE: not if it needs a network that this build has not
can_run()
{
	! grep -q -e '--transport mix' "$1" || bspinfo -n 4 | awk '
		/^  [a-z]/ { name = $1 }
		/can run here/ && name == "mix" { found = 1 }
		END { exit !found }'
}

run_block()
(
	can_run "./$1" || exit 77
	set -e
	. "./$1"
)

tutorial run_block

# A text that is not what is printed is noticed.
printf 'a 1.5 ms\nb\n' >text && printf 'b\na  27 ms\n' >other
is "$(figures <text)" "$(figures <other)" "times and the order of lines do not matter"
printf 'a 2.5 ms\n' >other
is "a # time
b" "$(figures <text)" "other words do"

done_testing
