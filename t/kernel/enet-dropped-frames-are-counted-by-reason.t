#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# EDP and ESP: for every reason to drop a frame there is one that is counted under it and no other.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(guest_program reasons) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
cable || echo "Bail out! no cable"
memory_fails 0
reasons
END
# shellcheck disable=SC2086
run_guest $virtual -t 120 -k tun -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program"
