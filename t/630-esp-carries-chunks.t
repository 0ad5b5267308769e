#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 630 - transport esp keeps the contract of transports, over the loopback interface of a guest.

. "${0%/*}/env.sh"
. "$top_srcdir/t/guests.sh"

# Not 330, which wants each process to sleep: with one processor a chunk may always be there when its receiver runs again.
set --
for number in 302 310 311 312 313 315 316 317 331 350; do
	for program in "$top_builddir/t/$number"-*.t; do
		test -x "$program" || bail "no test $number in the build"
		cp "$program" "$tap_dir/$number"
	done
	set -- "$@" "$tap_dir/$number"
done

cat >"$tap_dir/script" <<'END'
export TAP_TIMEOUT=100 BSP_TRANSPORT=esp
for contract in /bin/3[0-9][0-9]; do
	name=${contract##*/}
	$contract >/tmp/out 2>&1
	ok $? "$name ends well"
	include "$name" </tmp/out
	number=$(cat /tmp/number)
done
grep -q '# SKIP' /tmp/out
test $? -ne 0
ok $? "the last one has skipped nothing"

# With all programs gone their sockets go.
for i in $(seq 50); do
	rmmod enet 2>/dev/null && break
	usleep 100000
done
test ! -e /sys/module/enet
ok $? "the module goes when the jobs have"
done_testing
END
run_guest -m 512 -t 240 "$stock" "$tap_dir/script" "$@"
