#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every command line in the EXAMPLES of the manual pages of section 1 runs.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/relaxed-ring.sh"

# The pages speak of a program ring, and of one with relaxed barriers; some of them run
# them before they build them.
write_ring ring.c
cp ring.c ring.cc
sed -n '/^program ring/,/^end program/p' "$top_srcdir/man/bsp_fortran.7" >ring.f90
bspcc -o ring ring.c || bail "the program of the examples does not compile"
write_relaxed relaxed.c
bspcc -o relaxed relaxed.c || bail "the program with relaxed barriers does not compile"

# run_line COMMAND: what it says is in the file output
run_line()
{
	(
		# cc is the compiler with which the library goes
		cc() { $BSP_CC "$@"; }
		eval "$1"
	) >output 2>&1 </dev/null
}

pages=0
for page in "$top_srcdir"/man/*.1; do
	grep -q '^\.so ' "$page" && continue
	pages=$((pages + 1))
	sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE ALSO/s/^\$ //p' "$page" >lines
	test -s lines
	ok $? "${page##*/} has examples"
	while read -r line; do
		case $BSP_SANITIZE$line in
		*bspfc*|*ring-fortran*)
			test -x "$bindir/bspfc" && test -z "$BSP_SANITIZE" || {
				skip "not applicable: $line: no bspfc, or one with sanitizers"
				continue
			} ;;
		*.otf2*)
			has_plugin otf2 || {
				skip "not applicable: $line: no bsp-otf2.so"
				continue
			} ;;
		-*BSP_CC=*)
			skip "$line: a library with sanitizers needs its own compiler"
			continue ;;
		*pkg-config*)
			test -e "$libdir/libbsp.so" || {
				skip "$line: only a static library was built"
				continue
			} ;;
		esac
		run_line "$line"
		ok $? "$line" || diag "$(cat output)"
	done <lines
done
test -s "$tap_dir/config/bsp/params.json"
ok $? "what an example saves stays in the folder of the test"
test "$pages" -ge 4
ok $? "$pages pages of commands have examples"

done_testing
