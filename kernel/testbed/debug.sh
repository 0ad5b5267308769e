#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# debug.sh - builds a debug kernel from Debian's source in a folder.

# usage: debug.sh FOLDER kasan|kcsan [JOBS]
#
# The two kinds exclude each other: kasan sees memory that is used after its end, wrong locks and
# leaks; kcsan data races. debug.config and KIND.config list the options of the kernel.
#
# Nothing is installed: the source and missing compiler tools are unpacked into FOLDER, too.
# Afterwards FOLDER/KIND has the files of stock.sh: vmlinuz, modules/, build/. If it is complete it
# is left as it is.

fail()
{
	echo "$*" >&2
	exit 1
}

test $# -ge 2 || fail "usage: debug.sh FOLDER kasan|kcsan [JOBS]"
here=$(cd "$(dirname "$0")" && pwd)
jobs=${3:-2}
options="$here/debug.config $here/$2.config"
mkdir -p "$1/$2" && cd "$1" || exit 1
tools=$PWD/tools/usr
tree=$PWD/tree/linux-source-6.1
folder=$PWD/$2
test -e "$folder/complete" && exit 0

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
export PATH="$tools/bin:$PATH" BISON_PKGDATADIR="$tools/share/bison" M4="$tools/bin/m4"
export C_INCLUDE_PATH="$tools/include" LIBRARY_PATH="$tools/lib/x86_64-linux-gnu" \
	LD_LIBRARY_PATH="$tools/lib/x86_64-linux-gnu"

if test ! -e "$tree/unpacked"; then
	mkdir -p tree
	archive=$(fetch linux-source-6.1) || exit 1
	dpkg-deb --fsys-tarfile "$archive" | tar xO ./usr/src/linux-source-6.1.tar.xz | xz -dc |
		tar x -C tree ||
		fail "cannot unpack linux-source-6.1"
	: >"$tree/unpacked"
fi
rm -rf packages
cd "$folder" || exit 1

# make_kernel TARGET...: in $folder
make_kernel()
{
	nice make -s -j"$jobs" -C "$tree" O="$folder/build" "$@" >make.log 2>&1 ||
		fail "make $* failed: $(tail -n 3 make.log)"
}

make_kernel tinyconfig
# shellcheck disable=SC2086
"$tree/scripts/kconfig/merge_config.sh" -m -O build build/.config $options \
	>/dev/null || fail "cannot configure"
make_kernel olddefconfig
# shellcheck disable=SC2086
cat $options | grep '^CONFIG' | while read -r line; do
	grep -qxF "$line" build/.config || fail "the kernel cannot have $line"
done || exit 1
make_kernel bzImage modules
make_kernel INSTALL_MOD_PATH="$folder/installed" modules_install

release=$(cat build/include/config/kernel.release)
cp build/arch/x86/boot/bzImage vmlinuz || exit 1
depmod -b installed "$release" || fail "depmod failed"
ln -sfn "installed/lib/modules/$release" modules
: >complete
