#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Four processes on each of two machines: bsp_sync, collectives and the program's schedules run in
# their kernels.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

needs_segment
needs_goal
near=$(goal_program near) || bail "cannot build the test of one host"
rounds=$(bsp_program rounds <"$top_srcdir/t/kernel/guest/rounds.c") &&
	offloaded=$(bsp_program offloaded <"$top_srcdir/t/kernel/guest/offloaded.c") ||
	bail "cannot build the programs"

# With debug kernels alone, as it takes time: by frames, and by the worker.
echo "others=${BSP_GUEST_KERNEL:+yes} long=${TAP_LONG-}" >"$tap_dir/script"
cat >>"$tap_dir/script" <<'END'
hostname "host$guest"
export BSP_ESP_INTERFACE=eth0 BSP_FAR=esp BSP_SYNC=classic BSP_STAT=1 BSP_WAIT=spin:0,yield:0
export BSP_OFFLOAD=1

# mine FIRST SECOND: the one for this guest
mine()
{
	test "$guest" = 1 && echo "$1" || echo "$2"
}

# parts FIRST SECOND PROGRAM...: a job of 8 of which each guest starts its part; $status,
# /tmp/out, /tmp/err
parts()
{
	part=$(mine "$1" "$2")
	shift 2
	barrier
	timeout "$TAP_TIMEOUT" bsprun --discover job -n 8 --part "$part" "$@" \
		>/tmp/unsorted 2>/tmp/err
	status=$?
	sort /tmp/unsorted >/tmp/out
	barrier
}

# good WHAT: it has ended well
good()
{
	is $status 0 "$BSP_TRANSPORT: $1" || sed 's/^/# /' /tmp/out /tmp/err
}

# beside IN_PROCESS: all runs of process 0 but so many were in the kernel
beside()
{
	test "$guest" = 2 && return
	grep -q "started schedules [0-9]* times: [1-9][0-9]* in the kernel, $1 in" /tmp/err
	ok $? "$BSP_TRANSPORT: in the kernel" || sed 's/^/# /' /tmp/err
}

# many: schedules of the program
many()
{
	parts 0-3 4-7 offloaded many
	good "300 schedules of the program at once"
	is "$(cat /tmp/out)" "$(printf '%d has 0 wrong words\n' $(mine "0 1 2 3" "4 5 6 7"))" \
		"$BSP_TRANSPORT: all of them bring what they should"
	beside 0
}

# Processes may fold in two levels, so in another order, and kernels in one alone.
one_scan=scan:recursive-doubling
one_level=allreduce:recursive-doubling,reduce:binomial,$one_scan

# Over mix the kernels run the same schedules, with the same results; in the long form.
for BSP_TRANSPORT in esp ${long:+mix}; do
	export BSP_TRANSPORT
	parts 0-3 4-7 rounds 50
	good "4 and 4 processes: each barrier waits for all, and brings its counts"
	beside 0
	barriers="dissemination ${long:+binomial+nodes knomial:3+nodes linear+multicast}"
	test $BSP_TRANSPORT = esp || barriers=
	for BSP_BARRIER in $barriers knomial:3+nodes+multicast; do
		export BSP_BARRIER
		parts 0-3 4-7 rounds 20
		good "$BSP_BARRIER: so does this one"
		beside 0
	done
	unset BSP_BARRIER
	export BSP_COLL=$one_level
	if test $BSP_TRANSPORT = esp; then
		BSP_OFFLOAD=0 parts 0-3 4-7 offloaded bits
		good "they fold by themselves"
		mv /tmp/out /tmp/expected
	fi
	parts 0-3 4-7 offloaded bits
	good "and their kernels do"
	cmp /tmp/expected /tmp/out
	ok $? "$BSP_TRANSPORT: to the same bits" || sed 's/^/# /' /tmp/expected /tmp/out
	beside 1
	unset BSP_COLL
	many
	parts 0-3 4-7 offloaded sums
	good "and with large messages"
	beside 0
done
BSP_TRANSPORT=esp
BSP_VERBOSE=1 parts 0-3 4-7 rounds 1
test "$guest" = 2 || grep -q 'bsp_sync dissemination+nodes, offloaded' /tmp/err
ok $? "one message goes to and from each machine" || sed 's/^/# /' /tmp/err
export BSP_COLL=bcast:multicast,allgather:multicast,allreduce:reduce-multicast,$one_scan
BSP_OFFLOAD=0 parts 0-3 4-7 offloaded bits
good "they fold by algorithms with multicasts, which are copies here"
mv /tmp/out /tmp/expected
parts 0-3 4-7 offloaded bits
good "and their kernels multicast"
cmp /tmp/expected /tmp/out
ok $? "to the same bits" || sed 's/^/# /' /tmp/expected /tmp/out
unset BSP_COLL
# frames BARRIER: that this guest sends to the group in 80 of them
frames()
{
	tc qdisc add dev eth0 root handle 1: prio
	tc filter add dev eth0 parent 1: protocol 0x88b5 prio 1 u32 match u8 1 1 at -14 classid 1:3
	tc filter add dev eth0 parent 1: protocol all prio 2 u32 match u8 0 0 classid 1:1
	BSP_BARRIER=$1 parts 0-3 4-7 rounds 80
	good "$1: 80 barriers"
	sent=$(tc -s class show dev eth0 |
		sed -n '/prio 1:3/,/Sent/s/.* bytes \([0-9]*\) pkt.*/\1/p')
	tc qdisc del dev eth0 root
}
frames linear
# the part of the job that looks for the others calls once
test "$sent" -lt 20
ok $? "without multicasts each frame is to one host" || echo "# $sent to the group"
frames linear+multicast
# a slow kernel repeats some
test "$guest" = 2 || { test "$sent" -ge 80 && test "$sent" -lt 320; }
ok $? "a multicast is one frame to the other machine, not four" || echo "# $sent to the group"
tc qdisc add dev eth0 root netem loss 10%
for BSP_BARRIER in linear+multicast knomial:3+nodes+multicast; do
	BSP_BARRIER=$BSP_BARRIER parts 0-3 4-7 rounds 50
	good "$BSP_BARRIER, one of ten frames is lost"
done
unset BSP_BARRIER
tc qdisc del dev eth0 root
parts 0 1-7 rounds 50
good "1 and 7 processes"
beside 0
parts 0-3 4-7 rounds 50 die
is $status 137 "a process that dies ends the job"
grep -q 'process 1.* on host1 was killed by signal 9\|killed by signal 9.*process 1' /tmp/err
ok $? "and is named on both machines" || sed 's/^/# /' /tmp/err
if test "$guest" = 1; then
	tests "in one host" near 4
fi
if test "$guest" = 1 && test "$others"; then
	echo N >/sys/module/espgoal/parameters/near
	tests "by frames" near 4 frames
	echo Y >/sys/module/espgoal/parameters/near
	echo N >/sys/module/espgoal/parameters/softirq
	tests "by the worker" near 3
fi
barrier
module_goes espgoal
ok $? "no job leaves the device open"
done_testing
END
run_guests 2 -m 512 -t 420 -k sch_prio -k cls_u32 -k "$modules/espgoal.ko" "$stock" \
	"$tap_dir/script" "$rounds" "$offloaded" "$near" "$top_builddir/tools/bsprun/bsprun"
