#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The module file brings commands, manual pages and libraries of an installation to a shell, also
# after it was moved, and takes them away again.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

modulecmd=$(command -v modulecmd || ls /usr/lib/*/modulecmd.tcl \
	/usr/share/modules/libexec/modulecmd.tcl 2>/dev/null | head -n 1)
test "$modulecmd" || skip_all "no modulecmd here"
case $modulecmd in
*.tcl)
	set_modules() { tclsh "$modulecmd" sh "$@"; } ;;
*)
	set_modules() { "$modulecmd" sh "$@"; } ;;
esac

unset BSP_INCLUDEDIR BSP_LIBDIR PKG_CONFIG_PATH
prefix=$(sed -n 's/^prefix=//p' "$bindir/bspcc")
moved=$tap_dir/moved
rest=${bindir#"$stage$prefix"}
mv "$stage$prefix" "$moved"
file=$(find "$moved" -path '*/modulefiles/bsp/*' -type f)
is 1 "$(printf '%s\n' "$file" | wc -l)" "one module file is installed"
MODULEPATH=${file%/bsp/*}
export MODULEPATH
before=$PATH

eval "$(set_modules load bsp 2>errors)"
none "$(cat errors)" "the module is loaded"
is "$moved$rest/bsprun" "$(command -v bsprun)" "bsprun is on the search path"
is "$moved/lib" "${LD_LIBRARY_PATH%%:*}" "libraries are looked for there"
like "^$moved/" "$MANPATH" "so are manual pages"
write_ring ring.c
bspcc -o ring ring.c
is "0 after 1, size 4
1 after 0, size 4" "$(runs -n 2 ./ring)" "a program compiles and runs"
if command -v pkg-config >/dev/null; then
	is "$(sed -n 's/^Version: //p' "$top_builddir/tools/bspcc/bsp.pc")" \
		"$(pkg-config --modversion bsp)" "pkg-config knows it"
fi
eval "$(set_modules unload bsp 2>errors)"
none "$(cat errors)" "the module is unloaded"
is "$before" "$PATH" "the search path is as before"

done_testing
