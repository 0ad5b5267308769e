# SPDX-License-Identifier: BSD-3-Clause
# setup.sh - what check.sh and demo.sh have in common: packages, steps, the build.
# shellcheck shell=sh

# Package and how to see that what we want of it is there. Without the optional ones all
# works but for the example ft, the check of the protocol, the transports on MPI and
# libfabric, launchers, the kernel modules, and what is compared and tested with these; fuzzers do not search.
packages='
gcc             command -v gcc
g++             command -v g++
libc6-dev       echo "#include <stdio.h>" | gcc -E -
make            command -v make
autoconf        command -v autoreconf
automake        command -v automake
libtool         command -v libtoolize
pkg-config      command -v pkg-config
libhwloc-dev    pkg-config --exists "hwloc >= 2.0"
libfftw3-dev    pkg-config --exists "fftw3 >= 3.3"
spin            command -v spin
perl            command -v prove
openmpi-bin     command -v mpirun
libopenmpi-dev  command -v mpicc
libpmix-dev     pkg-config --exists "pmix >= 3.1"
libfabric-dev   pkg-config --exists "libfabric >= 1.11"
iproute2        command -v ip
qemu-system-x86 command -v qemu-system-x86_64
busybox-static  command -v busybox
cpio            command -v cpio
kmod            command -v depmod || test -x /sbin/depmod
clang-14        command -v clang || command -v clang-14
libclang-rt-14-dev ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a
'
optional='qemu-system-x86 busybox-static cpio kmod openmpi-bin libopenmpi-dev libpmix-dev libfabric-dev iproute2 libfftw3-dev spin'
optional="$optional clang-14 libclang-rt-14-dev"

build=build
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
log=

# say TEXT: at the end of a line that step began, or on its own
say()
{
	printf '%s\n' "$*"
}

# Packages that are not there, one a line.
missing_packages()
{
	printf '%s' "$packages" | while read -r package probe; do
		test "$package" || continue
		(eval "$probe") >/dev/null 2>&1 || say "$package"
	done
}

# as_root COMMAND...: through sudo unless we are
as_root()
{
	if test "$(id -u)" -eq 0; then
		"$@"
	else
		sudo "$@"
	fi
}

apt_install()
{
	as_root apt-get update &&
		as_root env DEBIAN_FRONTEND=noninteractive \
			apt-get install -y --no-install-recommends "$@"
}

# cannot_install LIST: go on if all of it is optional
cannot_install()
{
	for package in $1; do
		case " $optional " in
		*" $package "*) say "without $package: what needs it is left out" ;;
		*)
			# shellcheck disable=SC2086,SC2116
			say "missing: $(echo $1)"
			say "(these are the names of Debian 12's packages; please install them)"
			exit 1 ;;
		esac
	done
}

install_packages()
{
	missing=$(missing_packages)
	test "$missing" || return 0
	if ! command -v apt-get >/dev/null; then
		cannot_install "$missing"
		return 0
	fi
	if test "$(id -u)" -ne 0 && ! command -v sudo >/dev/null; then
		say "neither root nor sudo: cannot install packages"
		cannot_install "$missing"
		return 0
	fi
	# shellcheck disable=SC2086,SC2116
	step "install $(echo $missing)" packages apt_install $missing && return
	tail -n 10 "$log"
	cannot_install "$(missing_packages)"
}

# step TEXT NAME COMMAND...: run it with its output in $build/log/NAME; one line on the terminal
step()
{
	text=$1 log=$build/log/$2
	shift 2
	mkdir -p "$build/log"
	printf '%-60s ' "$text"
	begun=$(date +%s)
	"$@" >"$log" 2>&1 </dev/null
	result=$?
	test $result -eq 0 && result_text=ok || result_text="failed, see $log"
	printf '%4s s  %s\n' $(($(date +%s) - begun)) "$result_text"
	return $result
}

# stop: after a step without which nothing can follow
stop()
{
	tail -n 30 "$log"
	exit 1
}

# configured DIRECTORY OPTION...: is it, with these options and this configure?
configured()
{
	test -f "$1/Makefile" && test ! configure -nt "$1/config.status" &&
		test "$(cat "$1/options" 2>/dev/null)" = "$*"
}

configure_in()
{
	mkdir -p "$1"
	options=$*
	(
		cd "$1" || exit
		shift
		../configure "$@"
	) && printf '%s' "$options" >"$1/options"
}

build_in()
{
	make -C "$1" -j "$jobs"
}

# A changed configure.ac or Makefile.am is seen by make; only the first time is ours.
prepare()
{
	test -f configure && test -f Makefile.in && return
	step "autogen.sh" autogen ./autogen.sh || stop
}

# make_build DIRECTORY TEXT OPTION...: configure if need be, and build; fails if that does
make_build()
{
	directory=$1 what=$2
	shift 2
	configured "$directory" "$@" ||
		step "configure $what" "$directory-configure" configure_in "$directory" "$@" || return
	step "build $what" "$directory-build" build_in "$directory"
}
