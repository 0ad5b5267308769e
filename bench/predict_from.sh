#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# predict_from.sh - how near bspprof predict comes from recordings of other networks.
#
# usage: bench/predict_from.sh BUILD [NPROCS...]
#
# Each program runs with barriers over shared memory and on two emulated networks, and is recorded
# each time. A row has what the run on one of these networks took, and predicted over measured time
# from the recording over shared memory, from the run's own, and from that on the other network.

set -e
build=$1
shift
test $# -gt 0 || set -- 2 4 8 16
export BSP_PLUGINS="${BSP_PLUGINS:-$build/.libs}"
tmp=$(mktemp -d)
trap 'rm -r "$tmp"' EXIT

# record NAME OPTION... PROGRAM ARGUMENT...: the recording stays in $tmp/NAME
record()
{
	recording=$1
	shift
	"$build/tools/bsprun/bsprun" -n "$nprocs" --sync classic --record "$tmp/$recording" "$@" \
		>/dev/null 2>&1
}

# predicted RECORDING NETWORK: seconds
predicted()
{
	"$build/tools/bspprof/bspprof" predict --on "$2" "$tmp/$1" |
		awk -v network="$2" '$1 == network { print $2; exit }'
}

# took RECORDING: seconds
took()
{
	"$build/tools/bspprof/bspprof" predict "$tmp/$1" | awk '/^the run took/ { print $4; exit }'
}

# rows NAME PROGRAM ARGUMENT...
rows()
{
	name=$1
	shift
	record shm --transport shm "$@" && record sp2 --emulate sp2 "$@" &&
		record gigabit --emulate gigabit "$@" || return 0
	for network in sp2 gigabit; do
		test $network = sp2 && other=gigabit || other=sp2
		echo "$(took $network) $(predicted shm $network) $(predicted $network $network)" \
			"$(predicted $other $network)" | awk -v name="$name" -v nprocs="$nprocs" \
			-v network=$network '{
				printf "| %s | %s | %s | %.4f | %.3f | %.3f | %.3f |\n", name,
					nprocs, network, $1, $2 / $1, $3 / $1, $4 / $1
			}'
	done
}

echo "| program | P | network | measured s | from shm | own | other network |"
echo "|---|---|---|---|---|---|---|"
for nprocs; do
	rows FT "$build/examples/ft" -c S
	rows LU "$build/examples/lu" S
	rows Ocean "$build/examples/ocean" -q -n 130
	rows "sample sort" "$build/examples/samplesort" 1000000
done | tee "$tmp/rows"
awk -F '|' '{
	for (i = 6; i <= 8; i++)
		good[i] += $i > 0.9 && $i < 1.1
} END {
	printf "within 10 %%: from shm %d, own %d, other network %d of %d\n", good[6], good[7],
		good[8], NR
}' "$tmp/rows"
