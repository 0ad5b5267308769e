#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 261 - a dissemination barrier of 2^20 processes takes under a minute of processor time and 4 GiB.

. "${0%/*}/env.sh"

test -z "$BSP_SANITIZE" || skip_all "a sanitizer takes its own memory and time"

# simulate ALGORITHM...: in limits of time and memory
simulate()
{
	(
		ulimit -t 60
		ulimit -v 4194304
		"$top_builddir/tools/goalc" sim barrier -P 1048576 -b --algorithm "$@" 2>&1
	)
}

is 110000 "$(simulate dissemination)" "dissemination: 20 rounds of 5500"
is 110000 "$(simulate butterfly)" "butterfly: 20 rounds of 5500"
is 220000 "$(simulate binary)" "binary tree: 20 phases up and 20 down"
is 90500 "$(simulate kary --arity 4 --release multicast --multicast)" \
	"tree of 4 with release by multicast: 10 phases of 8500, and 5500"
is 3145733000 "$(simulate flat)" "flat: 2^20 - 2 messages 1500 apart and as many back"

done_testing
