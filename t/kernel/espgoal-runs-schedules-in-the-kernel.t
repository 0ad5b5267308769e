#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Espgoal: schedules run in the kernel, between 2, 3 and 8 hosts, and leave nothing behind; messages
# are matched in any order without a search.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

needs_goal
program=$(goal_program espgoal) || bail "cannot build the test"
matching=$(goal_program matching) && ahead=$(goal_program ahead) &&
	transfers=$(goal_program transfers) || bail "cannot build the tests"
# A linear search would take 8 times as long for that many, and may take 4 times.
messages=8000
test -z "${TAP_LONG-}" || messages=20000
echo "messages=$messages" >"$tap_dir/script"
cat >>"$tap_dir/script" <<'END'
segment 8 || echo "Bail out! no segment"
for hosts in 2 3 8; do
	tests "$hosts hosts" espgoal $hosts
done
tests "2 hosts" matching $messages
tests "2 hosts" ahead
tests "2 hosts" transfers
ip link set lo up
tests "1 host" transfers near
rmmod espgoal
ok $? "nothing holds the module when all files are closed"
segment_goes 8
module_goes enet
ok $? "nor the sockets' one"
done_testing
END
# shellcheck disable=SC2086
run_guest $virtual -t 200 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program" \
	"$matching" "$ahead" "$transfers"
