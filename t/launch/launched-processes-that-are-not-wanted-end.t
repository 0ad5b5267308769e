#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where a launcher has started more processes than bsp_begin asks for, the rest ends, whatever
# carries.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

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
compile some

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
	export BSP_TRANSPORT="$transport"
	for n in 1 2 3; do
		seen=$(launched 3 ./some "$n")
		is "$(wanted "$n")" "$seen" "$transport: $n of three" || diag "$(cat err)"
	done
done

done_testing
