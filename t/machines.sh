#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# machines.sh [NAME...] - build for other compilers, C libraries and machines, and run tests there.

# usage: in the folder of a build, sh SOURCES/t/machines.sh [--install] [NAME...]
#
# Each NAME of the table is a build in machines/NAME below this folder, without warnings, and the
# tests that are programs: those of $families over shm, some over self, relaxed ones over an
# emulated network. Programs for other processors run in qemu's user mode. A machine that is
# refused counts as one test: that configure says so. A machine whose tools are not installed is
# left out; --install installs them. FAMILIES="unit message" are other folders of tests.
# The last line of each is "NAME: N passed, N failed, N skipped".

names="gcc-12 gcc-12-lto clang-14 clang-14-lto clang-16 clang-19 without-hwloc musl musl-static
	arm64 riscv64 s390x i686"

top=$(cd "$(dirname "$0")/.." && pwd) || exit
here=$PWD
cd "$top" || exit
. build-aux/setup.sh
build=$here
. build-aux/results.sh
results=$here/machines/results
allowed_skips=$top/t/allowed-skips
mkdir -p "$results"

api="message collective"
families=${FAMILIES:-unit message barrier collective relaxed}
emulated=L=50us,o=5us,g=5us,G=10ns,jitter=30us,reorder=1
bare="--without-hwloc --without-otf2 --without-pmix --without-ofi --without-mpi --without-fortran
	--without-python PKG_CONFIG_LIBDIR=/none"
kernel_headers="-idirafter /usr/include -idirafter /usr/include/$(gcc -print-multiarch)"

# machine NAME: its tool, options of configure, flags, what runs its programs, and the families
machine()
{
	tool='' options=$bare flags="-O2 -g1" run='' refused='' host='' more='' built=''
	folders=$families
	case $1 in
	gcc-12) tool=gcc-12 options="CC=gcc-12 --without-mpi" ;;
	gcc-12-lto) tool=gcc-12 flags="-O2 -flto=auto" options="$bare CC=gcc-12"
		more="AR=gcc-ar-12 NM=gcc-nm-12 RANLIB=gcc-ranlib-12" ;;
	clang-14-lto) tool=llvm-ar-14 flags="-O2 -flto" options="$bare CC=clang-14"
		more="AR=llvm-ar-14 NM=llvm-nm-14 RANLIB=llvm-ranlib-14" ;;
	clang-*) tool=$1 options="CC=$1 CXX=clang++-${1#clang-} --without-mpi" ;;
	without-hwloc) tool=gcc options="--without-hwloc --without-mpi" ;;
	musl) tool=musl-gcc options="$bare CC=musl-gcc" flags="$flags $kernel_headers" ;;
	musl-static) tool=musl-gcc options="$bare CC=musl-gcc --disable-shared"
		flags="$flags $kernel_headers" more="LDFLAGS=-static" ;;
	arm64) host=aarch64-linux-gnu run=qemu-aarch64 ;;
	riscv64) host=riscv64-linux-gnu run=qemu-riscv64 ;;
	s390x) host=s390x-linux-gnu refused="this is a big-endian machine" ;;
	i686) host=i686-linux-gnu refused="this is a 32-bit machine" ;;
	*)
		echo "machines.sh: there is no $1; names are" $names >&2
		exit 2
		;;
	esac
	test -z "$host" || tool=$host-gcc options="$bare --host=$host" flags="-O1 -g0"
	test -z "$run" || built=library-and-tools
	# An emulator has a table of all pages, also of those that are only reserved.
	emulator=${run:+QEMU_LD_PREFIX=/usr/$host BSP_SHM_RESERVE=1G}
}

# is_refused FOLDER: configure ends with these words
is_refused()
{
	(cd "$1" && "$top/configure" $options >out 2>err)
	grep -q "^configure: error: $refused" "$1/err"
}

# configure_with OPTION...: in $folder, unless that was done
configure_with()
{
	test "$(cat "$folder/options" 2>/dev/null)" != "$*" ||
		test "$top/configure" -nt "$folder/config.status" || return 0
	(cd "$folder" && step "$name: configure" "$name-configure" "$top/configure" "$@") &&
		printf '%s' "$*" >"$folder/options"
}

# test_in WHAT ARGUMENT...: run make in $folder, with arguments of env before it, and count
test_in()
{
	what=$1
	shift
	rm -f "$folder"/t/*/*.trs "$folder"/t/*/*.log
	step "$name: $what" "$name-tests" env TAP_TIMEOUT=600 "$@"
	count_results "$folder" "$name" && show_failures "$folder"
}

# programs_in WHAT FOLDERS SETTING...: the tests that are programs
programs_in()
{
	what=$1 of=$2
	shift 2
	test_in "$what" $emulator "$@" make -C "$folder" -j "$jobs" \
		check-programs FOLDERS="$of" ${run:+T_LOG_COMPILER=$run}
}

# tools_in: each prints its help, and one starts a program of three processes
tools_in()
{
	test "$run" || return
	for tool in bsprun/bsprun bspprof/bspprof bspinfo/bspinfo bspprobe/bspprobe \
		bspgauge/bspgauge goalc/goalc; do
		count_one "${tool#*/} --help" within $tool --help
	done
	make -C "$folder" examples/hello >/dev/null 2>&1
	printf '#!/bin/sh\nexec %s %s/examples/hello\n' "$run" "$folder" >"$folder/hello"
	chmod +x "$folder/hello"
	count_one "bsprun starts three processes" within bsprun/bsprun -n 3 "$folder/hello"
}

# headers_in: every C and C++ takes them; for a compiler that has both
headers_in()
{
	case $options in
	*CXX=*) ;;
	*) return ;;
	esac
	test_in "headers" make -C "$folder" check check_PROGRAMS= \
		TESTS=t/interface/header-is-c89-and-cxx.t
}

# within TOOL ARGUMENT...: the tool of $folder, in the emulator
within()
{
	program=tools/$1
	shift
	test ! -f "$folder/${program%/*}/.libs/${program##*/}" ||
		program=${program%/*}/.libs/${program##*/}
	env $emulator BSP_PLUGINS="$folder/.libs" "$run" "$folder/$program" "$@"
}

count_one()
{
	claim=$1
	shift
	if "$@" >"$folder/out" 2>&1 </dev/null; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		say "failed: $name: $claim"
		tail -n 5 "$folder/out"
	fi
}

# one NAME: all of it
one()
{
	name=$1 folder=$here/machines/$1
	machine "$name"
	passed=0 failed=0 skipped=0
	if ! command -v "$tool" >/dev/null || ! command -v "${run:-true}" >/dev/null; then
		say "$name: no $tool${run:+ or $run} here"
		return
	fi
	mkdir -p "$folder"
	if test "$refused"; then
		count_one "is refused" is_refused "$folder"
	elif configure_with --enable-werror $options CFLAGS="$flags" $more &&
		step "$name: build" "$name-build" make -C "$folder" -j "$jobs" $built; then
		tools_in
		headers_in
		programs_in "tests over shm" "$folders"
		programs_in "over self" "$api" BSP_TRANSPORT=self
		programs_in "relaxed ones over emu" relaxed BSP_EMULATE=$emulated
	else
		failed=1
		tail -n 20 "$log"
	fi
	say "$name: $passed passed, $failed failed, $skipped skipped"
	all_failed=$((all_failed + failed))
}

list='' install=''
for argument do
	case $argument in
	--install) install=yes ;;
	-*) echo "usage: machines.sh [--install] [NAME...]; names are" $names >&2; exit 2 ;;
	*) list="$list $argument" ;;
	esac
done
test -z "$install" || install_packages "$elsewhere_packages"
all_failed=0
for of_list in ${list:-$names}; do
	one "$of_list"
done
test "$all_failed" -eq 0
