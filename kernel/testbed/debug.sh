#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# debug.sh - builds a debug kernel (KASAN, lockdep, kmemleak, ...) from Debian's source in a folder.

# usage: debug.sh FOLDER [JOBS]
#
# Nothing is installed: missing compiler tools are unpacked into FOLDER, too. Afterwards FOLDER has
# the files of stock.sh: vmlinuz, modules/, build/. A complete FOLDER is left as it is. debug.config
# lists the options of the kernel.

fail()
{
	echo "$*" >&2
	exit 1
}

test $# -ge 1 || fail "usage: debug.sh FOLDER [JOBS]"
here=$(cd "$(dirname "$0")" && pwd)
jobs=${2:-2}
mkdir -p "$1" && cd "$1" || exit 1
folder=$PWD
test -e complete && exit 0

PATH=$PATH:/sbin:/usr/sbin
test "$(uname -m)" = x86_64 || fail "guests are x86-64 only"
for tool in apt-get dpkg-deb depmod make gcc bc xz perl; do
	command -v $tool >/dev/null || fail "no $tool"
done

# fetch PACKAGE: downloads it and prints its file name
fetch()
{
	mkdir -p packages
	(cd packages && apt-get -o APT::Sandbox::User=root download "$1") >download.log 2>&1 ||
		fail "cannot download $1: $(tail -n 1 download.log)"
	set -- packages/"$1"_*.deb
	echo "$1"
}

# The tools with which the makefiles of the kernel build their configuration program and objtool.
test -e tools/complete || {
	for package in m4 flex bison libelf1 libelf-dev; do
		file=$(fetch $package) && dpkg-deb -x "$file" tools || fail "cannot unpack $package"
	done
	: >tools/complete
}
tools=$folder/tools/usr
export PATH="$tools/bin:$PATH" BISON_PKGDATADIR="$tools/share/bison" M4="$tools/bin/m4"
export C_INCLUDE_PATH="$tools/include" LIBRARY_PATH="$tools/lib/x86_64-linux-gnu" \
	LD_LIBRARY_PATH="$tools/lib/x86_64-linux-gnu"

tree=$folder/tree/linux-source-6.1
if test ! -e "$tree/unpacked"; then
	mkdir -p tree
	archive=$(fetch linux-source-6.1) || exit 1
	dpkg-deb --fsys-tarfile "$archive" | tar xO ./usr/src/linux-source-6.1.tar.xz | xz -dc |
		tar x -C tree ||
		fail "cannot unpack linux-source-6.1"
	: >"$tree/unpacked"
fi

# make_kernel TARGET...
make_kernel()
{
	nice make -s -j"$jobs" -C "$tree" O="$folder/build" "$@" >make.log 2>&1 ||
		fail "make $* failed: $(tail -n 3 make.log)"
}

make_kernel tinyconfig
"$tree/scripts/kconfig/merge_config.sh" -m -O build build/.config "$here/debug.config" \
	>/dev/null || fail "cannot configure"
make_kernel olddefconfig
grep '^CONFIG' "$here/debug.config" | while read -r line; do
	grep -qxF "$line" build/.config || fail "the kernel cannot have $line"
done || exit 1
make_kernel bzImage modules
make_kernel INSTALL_MOD_PATH="$folder/installed" modules_install

release=$(cat build/include/config/kernel.release)
cp build/arch/x86/boot/bzImage vmlinuz || exit 1
depmod -b installed "$release" || fail "depmod failed"
ln -sfn "installed/lib/modules/$release" modules
rm -rf packages
: >complete
