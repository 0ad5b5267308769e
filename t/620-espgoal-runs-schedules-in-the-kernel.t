#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 620 - espgoal: schedules run in the kernel, between 2, 3 and 8 hosts, and leave nothing behind.

. "${0%/*}/env.sh"
. "$top_srcdir/t/guests.sh"

library=$top_builddir/kernel/.libs/libgoal.a
test -e "$library" || skip_all "no static library of schedules"
program=$tap_dir/espgoal
# shellcheck disable=SC2086
$CC $CFLAGS $BSP_SANITIZE -Wall -Wextra -Werror -D_GNU_SOURCE -I"$top_srcdir/include" -I"$top_srcdir/kernel/goal" \
	"$top_srcdir/t/guest/espgoal.c" "$library" -lm -o "$program" >&2 || bail "cannot build the test"

cat >"$tap_dir/script" <<'END'
segment 8 || echo "Bail out! no segment"
for hosts in 2 3 8; do
	espgoal $hosts >/tmp/out
	include "$hosts hosts" </tmp/out
	number=$(cat /tmp/number)
done
rmmod espgoal
ok $? "nothing holds the module when all files are closed"
for host in $(seq 8); do
	ip netns del h$host
done
for i in $(seq 50); do
	rmmod enet 2>/dev/null && break
	usleep 100000
done
test ! -e /sys/module/enet
ok $? "nor the sockets' one"
done_testing
END
run_guest -t 200 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program"
