#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job that is started with standard input, output or error closed runs over every transport.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# Each process writes what it got to a file of its own, as there may be no output.
cat >ring.c <<'END'
#include <bsp.h>
#include <stdio.h>

int main(void)
{
	char name[32];
	int left = -1, me;
	FILE *file;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&left, sizeof left);
	bsp_sync();
	me = bsp_pid();
	bsp_put((me + 1) % bsp_nprocs(), &me, &left, 0, sizeof me);
	bsp_sync();
	sprintf(name, "got.%d", me);
	file = fopen(name, "w");
	fprintf(file, "%d", left);
	fclose(file);
	printf("to an output that may be closed\n");
	bsp_end();
	return 0;
}
END
bspcc -o ring ring.c || bail "the ring does not compile"

# ends_right DESCRIPTION: after "$status", that of a job of three
ends_right()
{
	is "0 201" "$status $(cat got.0 got.1 got.2 2>/dev/null)" "$*"
	rm -f got.*
}

for transport in shm ofi mpi mix; do
	has_transport $transport || continue
	BSP_TRANSPORT=$transport BSP_NPROCS=3 \
		BSP_NODE_SIZE=$(test $transport = mix && echo 2 || echo 0)
	export BSP_TRANSPORT BSP_NPROCS BSP_NODE_SIZE
	timeout -k 5 "$(limit)" ./ring <&- >/dev/null
	status=$?
	ends_right "$transport: without an input"
	timeout -k 5 "$(limit)" ./ring <&- >&-
	status=$?
	ends_right "$transport: without input and output"
	timeout -k 5 "$(limit)" ./ring <&- >&- 2>&-
	status=$?
	ends_right "$transport: without all three"
	timeout -k 5 "$(limit)" bsprun ./ring <&- >&- 2>&-
	status=$?
	ends_right "$transport: by bsprun, without all three"
	timeout -k 5 "$(limit)" bsprun --tag-output ./ring <&- >&- 2>&-
	status=$?
	ends_right "$transport: by bsprun --tag-output, without all three"
done

done_testing
