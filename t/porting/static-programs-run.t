#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspcc -static links programs that run on one machine, bound to cores as others are, or says why
# not.
# shellcheck disable=SC1090,SC2034,SC2154

# In namespaces of its own: processors to which a job of another test has bound processes are left
# out, so that two runs beside such a job differ.
script=$(readlink -f "$0")
. "${script%/*}/../lib/alone.sh"
. "$top_srcdir/t/lib/installed.sh"

echo 'int main(void) { return 0; }' >nothing.c
test -z "$BSP_SANITIZE" || skip_all "not applicable: sanitizers cannot be linked statically"
$CC -static -o nothing nothing.c 2>/dev/null || skip_all "no static C library here"
test -e "$libdir/libbsp.a" || skip_all "no static library was built"

cat >where.c <<'END'
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <bsp.h>
#include <sched.h>
#include <stdio.h>
int main(void)
{
	cpu_set_t set;
	int sum = 0, me;

	bsp_begin(bsp_nprocs());
	me = bsp_pid();
	bsp_push_reg(&sum, sizeof sum);
	bsp_sync();
	bsp_put(0, &me, &sum, 0, bsp_pid() == bsp_nprocs() - 1 ? sizeof sum : 0);
	bsp_sync();
	sched_getaffinity(0, sizeof set, &set);
	printf("process %d of %d, sum %d, may use", me, bsp_nprocs(), sum);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			printf(" %d", i);
	printf("\n");
	bsp_end();
	return 0;
}
END
bspcc -o shared where.c
for how in -static -static-pie; do
	$CC $how -o nothing nothing.c 2>/dev/null || { skip "no $how here"; continue; }
	seen=$(bspcc $how -o static where.c 2>&1)
	is "0 " "$? $seen" "$how links without a complaint"
	like 'static|not a dynamic' "$(LC_ALL=C ldd ./static 2>&1)" "it needs no shared library"
	for n in 1 2 3; do
		is "$(runs -n $n ./shared)" "$(runs -n $n ./static)" "$how on $n processes"
	done
	is "$(runs -n 2 --bind core ./shared)" "$(runs -n 2 --bind core ./static)" \
		"$how: the same cores"
	is "$(runs -n 5 --bind none ./shared)" "$(runs -n 5 --bind none ./static)" \
		"$how: more processes than cores"
done
bspcxx -x c++ -static -o static where.c
ok $? "bspcxx -static links"
is "$(runs -n 2 ./shared)" "$(runs -n 2 ./static)" "and it runs"

# No network can be loaded, and a program that a launcher has started does not take itself for the
# only one.
like \
	'^bsp_begin: transport ofi cannot be used: the program is linked statically and cannot load bsp-ofi.so; link it without -static' \
	"$(BSP_NPROCS=2 BSP_TRANSPORT=ofi ./static 2>&1)" "a network is refused"
like 'the program is linked statically and cannot load bsp-pmix.so' \
	"$(PMIX_RANK=0 PMIX_NAMESPACE=x PMIX_SERVER_URI2=y OMPI_COMM_WORLD_SIZE=2 \
	OMPI_COMM_WORLD_RANK=0 ./static 2>&1)" \
	"a launcher is refused"

mkdir empty && : >empty/libbsp.so
seen=$(BSP_LIBDIR=$PWD/empty bspcc -static -o static where.c 2>&1)
is "1 bspcc: -static: there is no $PWD/empty/libbsp.a; configure --enable-static builds it" \
	"$? $seen" \
	"without a static library bspcc says so"

done_testing
