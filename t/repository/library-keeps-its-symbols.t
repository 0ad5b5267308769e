#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The shared library exports the symbols of bsplib/symbols, each with its version, and no other:
# those that a program was linked with stay.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

library=$top_builddir/.libs/libbsp.so
test -e "$library" || skip_all "no shared library was built"
command -v nm >/dev/null || skip_all "no nm here"
cd "$tap_dir" || bail "no $tap_dir"

grep -v '^#' "$top_srcdir/bsplib/symbols" | grep . | LC_ALL=C sort >listed
nm -D --defined-only --with-symbol-versions "$library" | awk '$2 != "A" { print $NF }' |
	sed 's/@@*/ /' | LC_ALL=C sort >exported
test "$(wc -l <listed)" -gt 300
ok $? "there are symbols"
none "$(LC_ALL=C comm -23 listed exported)" \
	"each that is listed is there (a program needs it: a library without it has a new soname)"
none "$(LC_ALL=C comm -13 listed exported)" \
	"each that is there is listed (a new one: add it to bsplib/symbols)"
none "$(awk '{ print $2 }' listed | sort -u | while read -r version; do
	grep -q "^$version {" "$top_srcdir/bsplib/libbsp.map" || echo "$version"
done)" "their versions are those of bsplib/libbsp.map"

done_testing
