#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# EDP: datagrams arrive whole, groups and peers are kept apart, wrong calls are refused.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(guest_program edp) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
cable || echo "Bail out! no cable"
edp
END
run_guest "$stock" "$tap_dir/script" "$program"
