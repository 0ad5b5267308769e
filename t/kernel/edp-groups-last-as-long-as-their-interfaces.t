#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# EDP: groups are joined on Ethernet only, and end with their interface or its move; nothing is left
# in the list of the interface.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(guest_program memberships) || bail "cannot build the test"
# debug kernels have no IPv6
test "$BSP_GUEST_KERNEL" && tunnel= || tunnel=tunnel
cat >"$tap_dir/script" <<END
cable && ip netns add c || echo "Bail out! no cable"
tests "groups" memberships $tunnel
done_testing
END
run_guest -t 120 -k tun ${tunnel:+-k ip6_tunnel} "$stock" "$tap_dir/script" "$program"
