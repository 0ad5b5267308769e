#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspgauge measures ESP and EDP where the module that has them is loaded, LogGP also of the latter,
# which may lose messages; multicasts, two networks and nodes where the kernel runs the schedules of
# several hosts.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$top_builddir/tools/bspgauge/.libs/bspgauge
test -x "$program" || program=$top_builddir/tools/bspgauge/bspgauge
cat >"$tap_dir/script" <<'END'
segment 2 || echo "Bail out! no segment"
export HOME=/tmp
for module in esp edp; do
	bspgauge -n 2 --module $module --pattern one_one --sizes 1:1024 --seconds 0.5 --csv /tmp/$module.csv >/tmp/out 2>&1
	ok $? "$module: bspgauge" || sed 's/^/# /' /tmp/out
	grep -E "1024 +[0-9.]+ " /tmp/out | awk '{ good = $2 > 0 } END { exit !good }'
	ok $? "$module: a latency for 1024 bytes" || sed 's/^/# /' /tmp/out
	! grep -E 'took|[0-9]!' /tmp/out
	ok $? "$module: no other program is seen" || sed 's/^/# /' /tmp/out
done
bspgauge -n 2 --module edp --pattern loggp --sizes 1:64:64 --samples 3 --csv /tmp/csv >/tmp/out 2>&1
ok $? "edp: LogGP" || sed 's/^/# /' /tmp/out
for row in discarded,samples L,us g,us "o by delay,us"; do
	grep -q ",edp,loggp,$row,2,[0-9]*,[0-9]" /tmp/csv
	ok $? "edp: LogGP has a value of $row" || sed 's/^/# /' /tmp/csv
done
chmod 666 /dev/espgoal
for module in bsp-esp bsp-esp-kernel; do
	BSP_STAT=1 bspgauge -n 2 --module $module --pattern hrelation,relaxed,overlap --sizes 8:64 --seconds 0.4 --csv /tmp/csv >/tmp/out 2>/tmp/err
	ok $? "$module: h-relation, relaxed, overlap" || sed 's/^/# /' /tmp/out /tmp/err
	for row in hrelation,l,us relaxed,classic,us relaxed,relaxed,us "overlap,allreduce," \
		"overlap,exchange," "overlap,bcast," "overlap,barrier alone,us" "overlap,barrier,"; do
		grep -q ",$module,$row,2,[0-9.]*,[0-9]" /tmp/csv
		ok $? "$module: has a value of $row" || sed 's/^/# /' /tmp/csv
	done
	grep -q 'started schedules [0-9]* times: [1-9][0-9]* in the kernel' /tmp/err
	kernel=$?
	test $module = bsp-esp
	test $? -ne $kernel
	ok $? "$module: who runs its schedules" || sed 's/^/# /' /tmp/err
done

# Two hosts, joined by two bridges.
ip link add br1 type bridge && ip link set br1 up || echo "Bail out! no second segment"
for host in 1 2; do
	ip link add q$host type veth peer name eth1 netns h$host &&
		ip link set q$host master br1 up && ip -n h$host link set eth1 up &&
		ip -n h$host link set lo up || echo "Bail out! no second interface"
done
# across MODULE PROCESSES INTERFACES PATTERNS: so many of each host; the table, and the values
across()
{
	export BSP_ESP_INTERFACE=$3 BSP_WAIT=spin:0,yield:0
	for host in 2 1; do
		first=$(((host - 1) * $2))
		ip netns exec h$host unshare -u sh -c "hostname h$host && exec bsprun --discover \
			job -n $((2 * $2)) --part $first-$((first + $2 - 1)) bspgauge --seconds 0.4 \
			--module $1 --pattern $4 --sizes 8:64:8 --csv /tmp/csv$host" \
			>/tmp/out$host 2>/tmp/err$host &
	done
	wait $!
	ok $? "$1, $2 processes of each host, $3: bspgauge" || sed 's/^/# /' /tmp/out1 /tmp/err1
	wait
	unset BSP_ESP_INTERFACE BSP_WAIT
}
# measured PATTERN NAME...: they have values
measured()
{
	pattern=$1
	shift
	for name do
		grep -q ",$pattern,$name,us,[24],[248]*,[1-9]" /tmp/csv1
		ok $? "$pattern: $name" || sed 's/^/# /' /tmp/out1
	done
}
# refused NAME REASON
refused()
{
	grep -qF "  $1: not measured: $2" /tmp/out1
	ok $? "$1: not measured: $2" || sed 's/^/# /' /tmp/out1
}
across bsp-esp-kernel 1 eth0,eth1 barrier,bcast,allgather,allreduce
measured barrier dissemination binomial+multicast knomial:4+multicast linear+multicast \
	dissemination+networks binomial+multicast+networks bsp_sync
measured bcast binomial multicast bsp_bcast
measured allgather bruck multicast bsp_allgather
measured allreduce recursive-doubling reduce-multicast bsp_allreduce
refused +nodes "nodes have one process each"
across bsp-esp-kernel 2 eth0 barrier
measured barrier dissemination+nodes binomial+nodes binomial+multicast binomial+nodes+multicast
refused +networks "there is one network"
across bsp-esp 1 eth0 barrier,bcast
measured bcast binomial bsp_bcast
refused +multicast "a multicast is a message to each process here"
refused multicast "a multicast is a message to each process here"
done_testing
END
# shellcheck disable=SC2086
run_guest $virtual -m 512 -t 200 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program" \
	"$top_builddir/tools/bsprun/bsprun"
