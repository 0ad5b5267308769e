#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A warning, a crash, a hang and a script that ends early each fail the run of a guest, and of
# several guests.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

# Guests that hang here do so on purpose.
unset BSP_GUEST_LIMIT

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

# race FUNCTIONS [CALLER [INTERRUPTED [READER]]]: a report of a data race of interrupt and task,
# with modules of these functions
race='race()
{
	for line in ================================== "BUG: KCSAN: data-race in $1" \
		"write to 0x1 of 8 bytes by interrupt on cpu 0:" " caller+0x1/0x20$2" \
		" asm_sysvec_apic_timer_interrupt+0x1/0x20" " interrupted+0x1/0x20$3" \
		"read to 0x1 of 8 bytes by task 1 on cpu 0:" " reader+0x1/0x20$4" \
		==================================; do
		echo "$line" >/dev/kmsg
	done
}
'
run <<END
$race
echo w >/dev/kmsg
race "one / other"
race "one [bridge] / other [bridge]" " [enet]"
race "one+0x1/0x20 [virtio_ring]" " [enet]"
race "one / other" "" " [espgoal]"
ok 0 "fine"
done_testing
END
status=$?
test $status -eq 0 && test "$(cat "$tap_dir/out")" = "ok 1 - fine
1..1"
ok $? "a good run prints its TAP and nothing else, whatever data races the kernel has" ||
	sed 's/^/# /' "$tap_dir/out"

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

run -t 5 <<'END'
sleep 1000
END
caught $? "and a hang" "still running"

run <<'END'
ok 0 "so far"
exit 3
END
caught $? "and a script that fails" "status 3"

# Several guests, of which the second goes wrong.
needs_segment

# run_two OPTION...: the script on standard input, in two guests
run_two()
{
	cat >"$tap_dir/script"
	TMPDIR=$tap_dir sh "$top_srcdir/kernel/testbed/guests.sh" "$segment" 2 "$@" "$stock" \
		"$tap_dir/script" >"$tap_dir/out"
}

# caught_in_2 STATUS WHAT PATTERN
caught_in_2()
{
	test "$1" -ne 0 && grep -qE "^not ok [0-9]+ - guest 2: .*$3" "$tap_dir/out" &&
		! grep -q '^not ok.*guest 1:' "$tap_dir/out"
	ok $? "$2" || sed 's/^/# /' "$tap_dir/out"
}

# Both guests end by themselves, which takes as long as the machine and the kernel take.
began=$(date +%s)
run_two <<'END'
test "$guest" = 1 || { echo w >/dev/kmsg; echo "WARNING: CPU: 0 PID: 1 at planted" >/dev/kmsg; }
barrier
done_testing
END
status=$?
run_seconds=$(($(date +%s) - began + 1))
echo "# two guests took $run_seconds s"
caught_in_2 $status "a warning in the second fails the run" complains

none "$(find "$tap_dir" -name 'bsp-guest*')" "nothing stays behind"

# Each further case takes a guest: with debug kernels alone, which look for data races.
if test -z "$BSP_GUEST_KERNEL"; then
	done_testing
	exit
fi

run <<END
$race
echo w >/dev/kmsg
race "one / other"
race "one / other" " [enet]"
done_testing
END
caught $? "a data race in a module fails the run" complains

run <<END
$race
echo w >/dev/kmsg
race "one / other" "" " [espgoal]" " [espgoal]"
done_testing
END
caught $? "also one that it has with an interrupt" complains

run <<END
$race
echo w >/dev/kmsg
race "one [bridge] / other [enet]"
done_testing
END
caught $? "also one with another module" complains

run_two <<'END'
ok 0 "so far"
test "$guest" = 1 || exit 0
barrier
done_testing
END
caught_in_2 $? "so does a plan that is missing there, and the first waits for it no longer" \
	"its plan is"

# It sleeps, as one that computes would take the processor from other tests. The first ends by
# itself in a fraction of the time, even if the machine becomes busier meanwhile. All of it is
# waited for, so the limit is not one of the harness.
run_two -t $((4 * run_seconds + 10)) <<'END'
test "$guest" = 1 || sleep 1000
done_testing
END
caught_in_2 $? "and a hang" "still running"
none "$(find "$tap_dir" -name 'bsp-guest*')" "and nothing then"

done_testing
