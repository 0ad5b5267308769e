#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# newer.sh - unpacks later kernels than the stock one, and headers of all, into a folder.

# usage: newer.sh FOLDER
#
# Nothing is installed. The packages are those of Debian 13, its security updates and its backports,
# and the kernels of Debian 12. Afterwards FOLDER has
#	root/		a system with compilers and DKMS, see in_root.sh; and with the headers of
#			the newest kernel of each series of both, in each flavour for x86-64
#	headers		the names of these kernels
#	SERIES/		for the newest kernel of each series, 6.12 or 7.3: its name in release, and
#			vmlinuz and modules/ as stock.sh makes them
# A complete FOLDER is left as it is. If the packages are not available it says why and exits with
# 1.

release=trixie before=bookworm
flavour=cloud-amd64
tools="base-files bash binutils coreutils dash diffutils dkms findutils grep libc-bin make mawk sed"

fail()
{
	echo "$*" >&2
	exit 1
}

test $# -eq 1 || fail "usage: newer.sh FOLDER"
mkdir -p "$1" && cd "$1" || exit 1
folder=$PWD
test -e complete && exit 0

PATH=$PATH:/sbin:/usr/sbin
test "$(uname -m)" = x86_64 || fail "guests are x86-64 only"
for tool in apt-get apt-cache dpkg-deb depmod unshare xz; do
	command -v $tool >/dev/null || fail "no $tool"
done

# archive LABEL: where this system gets packages with that label from
# shellcheck disable=SC2016
archive()
{
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Label: $1" | head -n 1
}

keys=/usr/share/keyrings/debian-archive-keyring.gpg
test -e $keys || fail "no $keys"
debian=$(archive Debian) security=$(archive Debian-Security)
test "$debian" && test "$security" || fail "apt knows no archive of Debian's"

# An apt with sources of its own, for which nothing is installed.
rm -rf apt root ./[0-9]*
mkdir -p apt/lists/partial apt/cache/archives/partial root
: >apt/status
cat >apt/sources <<END
deb [signed-by=$keys] $debian $release main
deb [signed-by=$keys] $debian $release-backports main
deb [signed-by=$keys] $security $release-security main
deb [signed-by=$keys] $debian $before main
deb [signed-by=$keys] $debian $before-backports main
deb [signed-by=$keys] $security $before-security main
END
cat >apt/config <<END
Dir::Etc::sourcelist "$folder/apt/sources";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State::lists "$folder/apt/lists";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt/cache";
APT::Sandbox::User "root";
APT::Default-Release "$release-backports";
END
export APT_CONFIG="$folder/apt/config"
apt-get update >apt/update.log 2>&1 || fail "no lists of packages: $(tail -n 1 apt/update.log)"

# The newest of each series, as each version of Debian has it, in each flavour.
apt-cache search --names-only '^linux-headers-[0-9].*-amd64$' |
	sed 's/ .*//; s/^linux-headers-//' | grep -E '^[0-9]+\.[0-9]+\.[0-9]' | sort -V |
	awk -F . '{
		debian = flavour = $0
		sub(/^[^+]*/, "", debian)
		sub(/[.-].*/, "", debian)
		sub(/^[0-9.]+(\+deb[0-9.]+)?(-[0-9]+)?-/, "", flavour)
		newest[$1 "." $2 debian flavour] = $0
	}
	END { for (each in newest) print newest[each] }' | sort -V >headers
releases=$(grep "+deb1[3-9].*-$flavour\$" headers)
test "$releases" || fail "apt knows no kernels of $release"
packages=$tools
for kernel in $(cat headers); do
	packages="$packages linux-headers-$kernel"
done
for kernel in $releases; do
	packages="$packages linux-image-$kernel"
done
# shellcheck disable=SC2086
apt-get --no-install-recommends --download-only -y install $packages >apt/install.log 2>&1 ||
	fail "cannot download: $(tail -n 1 apt/install.log)"
# Packages of Debian 12 have folders where Debian 13 has links to /usr.
for package in apt/cache/archives/base-files_*.deb apt/cache/archives/*.deb; do
	dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C root ||
		fail "cannot unpack $package"
done
rm -rf apt/cache apt/lists
ln -s mawk root/usr/bin/awk
mkdir -p root/mnt

# The guests' insmod reads no compressed modules.
for kernel in $releases; do
	series=$(echo "$kernel" | cut -d . -f 1,2)
	modules=root/usr/lib/modules/$kernel
	mkdir "$series"
	find "$modules/kernel" -name '*.ko.xz' -exec xz -d {} +
	depmod -b root "$kernel" || fail "depmod failed"
	ln -s "../$modules" "$series/modules"
	for image in root/boot/vmlinuz-$kernel $modules/vmlinuz; do
		test ! -e "$image" || ln -sfn "../$image" "$series/vmlinuz"
	done
	test -e "$series/vmlinuz" || fail "no image of $kernel"
	echo "$kernel" >"$series/release"
	: >"$series/complete"
done
: >complete
