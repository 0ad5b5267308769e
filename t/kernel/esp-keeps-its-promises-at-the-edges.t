#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ESP: small buffers, closing, lingering, links that go and come, edges of epoll; nothing waits that
# must not. Sends from the pages of a process (ESP_SO_ZEROCOPY) arrive whole, are noticed once, and
# hold no pages for longer.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

edges=$(guest_program edges) && zerocopy=$(guest_program zerocopy) || bail "cannot build the test"
# Frames between two of these devices leave without a copy; what veth delivers is copied.
device=
! grep -q '/vmxnet3\.ko' "$stock/modules/modules.dep" || device=vmxnet3

{
	echo "device=$device"
	cat <<'END'
cable || echo "Bail out! no cable"
tests edges edges
tests veth zerocopy
if test "$device"; then
	ip netns del a && ip netns del b && device_cable || echo "Bail out! no second cable"
	tests "$device" zerocopy
fi
trouble loss 2% duplicate 2% delay 1ms reorder 25%
tests "bad network" zerocopy bad
module_goes enet
ok $? "the module goes"
done_testing
END
} >"$tap_dir/script"
# shellcheck disable=SC2086
run_guest $virtual ${device:+-d $device} -t 200 "$stock" "$tap_dir/script" "$edges" "$zerocopy"
