#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where a launcher has started more processes than bsp_begin asks for, the rest ends, whatever
# carries.
# shellcheck disable=SC2046,SC2154

. "${0%/*}/../lib/env.sh"

test "$MPIRUN" || skip_all "no mpirun of Open MPI here"
has_plugin pmix || skip_all "no libpmix here"
test -z "$BSP_SANITIZE" ||
	skip_all "not applicable: libraries that are loaded later have no sanitizers"

cd "$tap_dir" || bail "no $tap_dir"
for setting in $(sed -n 's/.*"\(BSP_[A-Z_]*\)".*/\1/p' "$top_srcdir/common/env.def"); do
	unset "$setting"
done
BSP_PLUGINS=$top_builddir/.libs
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export BSP_PLUGINS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

cat >some.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int x = -1, me;

	bsp_begin(argc > 1 ? atoi(argv[1]) : 1);
	me = bsp_pid();
	bsp_push_reg(&x, sizeof x);
	bsp_sync();
	bsp_put((me + 1) % bsp_nprocs(), &me, &x, 0, sizeof me);
	bsp_sync();
	printf("%d of %d after %d\n", me, (int)bsp_nprocs(), x);
	bsp_end();
	return 0;
}
END
$CC -I"$top_srcdir/include" -o some some.c -L"$top_builddir/.libs" \
	-Wl,-rpath,"$top_builddir/.libs" -lbsp >built 2>&1
ok $? "a program compiles" || diag "$(cat built)"

# wanted N: what N processes say
wanted()
{
	for p in $(seq 0 $(($1 - 1))); do
		echo "$p of $1 after $(((p + $1 - 1) % $1))"
	done
}

for transport in auto shm mix ofi mpi; do
	test "$transport" = auto || test "$transport" = shm || test "$transport" = mix ||
		has_transport "$transport" || continue
	for n in 1 2 3; do
		seen=$(BSP_TRANSPORT=$transport timeout "$(limit)" "$MPIRUN" --oversubscribe \
			-n 3 ./some \
			"$n" 2>err | sort)
		is "$(wanted "$n")" "$seen" "$transport: $n of three" || diag "$(cat err)"
	done
done

done_testing
