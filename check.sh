#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check.sh - from a fresh machine to the last line of all tests: N passed, N failed, N skipped.

# usage: check.sh [--quick | --long]
#
# Nearly each claim of a test is shown once at least. --long shows them in more ways, in 15 minutes
# more: more families over MPI and libfabric and with sanitizers, more barriers, rounds and programs
# in tests that have a long form (TAP_LONG), and a dozen tests that take long (only_long).
#
# The core comes first: one build without sanitizers, the tests of repository and unit, and those of
# bsp.h over shm and self; its line is "core: N passed, N failed, N skipped". With --quick that is
# all, and packages that only other tests need are not installed.
#
# Can be run again: what is installed and built stays. Logs are in build/log/.
# With CI=true a warning of the compiler is an error. With CHECK_SECONDS=N what has not begun after
# N seconds is skipped, and counted as that.

quick='' TAP_LONG=''
case $#:${1-} in
0:) ;;
1:--quick) quick=yes ;;
1:--long) TAP_LONG=yes ;;
*)
	echo "usage: check.sh [--quick | --long]" >&2
	exit 2
	;;
esac
export TAP_LONG

cd "$(dirname "$0")" || exit 1
. build-aux/setup.sh
. build-aux/results.sh
. t/lib/built.sh

werror=
test "${CI-}" != true || werror=--enable-werror

finish()
{
	report_results
	say "$passed passed, $failed failed, $skipped skipped"
	test "$failed" -eq 0 && test "$passed" -gt 0
	exit
}

# Something that is no test went wrong: that is a failure too.
broken()
{
	failed=$((failed + 1))
	tail -n 30 "$log"
}

# test_in DIRECTORY TEXT NAME ARGUMENT...: run make with these arguments and count
test_in()
{
	directory=$1 what=$2 name=$3
	shift 3
	rm -f "$directory"/t/*/*.trs "$directory"/t/*/*.log
	step "$what" "$name" build-aux/without-symbols.sh env "$@"
	result=$?
	if count_results "$directory" "$name"; then
		show_failures "$directory"
	elif test $result -ne 0; then
		broken
	fi
}

# over TRANSPORT TEXT FOLDERS SETTING...: the API tests over a part that may not have been built
over()
{
	transport=$1 text=$2 folders=$3
	shift 3
	top_builddir=$build
	if ! has_transport "$transport"; then
		note_skip "check-$transport" "API tests over $transport" \
			"no bsp-$(plugin_of "$transport").so here"
		return
	fi
	test_in "$build" "$text" "check-$transport" BSP_TRANSPORT="$transport" "$@" \
		make -C "$build" -j "$at_once" check-each-transport FOLDERS="$folders"
}

if test "${CHECK_SECONDS-}"; then
	TESTS_UNTIL=$(($(date +%s) + CHECK_SECONDS))
	export TESTS_UNTIL
fi

# in_time NAME TEXT: may this step begin?
in_time()
{
	test -z "${TESTS_UNTIL-}" || test "$(date +%s)" -lt "$TESTS_UNTIL" && return
	note_skip "$1" "$2" "no time is left (CHECK_SECONDS)"
	return 1
}

# A test that hangs is to end, not one on a machine that is slow.
TAP_TIMEOUT=${TAP_TIMEOUT:-300}
export TAP_TIMEOUT

# How many tests run at once: half of their time they wait for a timeout, or for a job to start.
at_once=$((5 * jobs / 2))

# Addresses in a random place are more random than ThreadSanitizer bears.
steady=
setarch "$(uname -m)" -R true 2>/dev/null && steady="setarch $(uname -m) -R"

# The folders of tests of bsp.h, but for those of relaxed supersteps.
api="transfer message job interface collective schedule"
# libfabric fills 36 MB in each process: with large pages a job takes a third less time where pages
# are dear, and nothing else changes.
large_pages=GLIBC_TUNABLES=glibc.malloc.hugetlb=1
# Families that depend on the transport even where another one has passed them all. Nodes of two
# processes run them over shm and libfabric at once, so over libfabric alone few do.
carried="transfer message interface schedule relaxed soak"
carried_by_mpi="transfer message"
relaxed_at_least="
	relaxed/credit-never-stops-what-others-wait-for
	relaxed/end-from-relaxed-supersteps
	relaxed/expected-messages-are-in-the-queue
	relaxed/large-gets-are-served-whole
	relaxed/large-put-counts-one
	relaxed/random-relaxed-programs-match-model"
also_by_mpi="job/processes-live-on-after-the-end $relaxed_at_least"
carried_by_ofi="transfer message"
# With sanitizers: where memory is written and messages are read.
sanitized="unit goal transport transfer message checker"
sanitized_too=$relaxed_at_least
# A sanitizer needs to see code once: not the same core again with size_t, nor how long something
# takes.
without="/size_t- -the-time-of- -as-long- /nbx-costs-"
# On demand, as each takes as long as ten others: in guests benchmarks, the tests' own means,
# several networks, storms, mpirun, which nodes.sh has, and what programs show by calls; tests of
# the interface under launchers, a million processes, and a model of the protocol, which is no code.
# More than 2 GiB go over shared memory; networks cut them into chunks.
only_long="/offload-benchmark- /splats-of- /esp-runs-between-hosts- /barriers-spread-"
only_long="$only_long /espgoal-spreads- /two-networks-are- /installed-device- /esp-storms-"
only_long="$only_long /bspgauge-measures-ethernet- /espgoal-runs-in-softirq-"
only_long="$only_long /espgoal-runs-schedules- /barrier-runs-in-the-kernel"
only_long="$only_long /programs-run-over-esp /api-tests-pass-under- /bench-smoke"
only_long="$only_long /sockets-of-mpich-listen- /processes-are-bound-in-nodes-"
only_long="$only_long /a-million-processes- /relaxed-barrier-model-keeps-"
not_by_networks=-2-gib
if test "$TAP_LONG"; then
	carried_by_mpi=$carried carried_by_ofi=$carried without='' only_long='' not_by_networks=
	sanitized="unit goal transport $api relaxed barrier checker soak faults" sanitized_too=
fi

begin_results
test "$quick" || packages_of_tests=$test_packages
install_packages "$packages$example_packages$cluster_packages${packages_of_tests-}"
prepare

# Guests run a kernel of Debian's from the packages' archive; without it their tests are skipped.
prepare_guests()
{
	command -v qemu-system-x86_64 >/dev/null || return
	step "a kernel for guests, out of its package" stock-kernel \
		make -C "$build" stock-kernel || return
	step "modules for it" kernel-modules make -C "$build" kernel-modules || broken
}

# shellcheck disable=SC2086
if make_build "$build" "" $werror; then
	test_in "$build" "core: repository, unit, API tests over shm" check-core \
		make -C "$build" -j "$at_once" check-core
	test_in "$build" "core: API tests over transport self" check-self \
		BSP_TRANSPORT=self make -C "$build" -j "$at_once" check-each-transport \
		FOLDERS="$api"
	say "core: $passed passed, $failed failed, $skipped skipped"
	test -z "$quick" || finish
	prepare_guests
	test_in "$build" "all other tests" check-rest make -C "$build" -j "$at_once" check-rest \
		WITHOUT="$only_long"
	test_in "$build" "relaxed tests over an emulated network that reorders" check-emu \
		BSP_EMULATE=L=50us,o=5us,g=5us,G=10ns,jitter=30us,reorder=1 \
		make -C "$build" -j "$at_once" check-folders FOLDERS=relaxed
	over mpi "API and relaxed tests over MPI" "$carried_by_mpi" ALSO="$also_by_mpi" \
		WITHOUT="$not_by_networks"
	over ofi "API tests over libfabric" "$carried_by_ofi" "$large_pages" \
		WITHOUT="$not_by_networks"
	over mix "API and relaxed tests over nodes of two processes" "$carried" BSP_NODE_SIZE=2 \
		"$large_pages"
else
	broken
	finish
fi

# Little optimisation and few names for a debugger: compiling takes half the time, lines are named.
sanitizer_flags="CFLAGS=-O1 -g1"
if ! in_time check-asan "tests with address and undefined sanitizers"; then
	:
elif make_build build-asan "with address and undefined sanitizers" \
	--enable-sanitizer=address,undefined --without-mpi "$sanitizer_flags"; then
	test_in build-asan "unit, transport and API tests with them" check-asan \
		make -C build-asan -j "$at_once" check-folders FOLDERS="$sanitized" \
		ALSO="$sanitized_too" WITHOUT="$without"
	# also in tests of one process, for which auto takes self
	test_in build-asan "message tests over shm alone with them" check-asan-shm \
		BSP_TRANSPORT=shm make -C build-asan -j "$at_once" check-each-transport \
		FOLDERS=message
else
	broken
fi

if ! in_time check-tsan "tests with thread sanitizer"; then
	:
elif make_configured build-tsan "with thread sanitizer" --enable-sanitizer=thread --without-mpi \
	"$sanitizer_flags"; then
	# shellcheck disable=SC2086
	test_in build-tsan "tests of threads with it" check-tsan \
		$steady make -C build-tsan -j "$at_once" check-tsan
else
	broken
fi

finish
