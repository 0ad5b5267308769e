#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Barriers in the kernels of several hosts spread over two interfaces, and release by one multicast.

# The hosts are namespaces of one guest, joined by two bridges. Three run the job, so that a process
# receives from two others, over one interface each; a fourth one sees what is flooded: multicasts, and
# hardly anything else.
#
#	bridge br0 ----- eth0 of h1, h2, h3, h4
#	bridge br1 ----- eth1 of h1, h2, h3

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(bsp_program rounds <"$top_srcdir/t/kernel/guest/rounds.c") ||
	bail "cannot build the program"

echo "long=${TAP_LONG-}" >"$tap_dir/script"
cat >>"$tap_dir/script" <<'END'
export BSP_TRANSPORT=esp BSP_SYNC=classic BSP_OFFLOAD=1 BSP_VERBOSE=1
rounds=80
segment 4 && second_network 3 || echo "Bail out! no networks"
for host in 1 2 3; do ip -n "h$host" link set lo up; done

# frames PORT DIRECTION: of a bridge: rx, what the host has sent, or tx, what was sent to it
frames()
{
	cat "/sys/class/net/$1/statistics/$2_packets"
}

each=1		# processes of a host
# part HOST INTERFACES: of the job
part()
{
	in_ns "h$1" unshare -u sh -c "hostname h$1 && BSP_ESP_INTERFACE=$2 exec bsprun --discover job -n $((3 * each)) --part $((each * ($1 - 1)))-$((each * $1 - 1)) rounds $rounds" \
		>"/tmp/out$1" 2>"/tmp/err$1"
	echo $? >"/tmp/status$1"
}

# job BARRIER INTERFACES [THOSE OF HOST 3]: on three hosts, which send $first frames on eth0 and
# $second on eth1 at least, while the fourth receives $flooded
job()
{
	export BSP_BARRIER="$1"
	before=$(for host in 1 2 3; do frames p$host rx; frames q$host rx; done; frames p4 tx)
	part 1 "$2" & first=$!
	part 2 "$2" & second=$!
	part 3 "${3:-$2}"
	wait $first $second
	set -- $before
	first=1000000 second=1000000
	for host in 1 2 3; do
		n=$(($(frames p$host rx) - $1)) m=$(($(frames q$host rx) - $2))
		test $n -ge $first || first=$n
		test $m -ge $second || second=$m
		shift 2
	done
	flooded=$(($(frames p4 tx) - $1))
}

show()
{
	ok $? "$1" || { echo "# $first and $second frames, $flooded flooded"; sed 's/^/# /' /tmp/out? /tmp/err?; }
}

# is_right BARRIER
is_right()
{
	test "$(cat /tmp/status?)" = "$(printf '0\n0\n0')" &&
		test "$(sort /tmp/out?)" = "$(printf 'process %s: 0 wrong\n' $(seq 0 $((3 * each - 1))))" &&
		grep -q "bsp_sync $1, offloaded" /tmp/err1
	show "$1, in the kernels: each barrier waits for all, and brings its counts"
}

job dissemination eth0,eth1
is_right dissemination
test $first -ge $rounds && test $second -ge $rounds
show "each host sends on both interfaces, for each barrier"
test $flooded -lt $rounds
show "and no process multicasts"
job dissemination eth0
is_right dissemination
test $first -ge $rounds && test $second -lt $((rounds / 2))
show "with one interface the other carries nothing of it"
job dissemination eth0,eth1 eth0
is_right dissemination
test $first -ge $rounds && test $second -lt $((rounds / 2))
show "nor for barriers if a process names only one"

for barrier in binomial+multicast ${long:+knomial:3+multicast linear+multicast}; do
	job $barrier eth0,eth1
	is_right $barrier
	test $flooded -ge $rounds && test $flooded -lt $((2 * rounds))
	show "$barrier, and each is released by one multicast"
done

each=2
for barrier in ${long:+dissemination} dissemination+nodes; do
	job $barrier eth0,eth1
	is_right $barrier
	test $first -ge $rounds && test $second -ge $rounds
	show "$barrier, with two processes of each host, over both interfaces, too"
done
job knomial:2+nodes+multicast eth0,eth1
is_right knomial:2+nodes+multicast
test $flooded -ge $rounds && test $flooded -lt $((2 * rounds))
show "and each is released by one multicast"
each=1

# probe HOST: bspprobe's part of it
probe()
{
	in_ns "h$1" unshare -u sh -c "hostname h$1 && BSP_ESP_INTERFACE=eth0,eth1 exec bsprun --discover job -n 3 --part $(($1 - 1)) bspprobe --seconds 2 --bytes 1 --verify --only barrier --csv" \
		>"/tmp/out$1" 2>"/tmp/err$1"
}
probe 1 & first=$!
probe 2 & second=$!
probe 3
wait $first $second
for barrier in knomial knomial+multicast knomial+networks linear+multicast+networks dissemination+networks; do
	grep -q "^barrier,$barrier,3," /tmp/out1
	ok $? "bspprobe measures $barrier" || sed 's/^/# /' /tmp/out1 /tmp/err?
done

# refused INTERFACES PATTERN WHAT: the first process that finds it reports it to all
refused()
{
	job dissemination "$1"
	grep -q "$2" /tmp/err?
	show "$3"
}
refused eth0,eth0 'interface eth0 is named twice (BSP_ESP_INTERFACE)' "an interface that is named twice is refused"
refused eth0,eth1,lo 'interface lo is no Ethernet (BSP_ESP_INTERFACE)' "one that is no Ethernet as well"
refused eth1,eth0,eth1 'interface eth1 is one too many, at most 2 are used (BSP_ESP_INTERFACE)' "and a third"
refused eth0,eth0123456789012345 'there is no interface eth0123456789012345 (BSP_ESP_INTERFACE)' "and one that cannot be"
module_goes espgoal
ok $? "no job leaves the device open"
done_testing
END
# shellcheck disable=SC2086
run_guest $virtual -m 512 -t 240 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program" \
	"$top_builddir/tools/bsprun/bsprun" "$top_builddir/tools/bspprobe/bspprobe"
