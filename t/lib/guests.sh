# SPDX-License-Identifier: BSD-3-Clause
# guests.sh - for tests that run in a virtual machine; read after env.sh.
# shellcheck shell=sh disable=SC2154

# make stock-kernel, which takes a kernel out of Debian's packages, and make kernel-modules make
# what these tests need; they are skipped without it.

# make check-kernel-debug names others, which need more memory and time.
stock=${BSP_GUEST_KERNEL:-$top_builddir/stock}
modules=${BSP_GUEST_MODULES:-$top_builddir/kernel-modules}/kernel

for tool in qemu-system-x86_64 busybox cpio; do
	command -v $tool >/dev/null || skip_all "no $tool here"
done
test -e "$stock/complete" || skip_all "no kernel for guests (make stock-kernel) here"
test -e "$modules/enet.ko" || skip_all "no modules for guests (make kernel-modules) here"

# A guest that hangs is to end, not one on a busy machine: SECONDS of guest.sh are scaled.
BSP_GUEST_LIMIT=$(limit 100)
export BSP_GUEST_LIMIT

# The options for a guest whose times are checked: its time is virtual, so that it counts
# instructions and timers, whatever else this machine does, and a sleep takes none of ours. A kernel
# that watches itself takes for ever that way. Not for several processors or guests.
virtual="-v 2"
test -z "$BSP_GUEST_KERNEL" || virtual=

# guest_program NAME [ARGUMENT]...: builds t/kernel/guest/NAME.c, with more arguments for the
# compiler; prints its path
guest_program()
{
	program=$1
	shift
	$CC $CFLAGS -Wall -Wextra -Werror -D_GNU_SOURCE -I"$top_srcdir/include" \
		"$top_srcdir/t/kernel/guest/$program.c" "$@" \
		-o "$tap_dir/$program" >&2 && echo "$tap_dir/$program"
}

# goal_program NAME: the same, linked with the library of schedules; see needs_goal
goal_program()
{
	# shellcheck disable=SC2086
	guest_program "$1" $BSP_SANITIZE -I"$top_srcdir" -I"$top_srcdir/goal" \
		-I"$top_srcdir/kernel/goal" "$top_builddir/goal/.libs/libgoal.a" -lm -lpthread
}

needs_goal()
{
	test -e "$top_builddir/goal/.libs/libgoal.a" || skip_all "no static library of schedules"
}

# bsp_program NAME [ARGUMENT]...: builds the program on standard input with the library, and more
# arguments for the compiler; prints its path
bsp_program()
{
	program=$1
	shift
	cat >"$tap_dir/$program.c"
	# shellcheck disable=SC2086
	$CC $CFLAGS $BSP_SANITIZE -I"$top_srcdir/include" -I"$top_srcdir" -I"$top_srcdir/goal" \
		-I"$top_srcdir/kernel/goal" "$tap_dir/$program.c" -L"$top_builddir/.libs" \
		-lbsp "$@" -Wl,-rpath,"$top_builddir/.libs" -o "$tap_dir/$program" >&2 &&
		echo "$tap_dir/$program"
}

# library_tests FOLDER/CLAIM...: prints the paths of tests of the library, which are /bin/*.t in
# the guest
library_tests()
{
	for test do
		test -x "$top_builddir/t/$test.t" || return
		echo "$top_builddir/t/$test.t"
	done
}

# run_guest OPTION... SCRIPT [PROGRAM]...: with the usual modules; the test prints the guest's TAP
run_guest()
{
	sh "$top_srcdir/kernel/testbed/guest.sh" ${BSP_GUEST_KERNEL:+-w} -k veth -k bridge -k \
		sch_netem -k "$modules/enet.ko" "$@"
}

# needs_segment: of several guests; $segment is what joins them
needs_segment()
{
	segment=$tap_dir/segment
	$CC $CFLAGS -Wall -Wextra -Werror -D_GNU_SOURCE "$top_srcdir/kernel/testbed/segment.c" -o \
		"$segment" >&2 ||
		bail "the segment cannot be built"
}

# run_guests N OPTION... SCRIPT [PROGRAM]...: on one segment, with the usual modules; the
# test prints the TAP of all
run_guests()
{
	n=$1
	shift
	sh "$top_srcdir/kernel/testbed/guests.sh" "$segment" "$n" ${BSP_GUEST_KERNEL:+-w} -k veth \
		-k bridge -k sch_netem -k "$modules/enet.ko" "$@"
}

# run_misbehaving ARGUMENT...: what t/kernel/guest/misbehaving.c does with /dev/espgoal, on three
# hosts of a guest, is the test
run_misbehaving()
{
	needs_goal
	program=$(goal_program misbehaving) || bail "cannot build the test"
	cat >"$tap_dir/script" <<END
segment 3 || echo "Bail out! no segment"
misbehaving $*
END
	# shellcheck disable=SC2086
	run_guest $virtual -t 200 -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" "$program"
}
