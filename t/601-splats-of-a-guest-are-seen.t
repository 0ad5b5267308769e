#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 601 - a warning, a crash, a hang and a script that ends early each fail the run of a guest.

. "${0%/*}/env.sh"
. "$top_srcdir/t/guests.sh"

# run OPTION...: the script on standard input
run()
{
	cat >"$tap_dir/script"
	sh "$top_srcdir/kernel/testbed/guest.sh" "$@" "$stock" "$tap_dir/script" >"$tap_dir/out"
}

# caught STATUS WHAT PATTERN
caught()
{
	test "$1" -ne 0 && grep -qE "^not ok - guest: .*$3" "$tap_dir/out"
	ok $? "$2" || sed 's/^/# /' "$tap_dir/out"
}

run <<'END'
ok 0 "fine"
done_testing
END
status=$?
test $status -eq 0 && test "$(cat "$tap_dir/out")" = "ok 1 - fine
1..1"
ok $? "a good run prints its TAP and nothing else" || sed 's/^/# /' "$tap_dir/out"

run <<'END'
echo w >/dev/kmsg
echo "WARNING: CPU: 0 PID: 1 at planted" >/dev/kmsg
done_testing
END
caught $? "a warning of the kernel fails the run" complains

run <<'END'
echo 1 >/proc/sys/kernel/sysrq
echo c >/proc/sysrq-trigger
END
caught $? "so does a crash" "without a report"

run -t 10 <<'END'
while :; do :; done
END
caught $? "and a hang" "still running"

run <<'END'
ok 0 "so far"
exit 3
END
caught $? "and a script that fails" "status 3"

done_testing
