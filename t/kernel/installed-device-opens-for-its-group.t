#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The modules are installed in a guest: they load by name, udev gives /dev/espgoal to the group, and
# nothing is left of them when they are removed.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

udevadm=$top_builddir/stock/udevadm
test -e "$udevadm" || skip_all "no udev for guests (make stock-kernel) here"
folder=$(cd "$top_srcdir/kernel/install" && pwd)
built=$(cd "$modules" && pwd)
uses=$(modinfo -F depends "$built/enet.ko" | tr , ' ')

# What the system of the guest is before: a group, the stock modules, udev, and no busybox in place
# of kmod.
cat >"$tap_dir/script" <<END
install() { dash $folder/install.sh "\$@"; }
built=$built uses="$uses"
END
cat >>"$tap_dir/script" <<'END'
echo "root:x:0:" >/etc/group
tree=/lib/modules/$(uname -r)
mkdir -p $tree/kernel /etc/udev /usr
touch $tree/modules.order $tree/modules.builtin $tree/modules.builtin.modinfo
for name in $uses; do
	cp /modules/$name.ko $tree/kernel/
done
/bin/depmod
# On this one processor nobody runs between its accept() and its SO_PASSCRED: in systemd 252 it
# ignores a command that comes there.
cp /bin/udevadm /bin/systemd-udevd && /bin/chrt -f 1 systemd-udevd --daemon
installed()
{
	find $tree /usr /etc -type f ! -name 'modules.*' ! -name 'group*' ! -name .pwd.lock | sort
}
installed >/tmp/before

quiet install modules $built
ok $? "the modules are installed"
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
quiet install modules $built
ok $? "they are installed again"

quiet install remove
ok $? "the modules are removed"
test ! -e /dev/espgoal && test ! -d /sys/module/enet
ok $? "and unloaded"
is "$(installed | diff /tmp/before -)" "" "and leave no files"
! /bin/modprobe espgoal 2>/dev/null
ok $? "nor a name to load them by"
quiet install modules $built && quiet /bin/modprobe espgoal && (
	exec 3<>/dev/espgoal
	install remove 2>&1 | grep -q "in use and stay loaded"
)
ok $? "modules in use are removed, too, with a warning"
done_testing
END
set -- "$udevadm"
for program in chrt dash depmod groupadd modinfo modprobe setpriv; do
	file=$(PATH=$PATH:/sbin:/usr/sbin command -v $program) || skip_all "no $program here"
	set -- "$@" "$file"
done
needed=
for name in $uses; do
	needed="$needed -k $name"
done
# shellcheck disable=SC2086
sh "$top_srcdir/kernel/testbed/guest.sh" ${BSP_GUEST_KERNEL:+-w} $needed \
	-f "$folder $built/enet.ko $built/espgoal.ko" \
	"$stock" "$tap_dir/script" "$@"
