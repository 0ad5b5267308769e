#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# With BSP_OFFLOAD=1 collectives and the program's schedules run in the kernel, with the same
# results to the last bit.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(bsp_program offloaded <"$top_srcdir/t/kernel/guest/offloaded.c") ||
	bail "cannot build the program"
programs=$(library_tests \
	collective/different-collective-calls-are-named \
	schedule/schedules-shift-around-a-ring \
	schedule/receives-from-any-take-each-message-once) || bail "a test is not in the build"

cat >"$tap_dir/script" <<'END'
export BSP_TRANSPORT=esp BSP_WAIT=spin:0,yield:0 BSP_STAT=1
chmod 666 /dev/espgoal

trace=
# runs OFFLOAD PROCESSES WHAT: OFFLOAD may be empty; its results in /tmp/out, what it says in /tmp/err
runs()
{
	env ${1:+BSP_OFFLOAD=$1} bsprun $trace -n $2 offloaded $3 >/tmp/unsorted 2>/tmp/err
	set -- $?
	sort /tmp/unsorted >/tmp/out
	return $1
}

# are KERNEL PROCESS: so many runs there, as patterns
are()
{
	grep -q "process 0 started schedules [0-9]* times: $1 in the kernel, $2 in the process" /tmp/err
}

# fails MESSAGE: on the place of the call
fails()
{
	test $? -ne 0
	ok $? "$what: it ends the job"
	grep -qE "$1" /tmp/err
	ok $? "$what: and says why" || sed 's/^/# /' /tmp/err
}

some='[1-9][0-9]*'
for n in 2 5; do
	runs 0 $n bits
	ok $? "$n processes fold by themselves" || sed 's/^/# /' /tmp/err
	mv /tmp/out /tmp/expected
	runs 1 $n bits
	ok $? "$n processes: the kernel folds" || sed 's/^/# /' /tmp/err
	cmp /tmp/expected /tmp/out
	ok $? "$n processes: to the same bits" || sed 's/^/# /' /tmp/expected /tmp/out
	are $some 1
	ok $? "$n processes: all in the kernel but what calls the program" || sed 's/^/# /' /tmp/err
done
runs barrier 2 bits
ok $? "BSP_OFFLOAD=barrier: the same"
are $some 5
ok $? "only the barrier in the kernel" || sed 's/^/# /' /tmp/err

trace="--trace /tmp/trace"
runs 1 3 many
trace=
ok $? "300 runs are started at once" || sed 's/^/# /' /tmp/err
is "$(cat /tmp/out)" "$(for p in 0 1 2; do echo $p has 0 wrong words; done)" "all of them end, and bring what they should"
are $some 0
ok $? "all in the kernel" || sed 's/^/# /' /tmp/err
grep '"cat":"kernel"' /tmp/trace >/tmp/spans
is "$(grep -c '"name":"goal_start [^"]*offloaded.c:[0-9]*"' /tmp/spans)" 900 "the timeline has each of them by its line"
grep -q '"name":"bsp_sync [^"]*offloaded.c:[0-9]*"' /tmp/spans
ok $? "and barriers" || head -n 3 /tmp/spans
test "$(grep -vc '"dur":0.000' /tmp/spans)" -gt 300
ok $? "with its time, if no more than 31 are under way" || head -n 3 /tmp/spans
# The last process to start them may see each end at once, the first does not.
test "$(grep -c '"name":"kernel, process [012]"' /tmp/trace)" -gt 3
ok $? "those at the same time have tracks of their own"

# Operations: a multicast, a time stamp and two receives of each of the 900 runs.
grep '"cat":"operation"' /tmp/trace >/tmp/operations
is "$(grep -c '"name":"multicast, 8 bytes"' /tmp/operations) $(grep -c '"name":"receive from [012], 8 bytes"' /tmp/operations) $(grep -c '"name":"timestamp, 8 bytes"' /tmp/operations)" \
	"900 1800 900" "the timeline has each of their operations"
trace="--trace /tmp/trace"
runs 1 2 chain
trace=
is "$? $(paste -sd ' ' /tmp/out)" "0 0 has 14 1 has 14" "with time stamps schedules do the same" ||
	sed 's/^/# /' /tmp/err
# span NAME: begin and end of the only operation with this name
span()
{
	sed -n 's/.*"cat":"operation","ts":\([0-9.]*\),"dur":\([0-9.]*\),"name":"'"$1"', 8 bytes".*/\1 \2/p' \
		/tmp/trace | awk '{ printf "%.3f %.3f\n", $1, $1 + $2 }'
}
for name in "send to 1" "receive from 0" add "send to 0" "receive from 1"; do
	echo "$name: $(span "$name")"
done >/tmp/chain
awk '
	{ end[NR] = $NF; begin[NR] = $(NF - 1) }
	END {
		# on each process in the order of the dependences, across as messages go
		exit !(NR == 5 && begin[3] >= end[2] && begin[4] >= end[3] && end[2] > begin[1] && end[5] > begin[4] && begin[5] < end[5])
	}' /tmp/chain
ok $? "an operation begins when what it waits for has ended" || sed 's/^/# /' /tmp/chain
runs 1 2 chain
ok $? "without --trace" || sed 's/^/# /' /tmp/err
bsprun --record /tmp/plain.rec -x BSP_OFFLOAD=1 -n 2 offloaded chain >/tmp/out 2>/tmp/err && bspprof trace -o /tmp/trace /tmp/plain.rec
is "$? $(grep -c '"cat":"kernel"' /tmp/trace | sed 's/[1-9][0-9]*/some/') $(grep -c '"cat":"operation"' /tmp/trace)" \
	"0 some 0" "a recording has operations only if --trace or the setting asks" || sed 's/^/# /' /tmp/err

for offload in 0 1; do
	runs $offload 5 neighbors
	is "$? $(paste -sd ' ' /tmp/out)" "0 $(for p in 0 1 2 3 4; do echo $p has 0 wrong words; done | paste -sd ' ')" \
		"BSP_OFFLOAD=$offload: an exchange with neighbours" || sed 's/^/# /' /tmp/err
done
are $some 0
ok $? "in the kernel" || sed 's/^/# /' /tmp/err

# auto LATENCY PATTERN WHAT: what is chosen if no process says, on a network whose messages take 4 us to
# send and 8 us to receive
auto()
{
	echo '{"version": 1, "entries": [{"host": "h", "transport": "esp", "network": "", "nprocs": 2,
		"L": '$1', "gamma": 1, "combine": 0.2, "copy": 0.1, "s": 1500, "l": 12000, "g": 3.2,
		"nhalf": 700, "sizes": [{"bytes": 1, "os": 4000, "or": 8000, "g": 4000}]}]}' >/tmp/params
	BSP_VERBOSE=1 BSP_PARAMS=/tmp/params runs '' 2 bits && grep -q "$2" /tmp/err
	ok $? "BSP_OFFLOAD=auto: $3" || sed 's/^/# /' /tmp/err
}
auto 25000 'bsp: the kernel runs schedules' "where the wire takes longer than both ends do"
auto 23000 'runs no schedules (BSP_OFFLOAD=auto): the network is too fast' "not where it takes less"
BSP_VERBOSE=1 BSP_PARAMS=none runs auto 2 bits && grep -q 'auto): the network is not measured' /tmp/err
ok $? "nor where nothing is measured" || sed 's/^/# /' /tmp/err

runs 0 2 nothing
mv /tmp/out /tmp/expected
runs 1 2 nothing
ok $? "collectives without memory that may be pinned" || sed 's/^/# /' /tmp/err
cmp /tmp/expected /tmp/out
ok $? "have the same results to the bit" || sed 's/^/# /' /tmp/expected /tmp/out
are $some 1
ok $? "in the kernel" || sed 's/^/# /' /tmp/err
runs 1 2 limit
ok $? "4 MiB where 64 KiB may be pinned" || sed 's/^/# /' /tmp/err
is "$(cut -d' ' -f3 /tmp/out | sort -u | wc -l)" 1 "arrive"
are $some 0
ok $? "by the kernel" || sed 's/^/# /' /tmp/err
for part in sums uneven beside device; do
	runs 1 3 $part
	ok $? "schedules of the program: $part" || sed 's/^/# /' /tmp/err
	is "$(cat /tmp/out)" "$(for p in 0 1 2; do echo $p has 0 wrong words; done)" "$part: right"
	are $some 0
	ok $? "$part: in the kernel" || sed 's/^/# /' /tmp/err
done

# same PART PROCESSES IN-PROCESS WHAT: as without the kernel, and so many runs in the process
same()
{
	runs 0 $2 $1
	mv /tmp/out /tmp/expected
	runs 1 $2 $1
	ok $? "$4" || sed 's/^/# /' /tmp/err
	cmp /tmp/expected /tmp/out
	ok $? "$4: the same results" || sed 's/^/# /' /tmp/expected /tmp/out
	are $some $3
	ok $? "$4: $3 runs in the process" || sed 's/^/# /' /tmp/err
}
same overlap 3 0 "buffers that overlap and are copied"
same locked 2 1 "memory that is locked after the beginning"
same huge 3 4 "more memory than may be pinned or copied"
is "$(cat /tmp/out)" "$(for p in 0 1 2; do echo $p has 0 wrong words; done)" "and they are right"
same loads 2 312 "more schedules than the kernel keeps"
what="a message of a wrong length"
runs 1 2 mismatch
fails 'process 0 sent 16 bytes with tag 5, and operation 0 of schedule [0-9]*, which receives them, is for 8'

runs 1 2 large
is "$(cut -d' ' -f3 /tmp/out | sort -u | wc -l)" 1 "4 MiB arrive"
are $some 0
ok $? "by the kernel" || sed 's/^/# /' /tmp/err

export BSP_OFFLOAD=1
api_tests /bin/*.t
module_goes espgoal
ok $? "no job leaves the device open"
done_testing
END
# shellcheck disable=SC2086
run_guest -m 512 -t 240 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program" \
	"$top_builddir/tools/bsprun/bsprun" "$top_builddir/tools/bspprof/bspprof" $programs
