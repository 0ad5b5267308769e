#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A dissemination barrier of 2^20 processes takes under 4 GiB.

. "${0%/*}/../lib/env.sh"

test -z "$BSP_SANITIZE" || skip_all "not applicable: a sanitizer takes its own memory and time"

# simulate PROCESSES ALGORITHM...: in 4 GiB; it hangs if it takes ten times the processor time
simulate()
{
	(
		ulimit -t "$(limit 600)"
		ulimit -v 4194304
		processes=$1
		shift
		"$top_builddir/tools/goalc/goalc" sim barrier -P "$processes" -b --algorithm "$@" \
			2>&1
	)
}

is 110000 "$(simulate 1048576 dissemination)" "dissemination: 20 rounds of 5500"
is 90500 "$(simulate 1048576 knomial --arity 4 --release multicast --multicast)" \
	"tree of 4 with release by multicast: 10 phases of 8500, and 5500"
# An eighth is enough to see that the others grow as they should.
is 93500 "$(simulate 131072 butterfly)" "butterfly: 17 rounds of 5500"
is 187000 "$(simulate 131072 binomial)" "binomial tree: 17 phases up and 17 down"
is 393221000 "$(simulate 131072 linear)" "linear: 2^17 - 2 messages 1500 apart and as many back"

done_testing
