#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Configure and make install refuse a folder with a blank in its name, at once, and say why.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
cd "$tap_dir" || bail "no $tap_dir"
mkdir build
why="there is a blank in this name, and libtool cannot install there; give another folder"

# refuses FOLDER NAME: configure does
refuses()
{
	(cd build && "$top_srcdir/configure" "--$(echo "$1" | tr _ -)=$2" >out 2>err)
	is 1 $? "configure refuses '$2' for $1"
	is "configure: error: $1='$2': $why" "$(cat build/err)" "and says why"
}

if test -x "$top_srcdir/configure"; then
	refuses prefix "/tmp/a b"
	refuses libdir "/tmp/lib	64"
	refuses exec_prefix "/tmp/ab "
else
	skip "configure is not there"
fi
"$MAKE" -C "$top_builddir" install DESTDIR="$PWD/a b" >out 2>err
is 2 $? "so does make install with DESTDIR"
like "DESTDIR='$PWD/a b': $why" "$(cat err)" "and says why"
test ! -e "a b"
ok $? "nothing has been installed"

done_testing
