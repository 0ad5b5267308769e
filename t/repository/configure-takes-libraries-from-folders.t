#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --with-ofi=DIR, and so for pmix, hwloc and otf2, takes what is in DIR, or is an error.
# shellcheck disable=SC2016,SC2154

# The macro alone is configured, with files of pkg-config that are the test's own.

. "${0%/*}/../lib/env.sh"

command -v autoconf >/dev/null || skip_all "no autoconf here"
pkg=$(find /usr/share/aclocal /usr/local/share/aclocal -name pkg.m4 2>/dev/null | head -n 1)
test "$pkg" || skip_all "no pkg.m4 here"
cd "$tap_dir" || bail "no $tap_dir"

# A configure.ac out of the macros of the tree; the compiler is only asked for its folder.
{
	cat <<END
AC_INIT([folders], [1])
m4_define([AM_CONDITIONAL], [])
m4_include([$pkg])
m4_include([$top_srcdir/m4/bsp.m4])
m4_include([$top_srcdir/transport/ofi/configure.m4])
m4_include([$top_srcdir/job/configure.m4])
PKG_PROG_PKG_CONFIG
CC=\$FOLDERS_CC
BSP_WITH_PMIX
BSP_TRANSPORT_OFI
END
	$SED -n '/^AC_ARG_WITH(.hwloc/,/^bsp_hwloc=/p; /^AC_ARG_WITH(.otf2/,/^bsp_otf2=/p' \
		"$top_srcdir/configure.ac"
	echo 'echo "found: $bsp_transport_ofi $OFI_LIBS | $bsp_pmix $PMIX_LIBS |" \'
	echo '	"$bsp_hwloc $HWLOC_LIBS | $bsp_otf2 $OTF2_LIBS"'
} >configure.ac
autoconf 2>warnings
ok $? "the macros are sound" || diag "$(cat warnings)"

# library FOLDER LIB NAME VERSION HEADER: it is installed in FOLDER, its .pc in FOLDER/LIB/pkgconfig
library()
{
	mkdir -p "$1/$2/pkgconfig" "$1/include"
	cat >"$1/$2/pkgconfig/$3.pc" <<END
libdir=$PWD/$1/$2
includedir=$PWD/$1/include
Name: $3
Description: of a test
Version: $4
Libs: -L\${libdir} -l$3
Cflags: -I\${includedir}
END
	test -z "$5" || mkdir -p "$(dirname "$1/include/$5")"
	test -z "$5" || : >"$1/include/$5"
}

library system lib libfabric 1.17 rdma/fabric.h
library system lib pmix 4.2 pmix.h
library system lib hwloc 2.9 hwloc.h
library system lib otf2 3.0.2 otf2/otf2.h
library ofi lib64 libfabric 2.1 rdma/fabric.h
library pmix lib pmix 5.0 pmix.h
library hwloc lib/some-machine hwloc 2.11 hwloc.h
library otf2 lib otf2 3.1 otf2/otf2.h
library old lib otf2 2.3 otf2/otf2.h
library old lib libfabric 1.10 rdma/fabric.h
library headless lib pmix 5.0 ""
printf '#!/bin/sh\necho some-machine\n' >compiler
chmod +x compiler

# finds WANTED DESCRIPTION ARGUMENT...
finds()
{
	wanted=$1 description=$2
	shift 2
	PKG_CONFIG_LIBDIR=$PWD/system/lib/pkgconfig PKG_CONFIG_PATH='' FOLDERS_CC=$PWD/compiler \
		./configure "$@" >out 2>&1
	is "$wanted" "$($SED -n "s|$PWD/||g; s/  */ /g; s/ $//; s/^found: *//p
		s/^configure: error: //p" out)" "$description" || diag "$(cat out)"
}

# libs NAME FOLDER: those of the folder
libs()
{
	echo "-L$2 -l$1 -Wl,-rpath,$2"
}

ofi="yes -Lsystem/lib -llibfabric" pmix="yes -Lsystem/lib -lpmix" hwloc="yes -Lsystem/lib -lhwloc"
otf2="yes -Lsystem/lib -lotf2"
finds "$ofi | $pmix | $hwloc | $otf2" "without folders, those of the system"
finds "no | no | no | no" "or none" --without-ofi --without-pmix --without-hwloc --without-otf2
finds "yes $(libs libfabric ofi/lib64) | $pmix | $hwloc | $otf2" \
	"--with-ofi=DIR, whose folder is lib64" --with-ofi="$PWD/ofi"
finds "$ofi | yes $(libs pmix pmix/lib) | $hwloc | $otf2" "--with-pmix=DIR, from here" \
	--with-pmix=pmix
finds "$ofi | $pmix | yes $(libs hwloc hwloc/lib/some-machine) | $otf2" \
	"--with-hwloc=DIR, whose folder is one of the machine" --with-hwloc=hwloc
finds "$ofi | $pmix | $hwloc | yes $(libs otf2 otf2/lib)" "--with-otf2=DIR" --with-otf2=otf2
finds "--with-otf2=old, but there is no otf2 >= 3.0; on Debian: apt-get install \
libopen-trace-format2-dev" "an old version of that" --with-otf2=old
finds "--with-ofi=nowhere: expected yes, no, auto or a folder; it is none" "no folder" \
	--with-ofi=nowhere
finds "--with-ofi=pmix: there is no lib/pkgconfig/libfabric.pc in this folder" \
	"a folder of something else" --with-ofi=pmix
finds "--with-ofi=old, but there is no libfabric >= 1.11; on Debian: apt-get install \
libfabric-dev" \
	"an old version" --with-ofi=old
finds "--with-pmix=headless: headless/lib/pkgconfig/pmix.pc names headless/include, which has no \
pmix.h" "a folder without headers" --with-pmix=headless

done_testing
