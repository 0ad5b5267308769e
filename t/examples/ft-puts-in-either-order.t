#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# FT puts to the next processes first, and with -o to 0, 1, 2, ...: then messages wait for each
# other at their receivers. In virtual time, of a network on which only bytes take time.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

ft=$top_builddir/examples/ft
test -x "$ft" || skip_all "no libfftw3-dev here"

# Blocks that follow each other at an interface in a transposition, of which there are seven: 64^3
# points, 16 bytes, a block for each pair of four processes, and 1 us for a byte.
# blocks_of ARGUMENTS...: prints this number, in hundredths
blocks_of()
{
	BSP_NPROCS=4 BSP_TRANSPORT=emu BSP_EMULATE=G=1us,cpu=0,order=1 \
		"$ft" -c -s -k 1 -b 1 "$@" S |
		$AWK '/^Time in seconds/ { printf "%d\n", $4 * 100 / (7 * 64 ^ 3) * 1e6 }'
}

export BSP_SYNC
BSP_SYNC=classic
next=$(blocks_of)
ordered=$(blocks_of -o)
BSP_SYNC=program
relaxed=$(blocks_of -o)

test "$next" -ge 300 -a "$next" -le 303
ok $? "to the next first: three blocks at an interface ($next / 100)"
test "$ordered" -ge 450 -a "$ordered" -le 505
ok $? "to 0, 1, 2, ...: up to five, of which they wait two ($ordered / 100)"
test "$relaxed" -lt "$ordered"
ok $? "without barriers some of that is regained ($relaxed / 100)"

BSP_EAGER=0
export BSP_EAGER
asked=$(blocks_of -o)
is "$asked" "$(blocks_of -o)" "where each put asks first, another run takes as long ($asked / 100)"
test "$asked" -lt "$ordered"
ok $? "and less than with barriers"

done_testing
