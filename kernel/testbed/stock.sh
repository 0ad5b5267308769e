#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# stock.sh - unpacks Debian's kernel and its headers from their packages into a folder.

# usage: stock.sh FOLDER
#
# Nothing is installed. Afterwards FOLDER has
#	vmlinuz		the kernel
#	vmlinux		the same, uncompressed, if there is lz4: saves each guest from doing that
#	modules/	its modules, with modules.dep
#	build/		the headers: KDIR of kernel/Makefile
#	udevadm		udev, which is its own daemon by the name systemd-udevd
# A complete FOLDER is left as it is. If the packages are not available it says why and exits with
# 1.

flavour=linux-image-cloud-amd64

fail()
{
	echo "$*" >&2
	exit 1
}

# header_field OFFSET TYPE: of the image, as boot.rst of Linux describes its header
header_field()
{
	od -An -t "$2" -j "$1" -N "${2#u}" vmlinuz | tr -d ' '
}

# The image has the kernel after its setup code, and the size of the kernel in its last 4 bytes. An
# image that lz4 cannot unpack is left alone.
unpack_image()
{
	test ! -s vmlinux && command -v lz4 >/dev/null || return
	begin=$((($(header_field 497 u1) + 1) * 512 + $(header_field 584 u4)))
	length=$(($(header_field 588 u4) - 4))
	tail -c +$((begin + 1)) vmlinuz | head -c $length | lz4 -dc >vmlinux.new 2>/dev/null &&
		mv vmlinux.new vmlinux || rm -f vmlinux.new
}

test $# -eq 1 || fail "usage: stock.sh FOLDER"
mkdir -p "$1" && cd "$1" || exit 1
folder=$PWD
if test -e complete && test -e udevadm; then
	unpack_image
	exit 0
fi

test "$(uname -m)" = x86_64 || fail "guests are x86-64 only"
for tool in apt-get apt-cache dpkg-deb depmod; do
	PATH=$PATH:/sbin:/usr/sbin command -v $tool >/dev/null || fail "no $tool"
done

# The names of the packages have the release, which changes with every security update.
release=$(apt-cache depends "$flavour" 2>/dev/null |
	sed -n 's/.*Depends: linux-image-\(.*-cloud-amd64\).*/\1/p' | head -n 1)
test "$release" || fail "apt knows no $flavour"
common=$(echo "$release" | sed 's/-cloud-amd64$/-common/')

rm -rf tree packages
mkdir tree packages
(cd packages && apt-get -o APT::Sandbox::User=root download "linux-image-$release" \
	"linux-headers-$release" "linux-headers-$common" linux-kbuild-6.1 udev) \
	>download.log 2>&1 ||
	fail "cannot download linux-image-$release: $(tail -n 1 download.log)"
for package in packages/*.deb; do
	dpkg-deb -x "$package" tree || fail "cannot unpack $package"
done
rm -rf packages

# The headers refer to each other by the paths where they would be installed.
sources=usr/src
headers=$folder/tree/$sources/linux-headers-$release
sed -i "s,/$sources/,$folder/tree/$sources/," "$headers/Makefile"
ln -sfn "$headers" build
ln -sfn "tree/boot/vmlinuz-$release" vmlinuz
PATH=$PATH:/sbin:/usr/sbin depmod -b "$folder/tree" "$release" || fail "depmod failed"
ln -sfn "tree/lib/modules/$release" modules
ln -sfn tree/bin/udevadm udevadm
rm -f vmlinux
unpack_image
: >complete
