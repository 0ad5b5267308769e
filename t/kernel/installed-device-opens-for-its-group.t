#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# In a guest, make install-kernel installs the modules: they load by name, udev gives /dev/espgoal
# to the group, and nothing is left of them after make uninstall-kernel.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

udevadm=$top_builddir/stock/udevadm
test -e "$udevadm" || skip_all "no udev for guests (make stock-kernel) here"
source=$(cd "$top_srcdir/kernel" && pwd)
build=$(cd "$top_builddir" && pwd)
built=$(cd "$modules" && pwd)
shell=$(sed -n 's/^SHELL = //p' "$build/Makefile")
uses=$(modinfo -F depends "$built/enet.ko" | tr , ' ')

# The system of the guest before: a group, the stock modules, udev, and no busybox in place of kmod.
# Its build folder has only the files of make kernel-to-install, and the makefile, which must not be
# made anew; the files of dependencies that the makefile includes are empty.
echo "build=$build built=$built uses='$uses'" >"$tap_dir/script"
cat >>"$tap_dir/script" <<'END'
make_it() { quiet make -C $build -o Makefile "$@"; }
mkdir -p $build/kernel-installed/kernel
cp $built/*.ko $build/kernel-installed/kernel/
echo "/lib/modules/$(uname -r)/build" >$build/kernel-installed/compiled-for
sed -n 's/$(DEPDIR)/.deps/; s/^include \(.*\) # am--include-marker$/\1/p' $build/Makefile \
	>/tmp/included
(cd $build && while read -r file; do
	test -d ${file%/*} || mkdir -p ${file%/*}
	: >$file
done </tmp/included)
echo "root:x:0:" >/etc/group
tree=/lib/modules/$(uname -r)
mkdir -p $tree/kernel /etc/udev
touch $tree/modules.order $tree/modules.builtin $tree/modules.builtin.modinfo
for name in $uses; do
	cp /modules/$name.ko $tree/kernel/
done
/bin/depmod
# On this one processor no process runs between its accept() and its SO_PASSCRED: in systemd 252 it
# ignores a command that comes there.
cp /bin/udevadm /bin/systemd-udevd && /bin/chrt -f 1 systemd-udevd --daemon
installed()
{
	find $tree /usr /etc -type f ! -name 'modules.*' ! -name 'group*' ! -name .pwd.lock | sort
}
installed >/tmp/before

make_it install-kernel
ok $? "make install-kernel"
quiet /bin/modprobe -a $(grep -v '#' /usr/lib/modules-load.d/bsp.conf)
ok $? "those that the next boot loads are found"
udevadm settle
is "$(stat -c '%a %G' /dev/espgoal)" "660 bsp" "the device belongs to its group"
gid=$(sed -n 's/^bsp:[^:]*:\([0-9]*\):.*/\1/p' /etc/group)
user="/bin/setpriv --reuid 1000 --regid 1000"
quiet $user --groups "$gid" dash -c 'exec 3<>/dev/espgoal'
ok $? "a user of the group opens it"
$user --clear-groups dash -c 'exec 3<>/dev/espgoal' 2>&1 | grep -q "Permission denied"
ok $? "another does not"
make_it install-kernel
ok $? "and again"

make_it uninstall-kernel
ok $? "make uninstall-kernel"
test ! -e /dev/espgoal && test ! -d /sys/module/enet
ok $? "the modules are unloaded"
is "$(installed | diff /tmp/before -)" "" "and leave no files"
! /bin/modprobe espgoal 2>/dev/null
ok $? "nor a name to load them by"
make_it install-kernel && quiet /bin/modprobe espgoal && (
	exec 3<>/dev/espgoal
	make -C $build -o Makefile uninstall-kernel 2>&1 | grep -q "in use and stay loaded"
)
ok $? "modules in use are removed, too, with a warning"
done_testing
END
set -- "$udevadm"
for program in chrt dash depmod groupadd make modinfo modprobe setpriv; do
	file=$(PATH=$PATH:/sbin:/usr/sbin command -v $program) || skip_all "no $program here"
	set -- "$@" "$file"
done
needed=
for name in $uses; do
	needed="$needed -k $name"
done
# shellcheck disable=SC2086
sh "$top_srcdir/kernel/testbed/guest.sh" ${BSP_GUEST_KERNEL:+-w} $needed \
	-f "$shell $build/Makefile $source/Kbuild $source/Makefile $source/compat $source/enet" \
	-f "$source/espgoal $source/goal $source/install $built/enet.ko $built/espgoal.ko" \
	"$stock" "$tap_dir/script" "$@"
