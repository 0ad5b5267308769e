#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Transport esp keeps the contract of transports, over the loopback interface of a guest.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

# Not 330, which wants each process to sleep: with one processor a chunk may always be there when
# its receiver runs again.
programs=$(library_tests \
	transport/probe-and-prepare-leave-nothing-behind \
	transport/chunks-arrive-whole-and-in-order \
	transport/room-is-what-was-asked-for-and-aligned \
	transport/chunks-wait-for-a-receiver-that-does-not-poll \
	transport/chunks-held-long-are-not-overwritten \
	transport/discarded-chunks-are-not-sent \
	transport/open-chunks-interleave \
	transport/credit-comes-back \
	transport/wait-spins-and-yields-before-it-sleeps \
	transport/close-ends-with-traffic-in-flight) || bail "a test is not in the build"

cat >"$tap_dir/script" <<'END'
export BSP_TRANSPORT=esp
api_tests /bin/*.t
grep -qE '# SKIP|not applicable: esp: ' /tmp/tests.out
test $? -ne 0
ok $? "the last one has skipped nothing"

# With all programs gone their sockets go.
module_goes enet
ok $? "the module goes when the jobs have"
done_testing
END
# shellcheck disable=SC2086
run_guest -m 512 -t 240 "$stock" "$tap_dir/script" $programs
