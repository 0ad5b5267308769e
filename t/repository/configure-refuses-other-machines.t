#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# For a 32-bit or a big-endian machine configure ends with a message, before it looks for libraries.
# shellcheck disable=SC2154

# The compiler of this machine stands in for others: it has their pointers, or says that it has
# their order of bytes. It links without a C library, as there is none for them here. make
# check-machines does it with compilers for s390x and i686.

. "${0%/*}/../lib/env.sh"
cd "$tap_dir" || bail "no $tap_dir"

# refuses WANTED DESCRIPTION COMPILER
refuses()
{
	"$top_srcdir/configure" --host=other-unknown-linux-gnu CC="$3" CFLAGS= LDFLAGS= \
		>out 2>err
	is 1 $? "$2"
	like "^configure: error: $1" "$(cat err)" "and says so"
	none "$(grep -n 'pkg-config\|hwloc' out)" "at once"
}

command -v gcc >/dev/null || skip_all "no gcc here"
echo 'int main(void) { return 0; }' >main.c
alone="-nostdlib -static -fno-pie -no-pie"
# shellcheck disable=SC2086
if gcc -m32 $alone -o main main.c 2>/dev/null; then
	refuses "this is a 32-bit machine; the library is for 64-bit ones" \
		"a 32-bit machine is refused" "gcc -m32 $alone"
else
	not_applicable "this gcc has no -m32"
fi
refuses "this is a big-endian machine; the library is for little-endian ones" \
	"a big-endian one, too" "gcc -U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__"

done_testing
