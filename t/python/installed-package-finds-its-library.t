#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What make install puts in place runs from there, and from where it is moved to; without a library
# Python says so.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/python.sh"
. "$top_srcdir/t/lib/installed.sh"

unset BSP_LIBDIR
$SED -n '/^import bsp/,/^bsp.run/p' "$top_srcdir/man/bsp_python.7" >ring.py
test -s ring.py
ok $? "bsp_python(7) has a program"

# ring WHERE DESCRIPTION: it runs with what is installed there
ring()
{
	package=$(find "$1" -name _where.py)
	package=${package%/bsp/_where.py}
	test "$package" || bail "make install did not install package bsp"
	is "0 has 1 on its left
1 has 0 on its left" "$(PYTHONPATH=$package runs -n 2 "$PYTHON" ring.py)" "$2"
}

ring "$stage" "an installed package"
folder=$(PYTHONPATH=$package "$PYTHON" -c 'import bsp._library as l; print(l.PATH)')
is "$libdir/libbsp.so.0" "$folder" "it has loaded the library that was installed with it"
mv "$stage" "$tap_dir/moved"
PATH=$tap_dir/moved${bindir#"$stage"}:$PATH
ring "$tap_dir/moved" "a package that was moved with its library"
rm "$tap_dir/moved${libdir#"$stage"}"/libbsp.so*
like '^ImportError: bsp: there is no libbsp\.so\.0 .*; set BSP_LIBDIR to its folder$' \
	"$(PYTHONPATH=$package "$PYTHON" -c 'import bsp' 2>&1)" "without the library"

done_testing
