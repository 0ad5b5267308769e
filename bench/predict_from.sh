#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# predict_from.sh - how near bspprof predict comes from recordings of other networks.
#
# usage: bench/predict_from.sh BUILD [NPROCS...]
#
# Each program runs with barriers over shared memory and on two emulated networks, and is recorded
# each time, in ROUNDS rounds (5). A row has what the run on one of these networks took, by how much
# the rounds differ, and predicted over measured time from the recording over shared memory, from
# the run's own, and from that on the other network: of medians of the rounds. PROGRAMS are those
# that run (FT LU Ocean sort), KEYS how many keys are sorted.

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

# row NAME NETWORK: of what the rounds have left in $tmp/NETWORK
row()
{
	for column in 1 2 3 4; do
		cut -d ' ' -f $column "$tmp/$2" | sort -g | tr '\n' ' '
		echo
	done | awk -v name="$1" -v nprocs="$nprocs" -v network="$2" '
		{
			median[NR] = ($int((NF + 1) / 2) + $int(NF / 2 + 1)) / 2
			apart[NR] = 100 * ($NF - $1) / median[NR]
		} END {
			printf "| %s | %s | %s | %.4f | %.0f %% | %.3f | %.3f | %.3f |\n", name,
				nprocs, network, median[1], apart[1], median[2] / median[1],
				median[3] / median[1], median[4] / median[1]
		}'
}

# rows NAME PROGRAM ARGUMENT...
rows()
{
	name=$1
	shift
	rm -f "$tmp/sp2" "$tmp/gigabit"
	for _ in $(seq "${ROUNDS:-5}"); do
		record shm.rec --transport shm "$@" && record sp2.rec --emulate sp2 "$@" &&
			record gigabit.rec --emulate gigabit "$@" || return 0
		for network in sp2 gigabit; do
			test $network = sp2 && other=gigabit || other=sp2
			echo "$(took $network.rec) $(predicted shm.rec $network)" \
				"$(predicted $network.rec $network)" \
				"$(predicted $other.rec $network)" >>"$tmp/$network"
		done
	done
	row "$name" sp2
	row "$name" gigabit
}

echo "| program | P | network | measured s | rounds differ by | from shm | own | other network |"
echo "|---|---|---|---|---|---|---|---|"
for nprocs; do
	for program in ${PROGRAMS:-FT LU Ocean sort}; do
		case $program in
		FT) rows FT "$build/examples/ft" -c S ;;
		LU) rows LU "$build/examples/lu" S ;;
		Ocean) rows Ocean "$build/examples/ocean" -q -n 130 ;;
		sort) rows "sample sort" "$build/examples/samplesort" "${KEYS:-1000000}" ;;
		esac
	done
done | tee "$tmp/rows"
awk -F '|' '{
	for (i = 7; i <= 9; i++)
		good[i] += $i > 0.9 && $i < 1.1
} END {
	printf "within 10 %%: from shm %d, own %d, other network %d of %d\n", good[7], good[8],
		good[9], NR
}' "$tmp/rows"
