#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program of bspcc that calls nothing of the library is reported by bsprun, too.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

printf '#include <bsp.h>\nint main(void) { return 0; }\n' >nothing.c
bspcc -o nothing nothing.c || bail "the program does not compile"
is "bsp: the program ended without bsp_begin, so nothing of it ran in parallel (bsprun -n 2)" \
	"$(bsprun -n 2 ./nothing 2>&1)" "a program that calls nothing at all"
is "" "$(./nothing 2>&1)" "without bsprun it ends in silence"

done_testing
