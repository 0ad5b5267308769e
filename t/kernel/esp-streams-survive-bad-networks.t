#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ESP: every byte arrives once and in order, whatever the network loses, doubles, changes or delays.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(guest_program stream) || bail "cannot build the test"
# make check-kernel-long: a GiB in total, rather than about 100 MiB.
times=${BSP_GUEST_TIMES:-1}
echo "times=$times" >"$tap_dir/script"
cat >>"$tap_dir/script" <<'END'
cable || echo "Bail out! no cable"

total=0

# try LABEL KIBIBYTES TROUBLE...: two connections, both ways
try()
{
	label=$1 size=$(($2 * times))
	total=$((total + size * 4))
	shift 2
	trouble "$@" || echo "Bail out! netem $*"
	tests "both ways" stream 2 "$size" "$label"
}

try "a good network" 8192 delay 0
try "1 % lost" 4096 loss 1%
try "5 % lost" 2048 loss 5%
try "20 % lost" 1024 loss 20%
try "10 % twice" 2048 duplicate 10%
try "2 % changed" 2048 corrupt 2%
try "out of order" 2048 delay 2ms reorder 25% 50%
try "delays that change" 1024 delay 5ms 3ms
try "all of that" 1024 delay 2ms 1ms loss 3% duplicate 3% corrupt 1% reorder 20%

if memory_fails 5; then
	try "memory that fails" 256 delay 0
	memory_fails 0
fi
echo "# $((total / 1024)) MiB in all"

ip netns del a && ip netns del b
ok $? "namespaces go with closed connections that linger"
module_goes enet
ok $? "and the module goes when the last of them has"
done_testing
END
run_guest -t $((240 * times)) "$stock" "$tap_dir/script" "$program"
