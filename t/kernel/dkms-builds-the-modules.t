#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# DKMS finds the sources where they are installed, and builds, installs and removes the modules.

. "${0%/*}/../lib/env.sh"

newer=$top_builddir/newer
test -z "$BSP_GUEST_KERNEL" || skip_all "not applicable: a debug kernel runs nothing of it"
test -e "$newer/complete" || skip_all "no newer kernels (make newer-kernels) here"
root=$(cd "$newer/root" && pwd)
kernel=$(cat "$newer"/*/release | sort -V | tail -n 1)

# in_system COMMAND...: in the system that has this kernel's headers and DKMS
in_system()
{
	sh "$top_srcdir/kernel/testbed/in_root.sh" "$root" "$tap_dir" "$@" >"$tap_dir/log" 2>&1
	ok $? "$1 $2 $3" || diag "$(cat "$tap_dir/log")"
}

make -C "$top_builddir" install-kernel-sources DESTDIR="$root" >"$tap_dir/log" 2>&1
ok $? "the sources are installed"
source=$(echo "$root"/usr/src/bsp-*)
package=bsp/${source##*/bsp-}
in_system dkms install "$package" -k "$kernel"
installed=$root/usr/lib/modules/$kernel/updates/dkms
for module in enet espgoal; do
	is "$kernel" "$(modinfo -F vermagic "$installed"/$module.ko* | sed 's/ .*//')" \
		"$module is installed for Linux $kernel"
done
in_system dkms remove "$package" --all
test ! -e "$installed/enet.ko"
ok $? "they are removed"
make -C "$top_builddir" uninstall-kernel DESTDIR="$root" >"$tap_dir/log" 2>&1
test $? -eq 0 && test ! -e "$source"
ok $? "so are the sources"
done_testing
