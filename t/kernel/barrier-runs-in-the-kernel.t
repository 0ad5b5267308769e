#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# With BSP_OFFLOAD=1 the classic barrier runs in the kernel, with the same results, or nowhere.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(bsp_program rounds <"$top_srcdir/t/kernel/guest/rounds.c") ||
	bail "cannot build the program"
programs=$(library_tests \
	transfer/get-returns-the-value-before-a-put \
	transfer/put-wins-over-get \
	transfer/any-size-at-any-offset \
	message/queue-is-stable-and-counts-what-is-left \
	message/ten-thousand-messages-arrive-once-each) || bail "a test is not in the build"

echo "long=${TAP_LONG-}" >"$tap_dir/script"
cat >>"$tap_dir/script" <<'END'
export BSP_TRANSPORT=esp BSP_SYNC=classic BSP_OFFLOAD=1 BSP_VERBOSE=1

# carried ALGORITHM PROCESSES: by the kernel, and right
carried()
{
	BSP_BARRIER=$1 bsprun -n "$2" rounds 100 >/tmp/out 2>/tmp/err
	ok $? "$1, $2 processes: each barrier waits for all, and brings its counts" || sed 's/^/# /' /tmp/out /tmp/err
	grep -q "transport esp, bsp_sync $1[^ ]*, offloaded" /tmp/err
	ok $? "$1, $2 processes: in the kernel" || sed 's/^/# /' /tmp/err
}

for n in 2 3 5; do
	for algorithm in dissemination ${long:+binomial} knomial:3; do
		carried $algorithm $n
	done
done

for algorithm in binomial+multicast knomial:3+multicast linear+multicast; do
	test -z "$long" || carried $algorithm 2
	carried $algorithm 5
done

# chosen L: the barrier of 5 processes for a latency in ns
chosen()
{
	measured_parameters 5 "$1" 8000 >/tmp/params
	BSP_PARAMS=/tmp/params bsprun -n 5 rounds 20 2>&1 >/tmp/out |
		sed -n 's/.*transport esp, bsp_sync \([^ ;]*\), offloaded.*/\1/p' | head -n 1
}
is "$(chosen 50000)" knomial:5+multicast "measured parameters of a slow link choose a multicast"
is "$(chosen 100)" dissemination "those of a fast one do not"
BSP_OFFLOAD=0 BSP_BARRIER=binomial+multicast bsprun -n 2 rounds 20 >/tmp/out 2>&1
test $? -ne 0 && grep -q 'cannot make the barrier binomial+multicast: the transport cannot multicast here' /tmp/out
ok $? "a barrier that is to multicast where no process can is refused" || sed 's/^/# /' /tmp/out

BSP_OFFLOAD=0 bsprun -n 2 rounds 20 >/tmp/out 2>/tmp/err
ok $? "without BSP_OFFLOAD it runs as well"
grep -q offloaded /tmp/err
test $? -ne 0
ok $? "and not in the kernel"

bsprun -n 3 rounds 100 die >/tmp/out 2>&1
test $? -ne 0 && grep -q 'killed by signal 9.*process 1' /tmp/out
ok $? "a process that dies is named, and ends the job" || sed 's/^/# /' /tmp/out

unset BSP_VERBOSE
api_tests /bin/*.t

# rmmod waits for nothing: a file that is still open would refuse.
rmmod espgoal
ok $? "no job leaves the device open"
BSP_VERBOSE=1 bsprun -n 2 rounds 20 >/tmp/out 2>/tmp/err
ok $? "without the module processes run it themselves" || sed 's/^/# /' /tmp/out /tmp/err
grep -q offloaded /tmp/err
test $? -ne 0
ok $? "and say so"
done_testing
END
# shellcheck disable=SC2086
run_guest -m 512 -t 240 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program" \
	"$top_builddir/tools/bsprun/bsprun" $programs
