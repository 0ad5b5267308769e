#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# EDP and ESP: receivers that do not read, or have little room, or many senders: grants adapt,
# nothing is lost.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(guest_program slow) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
cable || echo "Bail out! no cable"
slow
END
# shellcheck disable=SC2086
run_guest $virtual -t 120 "$stock" "$tap_dir/script" "$program"
