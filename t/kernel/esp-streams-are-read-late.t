#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ESP: who reads a stream long after its sender has closed it gets all of it, and its end.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

test -z "$BSP_GUEST_KERNEL" ||
	skip_all "in virtual time a kernel that watches itself takes for ever"
program=$(guest_program late) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
cable || echo "Bail out! no cable"
late
END
run_guest -v 0 -t 100 "$stock" "$tap_dir/script" "$program"
