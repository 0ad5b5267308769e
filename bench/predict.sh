#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# predict.sh - how near bspprof predict comes to the time that a run really took.
#
# usage: bench/predict.sh BUILD [NPROCS...]
#
# Each program is recorded on emulated networks, over shared memory and over TCP, classic and
# relaxed, and its recording is simulated on the same network. A row is one run: measured and
# predicted seconds and their ratio; the last line counts the ratios within 10 %. More processes
# than processors run on emulated networks only, where time is virtual.

set -e
build=$1
shift
test $# -gt 0 || set -- 2 4 8 16 32
export BSP_PLUGINS="${BSP_PLUGINS:-$build/.libs}"
tmp=$(mktemp -d)
trap 'rm -r "$tmp"' EXIT

run()
{
	"$build/tools/bsprun/bsprun" "$@" >/dev/null 2>&1
}

# row NAME NETWORK NPROCS SYNC OPTION... -- PROGRAM ARGUMENT...
row()
{
	name=$1 network=$2 nprocs=$3 sync=$4
	shift 4
	run -n "$nprocs" --sync "$sync" --record "$tmp/rec" "$@" || return 0
	"$build/tools/bspprof/bspprof" predict "$tmp/rec" | awk -v name="$name" \
		-v network="$network" -v nprocs="$nprocs" -v sync="$sync" '
		/^the same network/ { predicted = $4 }
		/^the run took/ {
			printf "| %s | %s | %d | %s | %.6f | %.6f | %.3f |\n", name, network,
				nprocs, sync, $4, predicted, predicted / $4
		}'
}

# rows NETWORK NPROCS OPTION...
rows()
{
	network=$1 nprocs=$2
	shift 2
	class=S points=130 keys=1000000
	case $network in
	shm | tcp)
		class=W points=258 keys=10000000 ;;
	esac
	for sync in classic program; do
		row FT "$network" "$nprocs" $sync "$@" "$build/examples/ft" -c $class
		row LU "$network" "$nprocs" $sync "$@" "$build/examples/lu" $class
		row Ocean "$network" "$nprocs" $sync "$@" "$build/examples/ocean" -q -n $points
	done
	row "sample sort" "$network" "$nprocs" classic "$@" "$build/examples/samplesort" $keys
}

{
	for nprocs; do
		for network in sp2 gigabit; do
			rows $network "$nprocs" --emulate $network
		done
		test "$nprocs" -gt "$(nproc)" || {
			rows shm "$nprocs" --transport shm
			BSP_OFI_PROVIDER=tcp rows tcp "$nprocs" --transport ofi
		}
	done
} | tee "$tmp/rows"
awk -F '|' '
	$8 > 0 {
		n[$3]++
		good[$3] += $8 > 0.9 && $8 < 1.1
	}
	END {
		for (network in n)
			printf "%s: %d of %d within 10 %%\n", network, good[network], n[network]
	}' "$tmp/rows"
