#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# By measured parameters, bsp_sync of five hosts takes two networks where the gap between messages
# costs more than their receiver, and one where it does not.

# Latency is the same, and long: one multicast and four messages to who makes it are the fastest
# barrier. These come at least a gap apart, half a gap over two networks, and not faster than the
# receiver takes them.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(bsp_program rounds <"$top_srcdir/t/kernel/guest/rounds.c") ||
	bail "cannot build the program"

cat >"$tap_dir/script" <<'END'
export BSP_TRANSPORT=esp BSP_ESP_INTERFACE=eth0,eth1 BSP_SYNC=classic BSP_OFFLOAD=1 BSP_VERBOSE=1
export BSP_PARAMS=/tmp/params
rounds=200
segment 5 && second_network 5 || echo "Bail out! no networks"

# sent: frames that hosts have sent over the second network
sent()
{
	sum=0
	for host in 1 2 3 4 5; do
		sum=$((sum + $(cat /sys/class/net/q$host/statistics/rx_packets)))
	done
	echo $sum
}

# job: a process on each host; sets $second, the frames over the second network
job()
{
	before=$(sent) parts=
	for host in 1 2 3 4 5; do
		in_ns h$host unshare -u sh -c "hostname h$host && exec bsprun \
			--discover job -n 5 --part $((host - 1)) rounds $rounds" \
			>/tmp/out$host 2>/tmp/err$host &
		parts="$parts $!"
	done
	failed=0
	for part in $parts; do
		wait $part || failed=1
	done
	second=$(($(sent) - before))
}

# is_right BARRIER
is_right()
{
	test $failed = 0 &&
		test "$(sort /tmp/out?)" = "$(printf 'process %s: 0 wrong\n' 0 1 2 3 4)" &&
		grep -q "bsp_sync $1, offloaded" /tmp/err1
	ok $? "$1: each barrier waits for all" || sed 's/^/# /' /tmp/out? /tmp/err?
}

measured_parameters 5 500000 100000 >/tmp/params
job
is_right knomial:5+multicast
test $second -ge $rounds
ok $? "over both networks where a gap is long" || echo "# $second frames over the second"
measured_parameters 5 500000 2000 >/tmp/params
job
is_right knomial:5+multicast
test $second -lt $rounds
ok $? "over one where it is short" || echo "# $second frames over the second"
done_testing
END
# shellcheck disable=SC2086
run_guest $virtual -t 150 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program" \
	"$top_builddir/tools/bsprun/bsprun"
