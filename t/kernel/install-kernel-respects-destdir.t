#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# With DESTDIR the modules, their sources and what belongs to them are only copied and deleted below
# it; dkms.conf is where DKMS looks for it.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

root=$tap_dir/root
kdir=$(cd "$stock/build" && pwd)
release=$(modinfo -F vermagic "$modules/enet.ko" | sed 's/ .*//')

# make_it TARGET [VARIABLE=VALUE]: below $root
make_it()
{
	make -C "$top_builddir" "$@" DESTDIR="$root" >"$tap_dir/log" 2>&1
	ok $? "make $1" || diag "$(tail -n 3 "$tap_dir/log")"
}

make_it install-kernel-sources
make_it install-kernel KDIR="$kdir"
source=$(echo "$root"/usr/src/bsp-*)
is "bsp-$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$source/dkms.conf")" "${source##*/}" \
	"dkms.conf names its folder"
for file in kernel/Kbuild kernel/compat/compat.h kernel/goal/goal_run.c include/enet.h; do
	cmp -s "$top_srcdir/$file" "$source/$file"
	ok $? "$file is there"
done
cmp -s "$top_builddir/kernel-installed/kernel/espgoal.ko" \
	"$root/lib/modules/$release/updates/bsp/espgoal.ko"
ok $? "espgoal.ko is where modprobe looks first"
for file in udev/rules.d/70-espgoal.rules modules-load.d/bsp.conf sysusers.d/bsp.conf; do
	test -s "$root/usr/lib/$file"
	ok $? "$file is there"
done

# written COMMAND...: when the module was written that is to be installed after COMMAND
written()
{
	"$@" && make -C "$top_builddir" kernel-to-install KDIR="$kdir" >"$tap_dir/log" 2>&1 &&
		stat -c %y "$top_builddir/kernel-installed/kernel/enet.ko"
}

first=$(written true)
is "$first" "$(written true)" "what is compiled is not compiled again"
second=$(written touch -d 2001-01-01 "$top_builddir/kernel-installed/compiled-for")
test "$second" && test "$second" != "$first"
ok $? "but it is when a source is newer"
make_it uninstall-kernel
is "" "$(find "$root" -type f)" "no file is left"
! sh "$top_srcdir/kernel/install/install.sh" 2>"$tap_dir/log"
ok $? "without a word of what to do it fails"
is 1 "$(grep -c usage "$tap_dir/log")" "and says its usage"
done_testing
