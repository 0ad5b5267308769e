#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# EDP and ESP over two interfaces at once: sockets receive what they are bound to; groups, large
# frames, echoes.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(guest_program interfaces) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
cable || echo "Bail out! no cable"
ip link add a1 netns a address 02:00:00:00:00:11 mtu 9000 type veth peer name b1 address 02:00:00:00:00:12 mtu 9000 netns b &&
	ip -n a link set a1 up && ip -n b link set b1 up || echo "Bail out! no second cable"
tests "interfaces" interfaces
ip netns del a && ip netns del b && module_goes enet
ok $? "nothing holds the module"
done_testing
END
run_guest -t 120 "$stock" "$tap_dir/script" "$program"
