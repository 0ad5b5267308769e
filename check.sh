#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check.sh - from a fresh machine to the last line of all tests: N passed, N failed, N skipped.

# Can be run again: what is installed and built stays. Logs are in build/log/.
# With CI=true a warning of the compiler is an error.

cd "$(dirname "$0")" || exit 1
. build-aux/setup.sh

passed=0
failed=0
skipped=0
werror=
test "${CI-}" != true || werror=--enable-werror

finish()
{
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

# show_failures DIRECTORY: what the tests that failed have said, but for what was right
show_failures()
{
	grep -lE '^:test-result: (FAIL|ERROR|XPASS)' "$1"/t/*.trs | while read -r results; do
		say "--- ${results%.trs}"
		grep -vE '^(ok|PASS)' "${results%.trs}.log" | head -n 40
	done
}

# count_results DIRECTORY: one for every line of TAP; that a test with failures also
# ends with status 1 is no further failure
count_results()
{
	counts=$(for results in "$1"/t/*.trs; do cat "$results" && echo; done 2>/dev/null | awk '
		/^:test-result: (PASS|XFAIL)/ { passed++ }
		/^:test-result: (FAIL|XPASS)/ { failed++; here++ }
		/^:test-result: ERROR/ { failed += !(here && /exited with status 1$/) }
		/^:test-result: SKIP/ { skipped++ }
		/^$/ { here = 0 }
		END { print passed + 0, failed + 0, skipped + 0 }')
	# shellcheck disable=SC2086
	set -- $counts
	if test $(($1 + $2 + $3)) -eq 0; then
		say "no test was run"
		set -- 0 1 0
	fi
	passed=$((passed + $1))
	failed=$((failed + $2))
	skipped=$((skipped + $3))
	test "$2" -gt 0
}

# test_in DIRECTORY TEXT NAME ARGUMENT...: run make with these arguments and count
test_in()
{
	directory=$1 what=$2 name=$3
	shift 3
	rm -f "$directory"/t/*.trs
	step "$what" "$name" env "$@"
	result=$?
	if count_results "$directory"; then
		show_failures "$directory"
	elif test $result -ne 0; then
		broken
	fi
}

# over TRANSPORT TEXT FAMILIES SETTING...: the API tests over a part that may not have been built
over()
{
	transport=$1 text=$2 families=$3
	shift 3
	case $transport in
	mix) part=ofi ;;
	*) part=$transport ;;
	esac
	if test ! -f "$build/.libs/bsp-$part.so"; then
		say "without bsp-$part.so: no API tests over $transport"
		return
	fi
	test_in "$build" "$text" "check-$transport" BSP_TRANSPORT="$transport" "$@" \
		make -C "$build" -j $((jobs + 1)) check-families FAMILIES="$families"
}

# Addresses in a random place are more random than ThreadSanitizer bears.
steady=
setarch "$(uname -m)" -R true 2>/dev/null && steady="setarch $(uname -m) -R"

install_packages
prepare

# Guests run a kernel of Debian's, which needs the packages' archive; without it their tests are skipped.
prepare_guests()
{
	command -v qemu-system-x86_64 >/dev/null || return
	step "a kernel for guests, out of its package" stock-kernel make -C "$build" stock-kernel || return
	step "modules for it" kernel-modules make -C "$build" kernel-modules || broken
}

# shellcheck disable=SC2086
if make_build "$build" "" $werror; then
	prepare_guests
	test_in "$build" "all tests" check make -C "$build" -j "$jobs" check
	test_in "$build" "API tests over transport self" check-self \
		BSP_TRANSPORT=self make -C "$build" -j "$jobs" check-families FAMILIES=4
	test_in "$build" "relaxed tests over an emulated network that reorders" check-emu \
		BSP_EMULATE=L=50us,o=5us,g=5us,G=10ns,jitter=30us,reorder=1 \
		make -C "$build" -j "$jobs" check-families FAMILIES="50 51 52 53 55 56 57"
	over mpi "API and relaxed tests over MPI" "4 51 52 53 56 57 9"
	# What depends on who carries; the rest is the same code as over MPI.
	over ofi "API and relaxed tests over libfabric" "40 41 43 48 49 51 52 53 57 9"
	over mix "API and relaxed tests over nodes of two processes" "40 41 43 48 49 51 52 57 9" \
		BSP_NODE_SIZE=2
else
	broken
	finish
fi

if make_build build-asan "with address and undefined sanitizers" \
	--enable-sanitizer=address,undefined --without-mpi; then
	test_in build-asan "unit, transport and API tests with them" check-asan TAP_TIMEOUT=120 \
		make -C build-asan -j "$jobs" check-families FAMILIES="1 20 21 23 3 4 5 9"
else
	broken
fi

if make_build build-tsan "with thread sanitizer" --enable-sanitizer=thread --without-mpi; then
	# Where threads share memory: shm between threads of one process, and the progress thread.
	# shellcheck disable=SC2086
	test_in build-tsan "tests of threads with it" check-tsan TAP_TIMEOUT=120 \
		$steady make -C build-tsan -j "$jobs" check-families FAMILIES="39 592 593"
else
	broken
fi

finish
