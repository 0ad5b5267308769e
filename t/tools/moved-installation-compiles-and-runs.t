#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An installation that was moved compiles programs that run, without any setting.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

unset BSP_INCLUDEDIR BSP_LIBDIR PKG_CONFIG_PATH
prefix=$(sed -n 's/^prefix=//p' "$bindir/bspcc")
moved=$tap_dir/moved
mv "$stage$prefix" "$moved"
rest=${bindir#"$stage$prefix"}
PATH=$moved$rest:$PATH
BSP_FC="gfortran${BSP_SANITIZE:+ $BSP_SANITIZE}"
export BSP_FC

# compiled COMMAND FILE HOW: a ring of two, compiled by COMMAND, is as it has to be
compiled()
{
	rm -f ring
	"$1" -o ring "$2" 2>errors
	ok $? "$3 compiles" || diag "$(cat errors)"
	is "0 after 1, size 4
1 after 0, size 4" "$(runs -n 2 ./ring)" "and the program runs"
}

write_ring ring.c
cp ring.c ring.cc
is "$moved" "$(bspinfo | sed -n 's/^prefix *//p')" "bspinfo says where it is"
compiled bspcc ring.c "bspcc, through PATH,"
compiled "$moved$rest/bspcc" ring.c "bspcc, with its whole name,"
compiled bspcxx ring.cc "bspcxx"
ln -s "$moved$rest/bspcc" link
compiled ./link ring.c "bspcc, through a symbolic link,"
if test -x "$moved$rest/bspfc"; then
	write_ring_f90 ring.f90
	bspfc -o ring ring.f90 2>errors
	ok $? "bspfc compiles" || diag "$(cat errors)"
	is "processes 2" "$(runs -n 2 ./ring)" "and the program runs"
else
	not_applicable "built without Fortran"
fi
like "^-I$moved/" "$(bspcc -showme:compile)" "the headers are those beside bspcc"

# Where a link leads to the place that was configured, names are as configured.
ln -s "$moved" "$tap_dir/configured"
sed "s|^prefix=.*|prefix=$tap_dir/configured|" "$moved$rest/bspcc" >bspcc
chmod +x bspcc
mv bspcc "$moved$rest/bspcc"
like "^-I$tap_dir/configured/" "$(bspcc -showme:compile)" "a link to it is no other place"
if command -v pkg-config >/dev/null && test -e "$moved${libdir#"$stage$prefix"}/libbsp.so"; then
	PKG_CONFIG_PATH=$moved${pkgconfigdir#"$stage$prefix"}
	export PKG_CONFIG_PATH
	like "-I$moved/" "$(pkg-config --define-prefix --cflags bsp)" \
		"pkg-config --define-prefix finds them, too"
fi

done_testing
