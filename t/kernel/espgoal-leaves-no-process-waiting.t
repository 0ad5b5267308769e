#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Espgoal: what was sent arrives though its sender has ended; a process that waits for one
# that is not there gets an error.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

needs_goal
program=$(goal_program leave) || bail "cannot build the test"
cat >"$tap_dir/script" <<'END'
segment 4 || echo "Bail out! no segment"
for mover in Y N; do
	echo $mover >/sys/module/espgoal/parameters/softirq
	tests "softirq=$mover" leave late 4
	tests "softirq=$mover" leave absent 3
	ip -n h2 link set eth0 up || echo "Bail out! no link"
	tests "softirq=$mover" leave killed 2
	tests "softirq=$mover" leave alone 3
done
tests "exit" leave several 2
tests "timer" leave delayed 3
rmmod espgoal
ok $? "nothing is left that holds the module"
done_testing
END
# shellcheck disable=SC2086
run_guest $virtual -t 200 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program"
