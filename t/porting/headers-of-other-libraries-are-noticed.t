#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that carries another library's bsp.h or mcbsp.h says so when it begins, once, and goes
# on; programs with our headers say nothing, however they call.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

notice='bsp_begin: the program was compiled with a bsp.h or mcbsp.h of another library; its sizes '\
'must be int, so remove or rename that file, and ours is found'

cat >mcbsp.h <<'END'
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void bsp_begin(unsigned int p);
void bsp_end(void);
unsigned int bsp_pid(void);
unsigned int bsp_nprocs(void);
#ifdef __cplusplus
}
#endif
END
cat >copy.c <<'END'
#include "mcbsp.h"
#include <stdio.h>
int main(void)
{
	bsp_begin(bsp_nprocs());
	printf("%d\n", (int)bsp_pid());
	bsp_end();
	return 0;
}
END
wanted="0
1
$notice"
bspcc -o copy copy.c
is "$wanted" "$(runs -n 2 ./copy | sed 's/ (process.*//')" "a copy beside the source is noticed"
cp copy.c copy.cc
bspcxx -o copy copy.cc
is "$wanted" "$(runs -n 2 ./copy | sed 's/ (process.*//')" "in C++"
bspcc -c copy.c
echo '#include <bsp.h>
void other(void);
void other(void) { bsp_begin(1); }' >ours.c
bspcc -o copy ours.c copy.o
is "$wanted" "$(runs -n 2 ./copy | sed 's/ (process.*//')" "also beside objects with our header"

rm mcbsp.h
for options in "" --mcbsp -DMCBSP_COMPATIBILITY_MODE -DBSP_NO_CALL_SITES; do
	bspcc $options -o copy copy.c
	is "0
1" "$(runs -n 2 ./copy)" "nothing is said with our mcbsp.h${options:+ and $options}"
	bspcxx $options -o copy copy.cc
	is "0
1" "$(runs -n 2 ./copy)" "and in C++"
done
sed 's/bsp_begin(/(*\&bsp_begin)(/; s/mcbsp.h/bsp.h/' copy.c >pointer.c
bspcc -o copy pointer.c
is "0
1" "$(runs -n 2 ./copy)" "nor if the function is called by a pointer"

done_testing
