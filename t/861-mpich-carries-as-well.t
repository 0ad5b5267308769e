#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 861 - built with MPICH, the transport mpi runs under MPICH's mpiexec, which knows no PMIx.
# shellcheck disable=SC2046,SC2154

. "${0%/*}/env.sh"

MPICC=$(command -v mpicc.mpich) || skip_all "no MPICH (mpicc.mpich)"
MPIEXEC=$(command -v mpiexec.hydra) || skip_all "no mpiexec.hydra"
test -z "$BSP_SANITIZE" || skip_all "a part without sanitizers does not fit"

cd "$tap_dir" || bail "no $tap_dir"
for setting in $(sed -n 's/.*"\(BSP_[A-Z_]*\)".*/\1/p' "$top_srcdir/bsplib/env.def"); do
	unset "$setting"
done

mkdir parts
$CC -std=c11 -D_GNU_SOURCE -O1 -fPIC -shared -fvisibility=hidden -I"$top_srcdir" -I"$top_srcdir/include" \
	-o parts/bsp-mpi.so $(find "$top_srcdir/transport/mpi" -name '*.c' ! -name mpi_host.c) \
	$("$MPICC" -compile_info | sed 's/^[^ ]* //') $("$MPICC" -link_info | sed 's/^[^ ]* //') -pthread >built 2>&1
ok $? "the part compiles with MPICH" || diag "$(cat built)"

cat >turn.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 100000 };

/* Large and small to the right, with and without barriers. */
int main(void)
{
	long *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), x = -1, wrong = 0;

	bsp_begin(bsp_nprocs());
	long p = bsp_nprocs(), me = bsp_pid(), left = (me + p - 1) % p;
	for (long i = 0; i < N; i++)
		a[i] = me * N + i;
	bsp_push_reg(b, N * sizeof *b);
	bsp_push_reg(&x, sizeof x);
	bsp_sync();
	bsp_put((me + 1) % p, a, b, 0, N * sizeof *a);
	bsp_sync();
	for (long i = 0; i < N; i++)
		wrong += b[i] != left * N + i;
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	for (long s = 0; s < 100; s++) {
		long v = 100 * me + s;

		bsp_put((me + 1) % p, &v, &x, 0, sizeof v);
		bsp_sync();
		bsp_read(&x, 1);
		wrong += x != 100 * left + s;
	}
	printf("%ld of %ld: %ld wrong\n", me, p, wrong);
	bsp_end();
	return 0;
}
END
$CC -I"$top_srcdir/include" -o turn turn.c -L"$top_builddir/.libs" -Wl,-rpath,"$top_builddir/.libs" -lbsp >built 2>&1
ok $? "a program compiles" || diag "$(cat built)"

BSP_PLUGINS=$PWD/parts
export BSP_PLUGINS
for n in 2 3 4; do
	for transport in mpi auto; do
		BSP_TRANSPORT=$transport timeout 60 "$MPIEXEC" -n "$n" ./turn >out 2>err
		is 0 $? "$n processes, transport $transport: status 0" || diag "$(cat err)"
		is "$n" "$(grep -c "^[0-9]* of $n: 0 wrong\$" out)" "each of them is one of $n, and has what it should have"
	done
done

BSP_PLUGINS=$top_builddir/.libs
if test -f "$BSP_PLUGINS/bsp-mpi.so" && command -v mpirun >/dev/null; then
	timeout 60 "$MPIEXEC" -n 2 ./turn >out 2>err
	test $? -ne 0 && test ! -s out
	ok $? "with a part made for another MPI they do not work alone" || diag "$(cat out err)"
	like "start it with mpirun of Open MPI" "$(cat err)" "and say what to do"
fi

done_testing
