#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ESP: small buffers, closing, lingering, links that go and come, edges of epoll; nothing waits that
# must not.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(guest_program edges) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
cable || echo "Bail out! no cable"
edges
END
run_guest -t 200 "$stock" "$tap_dir/script" "$program"
