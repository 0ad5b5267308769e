#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The modules compile without warnings with the headers of every kernel that Debian has, in all its
# flavours.

. "${0%/*}/../lib/env.sh"

# A make -j that runs the tests would hand its job server to the makes here, which warn of it.
unset MAKEFLAGS MFLAGS

newer=$top_builddir/newer
test -z "$BSP_GUEST_KERNEL" || skip_all "not applicable: a debug kernel runs nothing of it"
test -e "$newer/complete" || skip_all "no newer kernels (make newer-kernels) here"

while read -r kernel; do
	make -C "$top_builddir" kernel-sources MODULES="$tap_dir/$kernel" >"$tap_dir/log" 2>&1 &&
		sh "$top_srcdir/kernel/testbed/in_root.sh" "$newer/root" "$tap_dir/$kernel" \
			make -j2 -C /mnt/kernel "KDIR=/usr/src/linux-headers-$kernel" modules \
			>>"$tap_dir/log" 2>&1 </dev/null
	ok $? "they compile for Linux $kernel" || diag "$(grep -A 3 'error' "$tap_dir/log")"
	is "" "$(grep -A 3 'warning:' "$tap_dir/log")" "without warnings"
	rm -rf "${tap_dir:?}/$kernel"
done <"$newer/headers"

done_testing
