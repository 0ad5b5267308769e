#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# install.sh - installs the modules, or their sources for DKMS, and who may use the device; removes
# them.

# usage: install.sh modules FOLDER	enet.ko and espgoal.ko, for the kernel they were built for
#	 install.sh sources FOLDER	FOLDER/kernel, FOLDER/include and FOLDER/dkms.conf
#	 install.sh remove
#
# Below DESTDIR, where packages are made, only files are installed and removed. On the system itself
# it also makes the group, and tells depmod, udev and DKMS. It leaves the group when it removes the
# rest, as users may be in it.

DESTDIR=${DESTDIR-}
here=$(cd "$(dirname "$0")" && pwd)
group=bsp
rules=$DESTDIR/usr/lib/udev/rules.d/70-espgoal.rules
loaded=$DESTDIR/usr/lib/modules-load.d/bsp.conf
users=$DESTDIR/usr/lib/sysusers.d/bsp.conf
PATH=$PATH:/sbin:/usr/sbin

fail()
{
	echo "install.sh: $*" >&2
	exit 1
}

# put FILE PATH
put()
{
	mkdir -p "${2%/*}" && cp "$1" "$2" && chmod 644 "$2" || fail "cannot install $2"
}

live()
{
	test -z "$DESTDIR"
}

# Twice: udev of systemd 252 ignores a command that comes between its accept() and its SO_PASSCRED,
# and udevadm does not notice. Then it would look for new rules only 3 s after it last did.
reload_udev()
{
	command -v udevadm >/dev/null || return 0
	udevadm control --reload 2>/dev/null && udevadm control --reload 2>/dev/null &&
		udevadm trigger --name-match=espgoal 2>/dev/null
	return 0
}

put_settings()
{
	put "$here/espgoal.rules" "$rules"
	put "$here/modules-load.conf" "$loaded"
	put "$here/sysusers.conf" "$users"
	live || return 0
	groupadd --system --force $group || fail "cannot make the group $group"
	reload_udev
}

# release_of MODULE: the kernel it was built for
release_of()
{
	modinfo -F vermagic "$1" | sed 's/ .*//'
}

put_modules()
{
	release=$(release_of "$1/enet.ko")
	test "$release" || fail "no modules in $1"
	for module in enet espgoal; do
		put "$1/$module.ko" "$DESTDIR/lib/modules/$release/updates/bsp/$module.ko"
	done
	live || return 0
	depmod "$release" || fail "depmod failed"
	echo "installed for Linux $release; modprobe espgoal loads them now, the next boot as well"
}

put_sources()
{
	version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' "$1/dkms.conf")
	test "$version" || fail "no dkms.conf in $1"
	to=$DESTDIR/usr/src/bsp-$version
	rm -rf "$to" && mkdir -p "$to" || fail "cannot install $to"
	(cd "$1" && find dkms.conf include kernel -type f) | while read -r file; do
		put "$1/$file" "$to/$file"
	done || exit
	live || return 0
	echo "dkms install bsp/$version builds the modules, and from now on for each new kernel"
}

remove_all()
{
	if live && test -d /sys/module/enet; then
		modprobe -r espgoal enet 2>/dev/null
		test ! -d /sys/module/enet ||
			echo "the modules are in use and stay loaded until the next boot" >&2
	fi
	for source in "$DESTDIR"/usr/src/bsp-*/dkms.conf; do
		test -e "$source" || continue
		folder=${source%/*}
		if live && command -v dkms >/dev/null; then
			dkms remove "bsp/${folder##*/bsp-}" --all 2>/dev/null
		fi
		rm -rf "$folder"
	done
	for folder in "$DESTDIR"/lib/modules/*/updates/bsp; do
		test -d "$folder" || continue
		rm -rf "$folder"
		release=${folder%/updates/bsp}
		rmdir "${folder%/bsp}" 2>/dev/null
		live && depmod "${release##*/}"
	done
	rm -f "$rules" "$loaded" "$users" || fail "cannot remove $rules"
	! live || reload_udev
}

case $#-${1-} in
2-modules)
	put_modules "$2"
	put_settings
	;;
2-sources)
	put_sources "$2"
	put_settings
	;;
1-remove) remove_all ;;
*) fail "usage: install.sh modules FOLDER | sources FOLDER | remove" ;;
esac
