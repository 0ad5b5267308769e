#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Built with MPICH, the transport mpi runs under MPICH's mpiexec, which knows no PMIx.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

test "$MPICH_EXEC" || skip_all "no mpicc.mpich and mpiexec.hydra here"
test -z "$BSP_SANITIZE" || skip_all "not applicable: MPI's libraries have no sanitizers"

cd "$tap_dir" || bail "no $tap_dir"
forget_settings
BSP_PLUGINS=$top_builddir/.libs
export BSP_PLUGINS

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
$CC -I"$top_srcdir/include" -o turn turn.c -L"$BSP_PLUGINS" -Wl,-rpath,"$BSP_PLUGINS" -lbsp \
	>built 2>&1
ok $? "a program compiles" || diag "$(cat built)"

options=
# turns N PROGRAM DESCRIPTION: N processes of it run, know each other, and have what they should
# have
turns()
{
	# shellcheck disable=SC2086
	timeout "$(limit)" "$MPICH_EXEC" $options -n "$1" "./$2" >out 2>err
	is 0 $? "$3: status 0" || diag "$(cat err)"
	is "$1" "$(grep -c "^[0-9]* of $1: 0 wrong\$" out)" \
		"each of them is one of $1, and has what it should have"
}

for transport in mpi auto; do
	for n in 2 3 4; do
		BSP_TRANSPORT=$transport turns "$n" turn "$n processes, transport $transport"
	done
done

sed \
	's/bsp_begin(/MPI_Init(NULL, NULL);\n&/; s/bsp_end();/&\n\tMPI_Finalize();/; 1s/^/#include <mpi.h>\n/' turn.c >both.c
"${MPICH_CC:-$MPICC}" -I"$top_srcdir/include" -o both both.c -L"$BSP_PLUGINS" \
	-Wl,-rpath,"$BSP_PLUGINS" -lbsp >built 2>&1
ok $? "a program with calls of MPI compiles with MPICH" || diag "$(cat built)"
BSP_TRANSPORT=mpi turns 3 both "3 processes that use MPI themselves"

# With a port instead of a descriptor the environment does not say how many processes there are.
options=-pmi-port
turns 3 turn "3 processes that find each other at a port"
options=

# parts NAME...: BSP_PLUGINS has only these files, each FILE or NAME=FILE
all_parts=$BSP_PLUGINS
parts()
{
	rm -rf some
	mkdir some
	for part do
		test ! -f "$all_parts/${part#*=}" || ln -s "$all_parts/${part#*=}" "some/${part%=*}"
	done
	BSP_PLUGINS=$PWD/some
}

# The names of earlier versions are found as well.
for part in mpich mpi; do
	parts "bsp-$part.so=bsp-mpi-mpich.so"
	BSP_TRANSPORT=mpi turns 2 turn "the part for MPICH as bsp-$part.so"
done

if has_transport mpi; then
	parts bsp-mpi-openmpi.so bsp-ofi.so bsp-pmix.so
	for options in "" -pmi-port; do
		# shellcheck disable=SC2086
		timeout "$(limit)" "$MPICH_EXEC" $options -n 2 ./turn >out 2>err
		test $? -ne 0 && test ! -s out
		ok $? "mpiexec $options, and a part for Open MPI: they do not work alone" ||
			diag "$(cat out err)"
		like "configure bsp with this MPICH" "$(cat err)" "and say what to do"
		is 1 "$(sort -u err | grep -c .)" "in one line" || diag "$(cat err)"
	done
fi

done_testing
