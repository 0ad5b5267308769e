#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Processes with different versions of the library do not begin, and print which has which.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
archive=$(find "$top_builddir" -name libbsp_all.a | head -n 1)
test "$archive" || skip_all "no archive of the library in the build"
make_nodes 2
write_ring ring.c
ours=$(bspcc --version | sed -n '1s/.*(bsp) //p')

# The programs differ in the library alone, and have the build-id of one, so that is what is compared.
one_program=-Wl,--build-id=0x6273702d72696e67

# build_with VERSION PROTOCOL PROGRAM: a ring with a library of its own that takes itself for that
build_with()
{
	copy=$tap_dir/library.$3
	mkdir "$copy"
	cp "$archive" "$copy/libbsp.a"
	cp "$top_srcdir/job/launch/handshake.c" "$copy"
	sed "s/BSPJ_PROTOCOL = [0-9]*/BSPJ_PROTOCOL = $2/" \
		"$top_srcdir/job/launch/handshake.h" >"$copy/handshake.h"
	sed "s/^\(#define PACKAGE_VERSION\).*/\1 \"$1\"/" "$top_builddir/config.h" >"$copy/config.h"
	$BSP_CC $CFLAGS -std=gnu11 -D_GNU_SOURCE -fPIC -pthread -fvisibility=hidden -I"$copy" \
		-I"$top_srcdir" -c "$copy/handshake.c" -o "$copy/libbsp_all_la-handshake.o" &&
		ar r "$copy/libbsp.a" "$copy/libbsp_all_la-handshake.o" 2>/dev/null &&
		BSP_LIBDIR=$copy bspcc -O2 $one_program -o "$3" ring.c || bail "$3 does not compile"
}

protocol=$(sed -n 's/.*BSPJ_PROTOCOL = \([0-9]*\).*/\1/p' \
	"$top_srcdir/job/launch/handshake.h")
bspcc -O2 $one_program -o ring ring.c || bail "ring does not compile"
build_with "$ours" "$protocol" same
build_with 99.7 "$protocol" newer
build_with "$ours" 77 incompatible

# job PROGRAM0 PROGRAM1: one process on each node
job()
{
	on_node node1 timeout -k 5 "$(limit)" "$MPIRUN" -x BSP_PLUGINS="$plugins" -H node1 -n 1 "./$1" : \
		-x BSP_PLUGINS="$plugins" -H node2 -n 1 "./$2" >output 2>errors
	status=$?
}

# is_refused REASON PROGRAM0 PROGRAM1
is_refused()
{
	reason=$1
	shift
	job "$@"
	test $status -ne 0 && test $status -ne 124
	ok $? "$1 and $2: a status that is not 0 ($status)"
	is "" "$(cat output)" "$1 and $2: the program does not run"
	like "^bsp_begin: $reason; install the same everywhere" "$(cat errors)" \
		"$1 and $2: both versions and hosts are named"
	is 1 "$(grep -c '^bsp' errors)" "$1 and $2: once"
}

job ring same
is "0 after 1, size 4
1 after 0, size 4" "$(cat errors; sort output)" "two libraries of one version go together"

is_refused \
	"process 1 on node2 uses bsp 99\.7 \(protocol $protocol\), process 0 on node1 uses $ours \($protocol\)" ring newer
is_refused \
	"process 1 on node2 uses bsp $ours \(protocol $protocol\), process 0 on node1 uses 99\.7 \($protocol\)" newer ring
is_refused \
	"process 1 on node2 uses bsp $ours \(protocol 77\), process 0 on node1 uses $ours \($protocol\)" ring incompatible

none "$(left_on node1; left_on node2)" "nothing stays behind"
none "$(files_left)" "no file either"

done_testing
