#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bench/layouts.sh measures on simulated nodes, and its table has a line for each figure.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/built.sh"

test -z "$BSP_SANITIZE" || skip_all "not applicable: programs are sanitized"
has_plugin pmix || skip_all "no libpmix here"
test -x "$top_builddir/bench/mpibench" || skip_all "no mpicc here"
test -x "$top_builddir/bench/netofi" || skip_all "no libfabric here"
command -v ip >/dev/null || skip_all "no ip here"
mpirun --version 2>/dev/null | grep -q 'Open MPI\|OpenRTE' || skip_all "no mpirun of Open MPI here"
unshare --map-root-user --net --mount --pid --fork ip link add bridge0 type bridge 2>/dev/null ||
	unshare --net --mount --pid --fork ip link add bridge0 type bridge 2>/dev/null ||
	skip_all "no namespaces and bridges here"
forget_settings

said=$(BUILD=$top_builddir ROUNDS=1 BATCH=200 SECONDS_EACH=1 CROWDS=2 HALOS=4 \
	MILLION=1024 timeout -k 5 "$(limit 300)" sh "$top_srcdir/bench/layouts.sh" 2x2 2>&1)
is 0 "$?" "layouts.sh" || diag "$said"

# has WHAT SEEN: a line of the table
has()
{
	like "^\\| $1 \\| [^|]+ \\| $2 \\| (yes|NO) \\|\$" "$said" "$1"
}

us='[0-9.]+ \([0-9.]+ to [0-9.]+\) us'
has "bsp_sync, 2x2" "$us; shm of all $us, one process a node $us: [0-9.]+ times"
has "bsp_sync, 2x2" "$us: [0-9.]+ times"
for row in allreduce-8 allreduce-64K bcast-1M exchange-1K; do
	has "$row, 2x2" "$us, MPI $us: [0-9.]+ times"
done
own="simulated [1-9][0-9.]* us, with a processor for each process [1-9][0-9.]*"
for row in "allreduce-8 by reduce-bcast" "allreduce-64K by reduce-bcast" "bcast-1M by binomial" \
	"exchange-1K by direct-rotated"; do
	has "$row\\+nodes, 2x2" "[0-9.]+ us, $own"
done
# Two nodes send one message each in a round; other traffic is little, and it may be less in the
# longer of both jobs.
has "messages between nodes for a bsp_sync, 2x2" "(1\\.9|2\\.)[0-9]+ segments of TCP with data"
for row in halo-8 halo-1K; do
	has "$row, 4 neighbours, 4 processes" \
		"[0-9]+ us, bare [0-9]+: [0-9.]+ \\([0-9.]+ to [0-9.]+\\)"
done
has "goalc sim, two-level barrier of 1024 processes on 8 nodes" "[0-9.]+ s"
has "bsp_sync by dissemination\\+nodes, 2x2" "[0-9.]+ us, $own"

done_testing
