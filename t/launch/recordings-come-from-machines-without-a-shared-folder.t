#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A recording of launched processes is one file, whether they share a folder or not.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

cat >ring.c <<'END'
#include <bsp.h>

static char data[3000];

int main(void)
{
	int right;

	bsp_begin(bsp_nprocs());
	right = (bsp_pid() + 1) % bsp_nprocs();
	bsp_push_reg(data, sizeof data);
	bsp_sync();
	for (int i = 0; i < 3000; i++) {
		bsp_put(right, data, data, 0, i);
		bsp_sync();
	}
	bsp_end();
	return 0;
}
END
compile ring -g
cat >each.sh <<'END'
mkdir -p "$OMPI_COMM_WORLD_RANK" && cd "$OMPI_COMM_WORLD_RANK" && exec ../ring
END

# recorded FOLDER WHAT: the recording there has all processes, and no part is left anywhere
recorded()
{
	is 0 "$(cat status)" "$2: status 0" || diag "$(cat err)"
	none "$(cat err)" "$2: without a complaint"
	is "./$1/r.rec" "$(find . -name 'r.rec*' | sed 's,^\./r,././r,')" "$2: one file"
	like '^ring: 3 processes, .* 3002 supersteps' \
		"$("$top_builddir/tools/bspprof/bspprof" "$1/r.rec")" "$2: of all processes"
	rm -rf 0 1 2 r.rec*
}

export BSP_RECORD=r.rec BSP_NODE_SIZE=1
for transport in ofi mpi mix; do
	BSP_TRANSPORT=$transport launched 3 sh each.sh
	recorded 0 "folders of their own, $transport"
done
launched 3 ./ring
recorded . "a folder for all"
BSP_NODE_SIZE=0 launched 3 ./ring
recorded . "processes of one machine"

done_testing
