# SPDX-License-Identifier: BSD-3-Clause
# in_guest.sh - what the benchmarks that boot a guest share; sourced by them.
# shellcheck shell=sh

# They run in the build folder, or in any with BUILD naming it, after make stock-kernel
# kernel-modules, and take ROWS: a file that keeps the figures as they came, or has them already:
# then nothing is measured. $work is theirs, and goes when they end.

build=${BUILD:-.}
here=${0%/*}
modules=$build/kernel-modules/kernel
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fail()
{
	echo "${0##*/}: $*" >&2
	exit 1
}

# needs PROGRAM...: of the build folder, and the modules and the kernel of guests
needs()
{
	for file in "$modules/enet.ko" "$modules/espgoal.ko" "$build/stock/complete"; do
		test -e "$file" || fail "no $file: make stock-kernel kernel-modules"
	done
	for file; do
		test -x "$file" || fail "no $file: make"
	done
}

# in_guest OPTION... STOCK SCRIPT PROGRAM...: of guest.sh, with enet and netem, in virtual time, and
# the processor's instruction for the checksums of ESP; lines that begin with "row" go to $work/rows
in_guest()
{
	sh "$here/../kernel/testbed/guest.sh" -v 0 -t "${SECONDS_MOST:-3600}" -p \
		+ssse3,+sse4.1,+sse4.2 -k veth -k bridge -k sch_netem -k crc32c-intel -k libcrc32c \
		-k "$modules/enet.ko" "$@" >"$work/out"
	status=$?
	grep '^row ' "$work/out" >"$work/rows"
	test $status -eq 0 && test -s "$work/rows" && return
	grep -v '^row ' "$work/out" >&2
	fail "the guest failed"
}

# take_rows ARGUMENT...: by measure(), which ends with in_guest(), if ROWS does not have them
take_rows()
{
	if test -s "${ROWS:-}"; then
		cp "$ROWS" "$work/rows"
	else
		measure "$@"
		test -z "${ROWS:-}" || cp "$work/rows" "$ROWS"
	fi
}
