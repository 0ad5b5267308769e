#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# BSP_PORTS under MPICH's mpiexec: every socket of the processes that waits for other nodes is in
# the range, and those of mpiexec are in that of MPIEXEC_PORT_RANGE.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"

test -z "$BSP_SANITIZE" || skip_all "not applicable: MPI's libraries have no sanitizers"
test "$MPICH_EXEC" || skip_all "no mpicc.mpich and mpiexec.hydra here"
has_transport ofi || skip_all "no libfabric here"
strace -o /dev/null true 2>/dev/null || skip_all "no strace here"
cd "$tap_dir" || bail "no $tap_dir"
make_nodes 2

cat >ring.c <<'END'
#include <bsp.h>
#include <stdio.h>

int main(void)
{
	int me, x = -1;

	bsp_begin(bsp_nprocs());
	me = bsp_pid();
	bsp_push_reg(&x, sizeof x);
	bsp_sync();
	bsp_put((me + 1) % bsp_nprocs(), &me, &x, 0, sizeof me);
	bsp_sync();
	printf("%d after %d\n", me, x);
	bsp_end();
	return 0;
}
END
$CC -I"$top_srcdir/include" -o ring ring.c -L"$top_builddir/.libs" \
	-Wl,-rpath,"$top_builddir/.libs" -lbsp || bail "the program does not compile"
four="0 after 3
1 after 0
2 after 1
3 after 2"

# MPICH has an option for its remote shell that the agent does not know.
cat >shell <<END
#!/bin/sh
test "\$1" != -x || shift
exec "$agent" "\$@"
END
chmod +x shell

# traced RANGE TRANSPORT: ring over both nodes, and every socket of mpiexec and all it starts
traced()
{
	rm -f trace.*
	MPIEXEC_PORT_RANGE=21000:21100
	export MPIEXEC_PORT_RANGE
	on_node node1 timeout -k 5 "$(limit 120)" strace -ff -o trace --seccomp-bpf \
		-e trace=socket,bind,listen "$MPICH_EXEC" -launcher ssh \
		-launcher-exec "$PWD/shell" -hosts $address.1,$address.2 \
		-genv BSP_PLUGINS "$top_builddir/.libs" -genv BSP_TRANSPORT "$2" \
		-genv BSP_OFI_PROVIDER tcp ${1:+-genv BSP_PORTS "$1"} \
		-genv BSP_WAIT "lifeline:$(scaled 2)" -n 4 ./ring >output 2>errors
}

# stays_inside TRANSPORT: those of mpiexec are above 21000
stays_inside()
{
	traced 20000-20100 "$1"
	is "0 $four" "$? $(sort output)" "$1: the job runs" || diag "$(cat errors)"
	none "$(outside 20000 20100 | "$AWK" '$1 < 21000 || $1 > 21100')" \
		"$1: no socket is outside of the ranges"
	n=$(ports | "$AWK" '$1 <= 20100' | wc -l)
	test "$n" -ge 4
	ok $? "$1: each process has one in that of BSP_PORTS ($n)"
}

traced "" mpi
is "0 $four" "$? $(sort output)" "without BSP_PORTS the job runs" || diag "$(cat errors)"
test "$(outside 21000 21100 | wc -l)" -ge 4
ok $? "and its sockets are anywhere, but for those of mpiexec" || diag "$(ports)"
stays_inside mpi
stays_inside ofi
stays_inside mix
done_testing
