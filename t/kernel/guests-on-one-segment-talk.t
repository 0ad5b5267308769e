#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Streams and datagrams between two machines arrive whole in large frames, and a machine that
# vanishes is missed.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

across=$(guest_program across) || bail "cannot build the program"
needs_segment

cat >"$tap_dir/script" <<'END'
# A second is one for all of them.
khz=$(sed -n 's/.*tsc_early_khz=\([0-9]*\).*/\1/p' /proc/cmdline)
mhz=${khz%???}.${khz#"${khz%???}"}
test -z "$khz" || dmesg | grep -q "tsc: Detected $mhz MHz"
ok $? "its clock goes as the counter of the machine does" || dmesg | sed -n 's/.*tsc: /# /p'

across "$guest" >/tmp/out 2>&1
ok $? "across ends well"
include across </tmp/out

# The second goes when the first has connected, which it can only do when the second listens.
if test "$guest" = 1; then
	for try in $(seq 200); do
		across lose >/tmp/out 2>&1
		grep -q '^Bail out! connect: Connection refused' /tmp/out || break
		usleep 100000
	done
	include lose </tmp/out
	done_testing
else
	across hold &
	barrier
	vanish
fi
END
run_guests 2 -m 512 "$stock" "$tap_dir/script" "$across"
