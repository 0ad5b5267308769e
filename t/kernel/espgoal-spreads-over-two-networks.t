#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Espgoal: on two networks both carry, messages keep their order, and a dead link ends the job in
# time.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

needs_goal
cast=$(goal_program cast) && leave=$(goal_program leave) || bail "cannot build the tests"
cat >"$tap_dir/script" <<'END'
segment 4 && second_network 4 || echo "Bail out! no networks"

for hosts in 3 4; do
	tests "$hosts hosts" cast networks $hosts
done
for host in 1 2 3 4; do
	tc -n h$host qdisc add dev eth1 root netem loss 5% delay 1ms 1ms || echo "Bail out! no netem"
done
tests "one network is bad" cast networks 4
for host in 1 2 3 4; do
	tc -n h$host qdisc del dev eth1 root || echo "Bail out! netem stays"
done

for mover in Y N; do
	echo $mover >/sys/module/espgoal/parameters/softirq
	for case in broken lost silent unneeded acknowledged twice; do
		tests "a link breaks, softirq=$mover" leave $case 3
		ip -n h2 link set eth0 up && ip -n h2 link set eth1 up || echo "Bail out! no link"
	done
done
rmmod espgoal
ok $? "nothing is left that holds the module"
done_testing
END
# shellcheck disable=SC2086
run_guest $virtual -t 120 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$cast" "$leave"
