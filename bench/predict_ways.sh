#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# predict_ways.sh - how near bspprof predict comes to runs in four ways to end supersteps.
#
# usage: bench/predict_ways.sh BUILD [NPROCS...]
#
# Each program is run in each way of bsprun --compare --ways on sp2,cpu=0,order=1, where times are
# virtual and repeat. All four are predicted from the recording of the relaxed run. A row has
# predicted over measured time for each way, and the measured milliseconds.

set -e
build=$1
shift
test $# -gt 0 || set -- 4 8 16 32
export BSP_PLUGINS="${BSP_PLUGINS:-$build/.libs}"
tmp=$(mktemp -d)
trap 'rm -r "$tmp"' EXIT
network=sp2,cpu=0,order=1

# took WAY SETTING PROGRAM ARGUMENT...: seconds; the recording stays in $tmp/WAY
took()
{
	way=$1 setting=$2
	shift 2
	"$build/tools/bsprun/bsprun" -n "$nprocs" --emulate $network -x "$setting" \
		--record "$tmp/$way" "$@" >/dev/null 2>&1 || return 1
	"$build/tools/bspprof/bspprof" "$tmp/$way" |
		sed -n 's/.* supersteps, \([0-9.]*\) s$/\1/p'
}

# row NAME PROGRAM ARGUMENT...
row()
{
	name=$1
	shift
	org=$(took org BSP_BARRIER=twophase "$@") || return 0
	classic=$(took classic BSP_SYNC=classic "$@")
	rel=$(took rel BSP_EAGER=0 "$@")
	eager=$(took eager BSP_EAGER=auto "$@")
	"$build/tools/bspprof/bspprof" predict "$tmp/eager" | awk -v name="$name" \
		-v nprocs="$nprocs" -v took="$org $classic $rel $eager" '
		BEGIN { split(took, run) }
		/^as published/ { published = 1 }
		/^the same network/ && !published { ps[4] = $4; ps[2] = $5 }
		/^the same network/ && published { ps[1] = $4; ps[3] = $5 }
		END {
			printf "| %s | %d |", name, nprocs
			for (i = 1; i <= 4; i++)
				printf " %.3f (%.1f) |", ps[i] / run[i], run[i] * 1e3
			printf "\n"
		}'
}

echo "| program | P | org | classic | rel | eager |"
echo "|---|---|---|---|---|---|"
for nprocs; do
	row "FT S" "$build/examples/ft" -c S
	row "Ocean, 34 points" "$build/examples/ocean" -q -n 34
	row "LU S, 5 iterations" "$build/examples/lu" -i 5 S
done
