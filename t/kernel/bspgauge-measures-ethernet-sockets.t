#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspgauge measures ESP and EDP where the module that has them is loaded.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$top_builddir/tools/bspgauge/.libs/bspgauge
test -x "$program" || program=$top_builddir/tools/bspgauge/bspgauge
cat >"$tap_dir/script" <<'END'
segment 2 || echo "Bail out! no segment"
export HOME=/tmp
for module in esp edp; do
	bspgauge -n 2 --module $module --pattern one_one --sizes 1:1024 --seconds 2 --csv /tmp/$module.csv >/tmp/out 2>&1
	ok $? "$module: bspgauge" || sed 's/^/# /' /tmp/out
	# a latency of less than a second, and more than nothing, for 1024 bytes
	grep -E "1024 +[0-9.]+ " /tmp/out | awk '{ good = $2 > 0 && $2 < 1e6 } END { exit !good }'
	ok $? "$module: a latency for 1024 bytes" || sed 's/^/# /' /tmp/out
	! grep -E 'took|[0-9]!' /tmp/out
	ok $? "$module: no other program is seen" || sed 's/^/# /' /tmp/out
done
chmod 666 /dev/espgoal
for module in bsp-esp bsp-esp-kernel; do
	test $module = bsp-esp && patterns=overlap || patterns="hrelation relaxed overlap"
	for pattern in $patterns; do
		BSP_STAT=1 bspgauge -n 2 --module $module --pattern $pattern --sizes 8:64 --seconds 0.3 >/tmp/out 2>/tmp/err
		ok $? "$module: $pattern" || sed 's/^/# /' /tmp/out /tmp/err
		grep -q "^$pattern over $module" /tmp/out
		ok $? "$module: has its table" || sed 's/^/# /' /tmp/out
	done
	grep -q 'started schedules [0-9]* times: [1-9][0-9]* in the kernel' /tmp/err
	kernel=$?
	test $module = bsp-esp
	test $? -ne $kernel
	ok $? "$module: who runs its schedules" || sed 's/^/# /' /tmp/err
done
(while :; do :; done) &
hog=$!
bspgauge -n 2 --module esp --pattern one_one --sizes 1:16 --seconds 2 >/tmp/out 2>&1
kill $hog
grep -q 'one_one over esp, .*; other programs took [0-9.]* processors' /tmp/out
ok $? "another program is seen" || sed 's/^/# /' /tmp/out
grep -qE '^ +1 +[0-9.e+]+! ' /tmp/out
ok $? "and what it disturbed is marked" || sed 's/^/# /' /tmp/out
done_testing
END
run_guest -m 512 -t 200 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program"
