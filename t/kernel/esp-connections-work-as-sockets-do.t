#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ESP: connect, accept, send, receive, poll, close in every way, and wrong calls.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(guest_program esp) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
cable || echo "Bail out! no cable"
esp
END
# shellcheck disable=SC2086
run_guest $virtual "$stock" "$tap_dir/script" "$program"
