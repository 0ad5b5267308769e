#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Symbols of the library, their versions and types, layouts of structures and constants are those of
# bsplib/abi: what was compiled with them before can be linked and run with this library.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

library=$top_builddir/.libs/libbsp.so
test -e "$library" || skip_all "no shared library was built"
command -v nm >/dev/null || skip_all "no nm here"
gdb -batch -nx -ex "python print(1)" 2>/dev/null | grep -qx 1 ||
	skip_all "no gdb here that has Python"
cd "$tap_dir" || bail "no $tap_dir"
tab=$(printf '\t')

# whole: lines that go on behind a tab become one
whole()
{
	grep -v "^#" | grep . | sed -e ":more" -e "\$!N" -e "s/\n$tab/ /; t more" -e "P;D" |
		LC_ALL=C sort
}

# abi SOURCES: of this library, with the headers of these sources
abi()
{
	sh "$top_srcdir/build-aux/abi.sh" "$library" "$1" 2>log | whole
}

whole <"$top_srcdir/bsplib/abi" >listed
abi "$top_srcdir" >seen
none "$(cat log)" "gdb reads all of it"
test "$(grep -c ' BSP_' listed)" -gt 300 && test "$(grep -c '^struct ' listed)" -gt 100 &&
	test "$(grep -c '^[A-Z]' listed)" -gt 50
ok $? "there are symbols, layouts and constants"
none "$(LC_ALL=C comm -23 listed seen)" \
	"each line is true (programs rely on it: a library for which it is not has a new soname)"
none "$(LC_ALL=C comm -13 listed seen)" \
	"each thing that is there is listed (a new one: make check-abi prints its line)"
is "bsp_begin: no header names it" "$(grep ': no header' seen)" \
	"headers name each symbol but the one that other libraries' programs ask for"
none "$(sed -n 's/^[a-z_A-Z0-9]* \(BSP_[0-9.]*\) .*/\1/p' listed | sort -u |
	while read -r version; do
		grep -q "^$version {" "$top_srcdir/bsplib/libbsp.map" || echo "$version"
	done)" "their versions are those of bsplib/libbsp.map"

# ---- A changed header ----------------------------------------------------------------------------

mkdir -p changed/kernel
cp -R "$top_srcdir/include" "$top_srcdir/goal" changed
cp -R "$top_srcdir/kernel/goal" changed/kernel
cp -R "$top_srcdir/build-aux" changed
chmod -R u+w changed
sed -i -e 's/^int bsp_set_sync(int mode)/int bsp_set_sync(long mode)/' \
	-e 's/^#define BSP_ANY .*/#define BSP_ANY 7/' \
	changed/include/bsp.h
sed -i 's/^	unsigned int here, there;/	unsigned int there, here;/' changed/include/enet.h
abi "$tap_dir/changed" >changed.seen
is "BSP_ANY: 7
bsp_set_sync BSP_0.1 int (long)
struct esp_tags.here: unsigned int at 4
struct esp_tags.there: unsigned int at 0" "$(LC_ALL=C comm -13 listed changed.seen)" \
	"another parameter, constant and order of members are noticed"

done_testing
