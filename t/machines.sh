#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# machines.sh [NAME...] - build for other compilers, C libraries and machines, and run tests there.

# usage: in the folder of a build, sh SOURCES/t/machines.sh [--install] [NAME...]
#
# Each NAME of the table is a build of the library and the tools in machines/NAME below this folder,
# without warnings, and the tests that are programs: those of $families over shm, some over self,
# relaxed ones over an emulated network. Programs for other processors run in qemu's user mode,
# without the last of these and without $of_many. A machine that is refused counts as one test: that
# configure says so. A machine whose tools are not installed is left out; --install installs them.
# FAMILIES="unit message" are other folders of tests.
#
# A machine that fails does not stop the others. Last come rows for the table of doc/installing.md,
# also after an interrupt, which ends all that was started.

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
rows=$results/rows

api="message collective"
families=${FAMILIES:-unit message barrier collective relaxed}
emulated=L=50us,o=5us,g=5us,G=10ns,jitter=30us,reorder=1
bare="--without-hwloc --without-otf2 --without-pmix --without-ofi --without-mpi --without-fortran
	--without-python PKG_CONFIG_LIBDIR=/none"
kernel_headers="-idirafter /usr/include -idirafter /usr/include/$(gcc -print-multiarch)"

# Tests of 75 to 256 processes, whose tables take all memory in an emulator, and of the pages that a
# process has.
of_many="many-processes-agree supersteps-of-neighbours-look nbx-costs tables-of-a-process"

# hang_limit: prints after how many seconds, for each task of a processor, a program hangs. If the
# emulator does, the limit of the program itself does not end it.
hang_limit()
{
	read -r load _ </proc/loadavg
	echo $((1200 * (1 + ${load%%.*} / jobs)))
}

# machine NAME: its tool, options of configure, flags, what runs its programs
machine()
{
	tool='' options=$bare flags="-O2 -g1" run='' refused='' host='' more=''
	only=--disable-static
	case $1 in
	gcc-12) tool=gcc-12 options="CC=gcc-12 CXX=g++-12 --without-mpi" ;;
	gcc-12-lto) tool=gcc-12 flags="-O2 -flto=auto" options="$bare CC=gcc-12"
		more="AR=gcc-ar-12 NM=gcc-nm-12 RANLIB=gcc-ranlib-12" ;;
	clang-14-lto) tool=llvm-ar-14 flags="-O2 -flto" options="$bare CC=clang-14"
		more="AR=llvm-ar-14 NM=llvm-nm-14 RANLIB=llvm-ranlib-14" ;;
	clang-*) tool=$1 options="CC=$1 CXX=clang++-${1#clang-} --without-mpi" ;;
	without-hwloc) tool=gcc options="--without-hwloc --without-mpi" ;;
	musl) tool=musl-gcc options="$bare CC=musl-gcc" flags="$flags $kernel_headers" ;;
	musl-static) tool=musl-gcc options="$bare CC=musl-gcc" only=--disable-shared
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
	test -z "$host" || tool=$host-gcc options="$bare --host=$host"
	options="$options $only"
	# An emulator has a table of all pages, also of those that are only reserved: 16 bytes for
	# each page, in each process.
	emulator=${run:+QEMU_LD_PREFIX=/usr/$host BSP_SHM_RESERVE=128M}
	without=${run:+$of_many}
	runner=${run:+timeout --foreground -k 10 $(hang_limit) $run}
}

# versions: of compiler, C library and emulator
versions()
{
	case $tool in
	clang* | llvm*) printf 'clang %s' "$("clang-${tool##*-}" -dumpversion)" ;;
	*) printf 'gcc %s' "$("$tool" -dumpfullversion)" ;;
	esac
	case $tool in
	musl*) /lib/ld-musl-*.so.1 2>&1 | sed -n 's/^Version /, musl /p' | tr -d '\n' ;;
	esac
	test -z "$run" || "$run" --version | sed -n 's/.* version \([0-9.]*\).*/, qemu \1/p'
}

# ---- What ends with this script ----------------------------------------------------

group=''
exec 3>&1
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
trap 'interrupted 129' HUP
trap 'interrupted 130' INT
trap 'interrupted 143' TERM

# in_group COMMAND...: in a process group of its own; the shell lets a process in the background
# ignore signals that tests send
in_group()
{
	setsid env --default-signal=INT,QUIT "$@" 3>&- &
	group=$!
	wait "$group"
	status=$?
	group=''
	return $status
}

# interrupted STATUS: end the group, whose leader has some time to remove what is half made; jobs of
# tests are in other groups, and end with their parents
interrupted()
{
	trap '' HUP INT TERM
	exec >&3
	if test "$group"; then
		kill -s TERM -- "-$group"
		for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
			grep -q '^State:.[^Z]' "/proc/$group/status" || break
			sleep 0.5
		done
		kill -s KILL -- "-$group"
	fi 2>/dev/null
	say
	say "$name: interrupted"
	print_rows
	exit "$1"
}

# ---- A machine -----------------------------------------------------------------------

# is_refused: configure ends with these words
is_refused()
{
	(cd "$folder" && "$top/configure" $options >out 2>err)
	grep -q "^configure: error: $refused" "$folder/err"
}

# configure_with OPTION...: in $folder, unless that was done
configure_with()
{
	test "$(cat "$folder/options" 2>/dev/null)" != "$*" ||
		test "$top/configure" -nt "$folder/config.status" || return 0
	rm -f "$folder/options"
	step "$name: configure" "$name-configure" in_group env -C "$folder" "$top/configure" "$@" &&
		printf '%s' "$*" >"$folder/options"
}

# test_in WHAT ARGUMENT...: run make in $folder, with arguments of env before it, and count
test_in()
{
	what=$1 failed_before=$failed
	shift
	rm -f "$folder"/t/*/*.trs "$folder"/t/*/*.log
	step "$name: tests ($what)" "$name-tests-$what" in_group \
		env TMPDIR="$scratch" TAP_TIMEOUT=600 "$@"
	ended=$?
	count_results "$folder" "$name" && show_failures "$folder"
	test $ended -eq 0 && return
	test "$failed" -gt "$failed_before" || failed=$((failed + 1))
	grep -q '^:test-result: [FEX]' "$folder"/t/*/*.trs 2>/dev/null || tail -n 20 "$log"
}

# programs_in WHAT FOLDERS SETTING...: the tests that are programs
programs_in()
{
	over=$1 of=$2
	shift 2
	test_in "$over" $emulator "$@" make -C "$folder" -j "$jobs" \
		check-programs FOLDERS="$of" WITHOUT="$without" ${run:+"T_LOG_COMPILER=$runner"}
}

# passed_in FOLDER: in the last tests
passed_in()
{
	cat "$folder/t/$1"/*.trs 2>/dev/null | grep -c '^:test-result: \(PASS\|XFAIL\)'
}

# headers_in: every C and C++ takes them; for a compiler that has both
headers_in()
{
	case $options in
	*CXX=*) ;;
	*) return ;;
	esac
	test_in headers make -C "$folder" check check_PROGRAMS= \
		TESTS=t/interface/header-is-c89-and-cxx.t
}

# within PROGRAM ARGUMENT...: the tool of $folder
within()
{
	program=$folder/tools/$1/$1
	test ! -f "${program%/*}/.libs/$1" || program=${program%/*}/.libs/$1
	shift
	in_group env $emulator BSP_PLUGINS="$folder/.libs" \
		${runner:-timeout --foreground -k 10 "$(hang_limit)"} "$program" "$@"
}

# count_one CLAIM COMMAND...
count_one()
{
	claim=$1
	shift
	if "$@" >"$scratch/out" 2>&1 </dev/null; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		say "failed: $name: $claim"
		tail -n 5 "$scratch/out"
	fi
}

# tools_in: each prints its help; then a program of three processes, its recording, and a schedule,
# which is the same bytes everywhere
tools_in()
{
	for tool_name in bsprun bspprof bspinfo bspprobe bspgauge goalc; do
		count_one "$tool_name --help" within $tool_name --help
	done
	step "$name: an example" "$name-example" in_group make -C "$folder" examples/hello
	hello=$scratch/hello recording=$scratch/hello.rec schedule=$scratch/barrier
	printf '#!/bin/sh\nexec %s %s/examples/hello\n' "$run" "$folder" >"$hello"
	chmod +x "$hello"
	count_one "bsprun starts three processes" within bsprun -n 3 "$hello"
	count_one "bsprun --check" within bsprun --check -n 3 "$hello"
	count_one "bsprun --record" within bsprun -n 3 --record "$recording" "$hello"
	count_one "bspprof" within bspprof "$recording"
	count_one "bspprof predict" within bspprof predict --on sp2 "$recording"
	count_one "bspinfo" within bspinfo -n 3
	count_one "bspprobe" within bspprobe -n 2 --transport shm --seconds 1
	count_one "goalc gen" \
		within goalc gen barrier --algorithm dissemination -P 16 -o "$schedule"
	count_one "goalc sim" within goalc sim "$schedule"
	count_one "goalc compile" within goalc compile -o "$schedule.bin" "$schedule"
	test ! -x "$here/tools/goalc/goalc" ||
		"$here/tools/goalc/goalc" compile -o "$schedule.here" "$schedule"
	test ! -f "$schedule.here" ||
		count_one "the same schedule as here" cmp "$schedule.bin" "$schedule.here"
	rm -rf "$recording" "$schedule"*
}

# tests_of_machine: all of them, and their cells of the row
tests_of_machine()
{
	programs_in shm "$families"
	for family in $families; do
		cells="$cells $(passed_in "$family") |"
	done
	passed_before=$passed
	for family in $families; do
		case " $api " in
		*" $family "*) programs_in self "$family" BSP_TRANSPORT=self ;;
		esac
		test "$family" != relaxed || test "$run" ||
			programs_in emu relaxed BSP_EMULATE=$emulated
	done
	headers_in
	tools_in
	cells="$cells $((passed - passed_before)) |"
}

# one NAME: all of it
one()
{
	name=$1 folder=$here/machines/$1
	machine "$name"
	passed=0 failed=0 skipped=0 cells=''
	if ! command -v "$tool" >/dev/null || ! command -v "${run:-true}" >/dev/null; then
		say "$name: no $tool${run:+ or $run} here"
		say "| $name | not measured |" >>"$rows"
		return
	fi
	mkdir -p "$folder"
	machine_began=$(date +%s)
	found=$(versions)
	if test "$refused"; then
		count_one "is refused" is_refused
		test "$failed" -gt 0 || found="$found: refused"
	elif configure_with --enable-werror $options CFLAGS="$flags" $more &&
		step "$name: build" "$name-build" in_group \
			make -C "$folder" -j "$jobs" library-and-tools; then
		tests_of_machine
	else
		failed=1 found="$found: cannot be built"
		tail -n 20 "$log"
	fi
	say "$name: $passed passed, $failed failed, $skipped skipped," \
		"$((($(date +%s) - machine_began + 59) / 60)) minutes"
	sed -n "s/^$name	\(.*\)	/  skipped: \1: /p" "$results/skips"
	test "$cells" || cells=$(printf ' |%.0s' $families other)
	say "| $name | $found |$cells $failed | $skipped |" >>"$rows"
	all_failed=$((all_failed + failed))
}

# print_rows: of the machines that are done
print_rows()
{
	test -s "$rows" || return
	say
	say "Checks that passed on $(date +%Y-%m-%d), by folder of t/; others are those over self,"
	say "over an emulated network, of headers and of tools."
	say
	say "| machine | compiler |$(printf ' %s |' $families) other | failed | skipped |"
	say "|---|---|$(printf -- '---|%.0s' $families other failed skipped)"
	cat "$rows"
}

list='' install=''
for argument do
	case $argument in
	--install) install=yes ;;
	-*) echo "usage: machines.sh [--install] [NAME...]; names are" $names >&2; exit 2 ;;
	*) machine "$argument" && list="$list $argument" ;;
	esac
done
begin_results
test -z "$install" || install_packages "$elsewhere_packages"
all_failed=0
for of_list in ${list:-$names}; do
	one "$of_list"
done
print_rows
test "$all_failed" -eq 0
