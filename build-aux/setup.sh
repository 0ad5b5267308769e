# SPDX-License-Identifier: BSD-3-Clause
# setup.sh - what check.sh and demo.sh have in common: packages, steps, the build.
# shellcheck shell=sh

# Lists of packages, each with a command that tests whether it is there: required ones, that of the
# example ft, those for several machines (the transports on MPI and libfabric, launchers), and those
# that check.sh needs for comparisons and tests. demo.sh takes the first two lists. A
# fifth is for a run on demand.
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
'
example_packages='
libfftw3-dev    pkg-config --exists "fftw3 >= 3.3"
'
cluster_packages='
openmpi-bin     mpirun_is_open_mpi mpirun.openmpi || mpirun_is_open_mpi mpirun
libopenmpi-dev  mpicc.openmpi -showme:version || mpicc -showme:version
libpmix-dev     pkg-config --exists "pmix >= 3.1"
libfabric-dev   pkg-config --exists "libfabric >= 1.11"
'
# slurm-wlm and munge bring daemons, which Debian starts unless their configuration is missing; the
# tests have their own.
test_packages='
perl            command -v prove
binutils        command -v nm
util-linux      command -v unshare && command -v nsenter && command -v setpriv && command -v flock
procps          command -v ps
iproute2        command -v ip
python3         python3 -c "import json, xml.dom.minidom"
openssh-client  command -v ssh
mpich           command -v mpicc.mpich && command -v mpiexec.hydra
libmpich-dev    mpicc.mpich -compile_info
slurm-wlm       command -v sbatch && (command -v slurmctld || test -x /usr/sbin/slurmctld)
munge           command -v munged || test -x /usr/sbin/munged
gfortran        command -v gfortran
libopen-trace-format2-dev pkg-config --exists "otf2 >= 3.0"
otf2-tools      command -v otf2-print
python3-numpy   python3 -c "import numpy" || /usr/bin/python3 -c "import numpy"
valgrind        command -v valgrind
libjemalloc2    ls /usr/lib/*/libjemalloc.so.2
libtcmalloc-minimal4 ls /usr/lib/*/libtcmalloc_minimal.so.4
libmimalloc2.0  ls /usr/lib/*/libmimalloc.so.2
strace          command -v strace
gdb             command -v gdb
spin            command -v spin
groff-base      groff -mandoc -Tascii -z </dev/null
mandoc          command -v mandoc
cmark-gfm       command -v cmark-gfm
graphviz        command -v dot
locales         test -e /usr/share/i18n/locales/de_DE
libxml2-utils   command -v xmllint
qemu-system-x86 command -v qemu-system-x86_64
busybox-static  command -v busybox
cpio            command -v cpio
lz4             command -v lz4
kmod            command -v depmod || test -x /sbin/depmod
clang-14        command -v clang || command -v clang-14
libc6-dev-arm64-cross test -e /usr/aarch64-linux-gnu/include/stdio.h
libclang-rt-14-dev ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a
'
# make check-machines GET_TOOLS=yes: other compilers, C libraries and machines. gcc-multilib
# excludes some of them.
elsewhere_packages='
gcc-12          command -v gcc-12
clang-14        command -v clang-14
llvm-14         command -v llvm-ar-14
clang-16        command -v clang-16
clang-19        command -v clang-19
musl-tools      command -v musl-gcc
gcc-aarch64-linux-gnu command -v aarch64-linux-gnu-gcc
libc6-dev-arm64-cross test -e /usr/aarch64-linux-gnu/include/stdio.h
gcc-riscv64-linux-gnu command -v riscv64-linux-gnu-gcc
libc6-dev-riscv64-cross test -e /usr/riscv64-linux-gnu/include/stdio.h
gcc-s390x-linux-gnu command -v s390x-linux-gnu-gcc
libc6-dev-s390x-cross test -e /usr/s390x-linux-gnu/include/stdio.h
gcc-i686-linux-gnu command -v i686-linux-gnu-gcc
libc6-dev-i386-cross test -e /usr/i686-linux-gnu/include/stdio.h
qemu-user       command -v qemu-aarch64 && command -v qemu-riscv64
'

build=build
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
log=

# say TEXT: at the end of a line that step began, or on its own
say()
{
	printf '%s\n' "$*"
}

mpirun_is_open_mpi()
{
	"$1" --version | grep -E 'Open MPI|OpenRTE|PRRTE'
}

# missing_packages LIST: those that are not there, one a line
missing_packages()
{
	printf '%s' "$1" | while read -r package probe; do
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

apt_get_install()
{
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

# apt_install NAME...: all at once; if one of them cannot be had, the others one by one
apt_install()
{
	as_root apt-get update || return
	apt_get_install "$@" && return
	result=0
	for package do
		apt_get_install "$package" || result=1
	done
	return $result
}

# cannot_install NAMES: go on if none of them is a must
cannot_install()
{
	for package in $1; do
		if printf '%s' "$packages" | grep -q "^$package "; then
			# shellcheck disable=SC2086,SC2116
			say "missing: $(echo $1)"
			say "(these are the names of Debian 12's packages; please install them)"
			exit 1
		fi
		say "without $package: what needs it is left out"
	done
}

# install_packages LIST: what of it is not there; what was configured before is configured again
install_packages()
{
	missing=$(missing_packages "$1")
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
	step "install $(echo $missing)" packages apt_install $missing
	result=$?
	still=$(missing_packages "$1")
	test "$still" = "$missing" || touch "$build/log/installed"
	test $result -eq 0 && return
	tail -n 10 "$log"
	cannot_install "$still"
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

# configured DIRECTORY OPTION...: is it, with these options, this configure and these packages?
configured()
{
	test -f "$1/Makefile" && test ! configure -nt "$1/config.status" &&
		test ! "$build/log/installed" -nt "$1/config.status" &&
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

# make_configured DIRECTORY TEXT OPTION...: configure if need be
make_configured()
{
	directory=$1 what=$2
	shift 2
	configured "$directory" "$@" ||
		step "configure $what" "$directory-configure" configure_in "$directory" "$@"
}

# make_build DIRECTORY TEXT OPTION...: configure if need be, and build; fails if that does
make_build()
{
	make_configured "$@" && step "build $what" "$directory-build" build_in "$directory"
}
