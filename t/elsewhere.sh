#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# elsewhere.sh "COMPILER..." "FLAG..." FILE... - let each compiler that is there read all files, and
# fail if one of them has a complaint, or if none is there.

compilers=$1 flags=$2
shift 2
# Any text for what some files are given besides; pragmas of OpenMP are for those that have it.
flags="$flags -Wno-unknown-pragmas"
for name in BUILT_CC BUILT_BINDIR BUILT_CFLAGS BUILT_PREFIX BENCH_MPIRUN SOURCES \
	BSPI_CONF_FILE_OF_SITE; do
	flags="$flags -D$name=__FILE__"
done
found='' failed=0
for compiler in $compilers; do
	command -v "$compiler" >/dev/null || { echo "$compiler: not here"; continue; }
	found=yes
	# shellcheck disable=SC2086
	if printf '%s\n' "$@" | xargs -P 2 -n 20 "$compiler" -std=gnu11 -fsyntax-only $flags; then
		echo "$compiler: $# files"
	else
		failed=1
	fi
done
test "$found" || echo "none of these compilers is here: $compilers"
test "$found" && exit $failed
exit 1
