#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One of the compilers that the library is not built with here, clang 14 of Debian 12, has no
# complaint about a file for user space; and the check finds what it is there for.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL

command -v clang-14 >/dev/null || skip_all "no clang-14 here"

echo 'int main(void) { int unused; return 0; }' >"$tap_dir/bad.c"
elsewhere="$top_srcdir/t/elsewhere.sh"
seen=$(sh "$elsewhere" "clang-14 no-such-compiler" "-Wall -Werror" "$tap_dir/bad.c" 2>&1)
is 1 $? "a file with a warning fails"
like "bad.c:1:22: error: unused variable" "$seen" "and is named"
like "^no-such-compiler: not here" "$seen" "with a compiler that is not there"
sh "$elsewhere" no-such-compiler "" "$tap_dir/bad.c" >/dev/null
is 1 $? "without any compiler nothing is right"

# Tests are half of the tree: the long form (TAP_LONG) reads them as well.
test "${TAP_LONG-}" && not='' || not='t/% fuzz/%'
seen=$("$MAKE" -C "$top_builddir" check-compilers ELSEWHERE=clang-14 NOT_ELSEWHERE="$not" 2>&1)
ok $? "no file has one" || diag "$(echo "$seen" | grep -E 'error|warning|make' | head -n 20)"

done_testing
