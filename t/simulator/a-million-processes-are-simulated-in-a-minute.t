#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A dissemination barrier of 2^20 processes takes under a minute of processor time.

. "${0%/*}/../lib/env.sh"

test -z "$BSP_SANITIZE" || skip_all "not applicable: a sanitizer takes its own time"

seen=$(
	ulimit -t 60
	"$top_builddir/tools/goalc/goalc" sim barrier -P 1048576 -b --algorithm dissemination 2>&1
	times >"$tap_dir/times"
)
is 110000 "$seen" "it ends in a minute"
figure "a dissemination barrier of 2^20 processes:" \
	"$(tail -n 1 "$tap_dir/times"), user and system"
done_testing
