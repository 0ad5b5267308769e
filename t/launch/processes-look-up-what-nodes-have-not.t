#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One process of a node looks up what other nodes exchange: the look-ups of PMIx are counted.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

has_transport ofi || skip_all "no bsp-ofi.so here"

# Before PMIx_Get of the library: counts what is asked for of the job's own values.
cat >count.c <<'END_C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int each, nodes;

int PMIx_Get(const void *of, const char *key, const void *info, size_t n, void **value)
{
	int (*real)(const void *, const char *, const void *, size_t, void **);
	void *symbol = dlsym(RTLD_NEXT, "PMIx_Get");

	if (!symbol)
		symbol = dlsym(dlopen("libpmix.so.2", RTLD_LAZY), "PMIx_Get");
	memcpy(&real, &symbol, sizeof real);
	if (!strncmp(key, "bsp.node.", 9))
		nodes++;
	else if (!strncmp(key, "bsp.", 4) && strcmp(key, "bsp.first"))
		each++;
	return real(of, key, info, n, value);
}

__attribute__((destructor)) static void tell(void)
{
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");

	if (rank && getenv("COUNTED"))
		printf("process %s: %d and %d\n", rank, each, nodes);
}
END_C
cat >prog.c <<'END_C'
#include <bsp.h>

int main(void)
{
	bsp_begin(bsp_nprocs());
	bsp_sync();
	bsp_end();
	return 0;
}
END_C
compile prog
$CC -shared -fPIC -o count.so count.c -ldl >built 2>&1 || bail "$(cat built)"

# counted N NODE: for each process what it looks up of each other one, and of nodes
counted()
{
	BSP_NODE_SIZE=$2
	export BSP_NODE_SIZE
	launched "$1" env COUNTED=yes LD_PRELOAD="$PWD/count.so" ./prog >seen
	is 0 "$(cat status)" "$1 processes, nodes of $2: status 0" || diag "$(cat err)"
	is "$1" "$(grep -c ^process seen)" "$1 processes, nodes of $2: all have counted"
	is "$3" "$(sed -n 's/.*: \([0-9]*\) and .*/\1/p' seen | sort -u)" \
		"$1 processes, nodes of $2: look-ups of one process"
	is "$4" "$(awk -v size="$2" '/^process/ { of[$2 % size != 0] += $5 }
		END { print of[0] + 0, of[1] + 0 }' seen)" \
		"$1 processes, nodes of $2: look-ups of a node, by first processes and others"
}

# Before nodes are known and share memory: that processes are there, their nodes, the memory that is
# for exchanges, and that all have it. Then two pieces of memory in the library, shm and cards, each
# offered and had; the lifeline, parameters, transport between nodes, addresses of ofi, and so on.
EARLY=4 LATER=11
for layout in "6 2" "6 3" "8 2"; do
	n=${layout% *} size=${layout#* }
	nodes=$((n / size))
	counted "$n" "$size" $((EARLY * n)) "$((LATER * nodes * (nodes - 1))) 0"
done
# on one node none has to be looked up
counted 4 4 $((EARLY * 4)) "0 0"
done_testing
