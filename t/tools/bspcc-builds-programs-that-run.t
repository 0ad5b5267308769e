#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What bspcc and bspcxx build runs, and building leaves only what was asked for.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

ring="0 after 1, size 4
1 after 0, size 4"
mc_ring="0 after 1, size 8
1 after 0, size 8"

write_ring ring.c
bspcc -Wall -Werror -o ring ring.c
ok $? "C compiles without a warning"
is "$ring" "$(runs -n 2 ./ring)" "and runs, without LD_LIBRARY_PATH"
bspcc --mcbsp -Wall -Werror -o ring ring.c
is "$mc_ring" "$(runs -n 2 ./ring)" "C with --mcbsp"

cp ring.c ring.cc
bspcxx -Wall -Werror -o ring ring.cc
ok $? "C++ compiles without a warning"
is "$ring" "$(runs -n 2 ./ring)" "and runs"
echo '#include <iostream>
int main() { std::cout << "linked" << std::endl; bsp_abort("%s", ""); }' | cat ring.cc - |
	sed 's/int main(int/int other(int/' >both.cc
bspcc -o both both.cc
like '^linked' "$(./both 2>/dev/null)" "bspcc links C++"
rm both both.cc
bspc++ --mcbsp -o ring ring.cc
is "$mc_ring" "$(runs -n 2 ./ring)" "C++ with --mcbsp"
rm -f ring*

mkdir "my dir"
write_ring "my dir/my ring.c"
bspcc -o "my dir/my ring" "my dir/my ring.c"
is "$ring" "$(runs -n 2 "./my dir/my ring")" "blanks in paths"
rm -r "my dir"

write_ring ring.c
bspcc -MD -MF deps.d -o ring ring.c
ok $? "-MD compiles and links"
is "deps.d ring ring.c" "$(echo *)" "-MD leaves the dependencies and nothing else"
like 'bsp\.h' "$(cat deps.d)" "the dependencies name bsp.h"
rm -f ring* deps.d

write_ring ring.c
bspcc -MD -c ring.c
is "ring.c ring.d ring.o" "$(echo *)" "-MD -c leaves object and dependencies"
bspcc -o ring ring.o
is "$ring" "$(runs -n 2 ./ring)" "compiled and linked in two steps"
rm -f ring*

cat >main.c <<'END'
#include <bsp.h>
#include <stdio.h>
extern size_t sum_of_pids(void);
int main(void)
{
	bsp_begin(bsp_nprocs());
	size_t sum = sum_of_pids();
	if (bsp_pid() == 0)
		printf("sum %d\n", (int)sum);
	bsp_end();
	return 0;
}
END
cat >sum.c <<'END'
#include <bsp.h>
extern size_t sum_of_pids(void);
size_t sum_of_pids(void)
{
	size_t sum = 0, pid = bsp_pid();
	for (bsp_pid_t to = 0; to < bsp_nprocs(); to++)
		bsp_send(to, NULL, &pid, sizeof pid);
	bsp_sync();
	bsp_nprocs_t n;
	bsp_size_t nbytes;
	for (bsp_qsize(&n, &nbytes); n > 0; n--) {
		size_t one;
		bsp_move(&one, sizeof one);
		sum += one;
	}
	return sum;
}
END
bspcc -c main.c && bspcc --mcbsp -c sum.c && bspcc -o sum main.o sum.o
is "sum 3" "$(runs -n 3 ./sum)" "objects of both interfaces in one program"

bspcc -E ring.c >/dev/null 2>&1
ok $((! $?)) "the compiler's failure is ours"

if test -e "$top_builddir/.libs/libbsp.so"; then
	write_ring ring.c
	BSP_INCLUDEDIR=$top_srcdir/include
	BSP_LIBDIR=$top_builddir/.libs
	"$top_builddir/tools/bspcc/bspcc" -o ring ring.c
	is "$ring" "$(runs -n 2 ./ring)" \
		"bspcc of the build tree with the library of the build tree"
else
	skip "bspcc of the build tree: no shared library there"
fi

done_testing
