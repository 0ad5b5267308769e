#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ESP: eight small frames share an acknowledgement, and nothing waits for one that is delayed.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(guest_program acks) || bail "cannot build the test"
# A kernel that watches itself takes for ever in virtual time, and too long in its own.
timed=timed virtual="-v 0"
test -z "$BSP_GUEST_KERNEL" || timed='' virtual=''
cat >"$tap_dir/script" <<END
cable && ip -n a link set lo up || echo "Bail out! no cable"
acks $timed
END
# shellcheck disable=SC2086
run_guest $virtual "$stock" "$tap_dir/script" "$program"
