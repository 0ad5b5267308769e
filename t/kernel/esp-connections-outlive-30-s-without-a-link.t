#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ESP: without a link for 30 s connections wait and lose no byte, or fail with ETIMEDOUT at the time
# that was set.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(guest_program away) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
segment 3 || echo "Bail out! no segment"
away 30
END
# shellcheck disable=SC2086
run_guest $virtual -t 120 "$stock" "$tap_dir/script" "$program"
