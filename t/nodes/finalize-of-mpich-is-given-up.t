#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On two hosts under MPICH's mpiexec, where MPI_Finalize does not return, the program goes on after
# bsp_end, ends with its own status, and one line says so.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"

test -z "$BSP_SANITIZE" || skip_all "not applicable: MPI's libraries have no sanitizers"
test "$MPICH_EXEC" || skip_all "no mpicc.mpich and mpiexec.hydra here"
cd "$tap_dir" || bail "no $tap_dir"
make_nodes 2

cat >end.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int me, x = -1;

	bsp_begin(bsp_nprocs());
	me = bsp_pid();
	bsp_push_reg(&x, sizeof x);
	bsp_sync();
	bsp_put((me + 1) % bsp_nprocs(), &me, &x, 0, sizeof me);
	bsp_sync();
	bsp_end();
	printf("%d after %d\n", me, x);
	return argc > 1 ? atoi(argv[1]) : 0;
}
END
$CC -I"$top_srcdir/include" -o end end.c -L"$top_builddir/.libs" \
	-Wl,-rpath,"$top_builddir/.libs" -lbsp || bail "the program does not compile"
# A process waits as in the MPI_Finalize that hangs: in calls that can be cancelled.
$CC -shared -fPIC -o hang.so -x c - <<'END' || bail "the library does not compile"
#include <unistd.h>

int MPI_Finalize(void)
{
	for (;;)
		pause();
}
END

# MPICH has an option for its remote shell that the agent does not know.
cat >shell <<END
#!/bin/sh
test "\$1" != -x || shift
exec "$agent" "\$@"
END
chmod +x shell

on_node node1 timeout -k 5 "$(limit 120)" "$MPICH_EXEC" -launcher ssh -launcher-exec "$PWD/shell" \
	-hosts $address.1,$address.2 -genv BSP_PLUGINS "$top_builddir/.libs" \
	-genv LD_PRELOAD "$PWD/hang.so" -genv BSP_WAIT "lifeline:$(scaled 2)" -n 4 ./end 7 \
	>output 2>errors
is 7 $? "the job ends with the status of its processes" || diag "$(cat errors)"
is "0 after 3
1 after 0
2 after 1
3 after 2" "$(sort output)" "all is written that is written after bsp_end"
line="MPI_Finalize of MPICH did not return within lifeline of BSP_WAIT; it is no longer waited for"
is "bsp: $line" "$(grep '^bsp' errors)" "and one line says so"

done_testing
