#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library compiles for arm64 without a warning, and needs no library for its atomics there.
# shellcheck disable=SC2154

# By clang, which compiles for any processor, with headers of a C library for it. make
# check-machines also links, and runs tests of it in an emulator.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/sources.sh"

headers=/usr/aarch64-linux-gnu/include
command -v clang-14 >/dev/null || skip_all "no clang-14 here"
test -e "$headers/stdio.h" || skip_all "no libc6-dev-arm64-cross here"

# Parts for which headers of other libraries are needed are left out.
cd "$top_srcdir" || bail "no $top_srcdir"
files=$(sources | grep -E '^(bsplib|kernel/goal|job|transport)/.*\.c$' |
	grep -vE '^transport/(ofi|mpi)/|/(pmix|mpi_launch|bind_hwloc)\.c$')
folder=$(cd "$top_builddir" && pwd)
cd "$tap_dir" || bail "no $tap_dir"
echo "$files" | $SED 's,/[^/]*$,,' | sort -u | xargs mkdir -p
flags="--target=aarch64-linux-gnu -isystem $headers -std=gnu11 -O0 -Wall -Wextra -Werror \
	-D_GNU_SOURCE -I$folder -I$top_srcdir -I$top_srcdir/include -I$top_srcdir/goal \
	-I$top_srcdir/kernel/goal"
# shellcheck disable=SC2016
echo "$files" | xargs -P 2 -n 1 \
	sh -c 'exec clang-14 $0 -c -o "$2.o" "$1/$2"' "$flags" "$top_srcdir" 2>out
ok $? "without a warning" || diag "$(head -n 30 out)"
is "$(echo "$files" | wc -l)" "$(find . -name '*.o' | wc -l)" "each file"
none "$(find . -name '*.o' -exec nm -Au {} + | grep ' __atomic_')" "all atomics are instructions"

done_testing
