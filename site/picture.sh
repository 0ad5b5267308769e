#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# picture.sh - the picture of README: six steps of examples/heat.c with barriers and relaxed.

#	picture.sh SOURCES BUILD INTO [NETWORK [RUNS]]
#
# Each way is recorded RUNS times on an emulated network, in turn; the run that took the median of
# virtual time is what is drawn. INTO/relaxed.csv has its times, INTO/relaxed.svg is the picture.
# The ones in the tree are site/relaxed.csv and doc/relaxed.svg.

set -e
export LC_ALL=C
sources=$1 build=$2 into=$3 network=${4:-gigabit} runs=${5:-5}
points=300 steps=10 from=3 to=8

BSP_INCLUDEDIR=$sources/include
BSP_LIBDIR=$build/.libs
PATH=$build/tools/bspcc:$build/tools/bsprun:$build/tools/bspprof:$PATH
export BSP_INCLUDEDIR BSP_LIBDIR PATH
mkdir -p "$into"
work=$(mktemp -d "$into/picture.XXXXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$sources/examples/heat.c" "$work"
(cd "$work" && bspcc -O2 -o heat heat.c)

# slices WAY TIMELINE: "way,process,kind,begin,took" of the steps that are drawn, in microseconds
# from the first beginning. A step ends with its second bsp_read; slices below 3 us are too short
# to be seen.
slices()
{
	awk -F '[:,]' -v way="$1" -v from=$from -v to=$to '
		!/"ph":"X"/ { next }
		{
			step = int(reads[$6] / 2) + 1
			kind = substr($8, 2, length($8) - 2)
			reads[$6] += kind == "read"
		}
		step >= from && step <= to && $12 >= 3 {
			n++
			process[n] = $6; what[n] = kind; begin[n] = $10; took[n] = $12
			if (n == 1 || $10 < first)
				first = $10
		}
		END {
			for (i = 1; i <= n; i++)
				printf "%s,%d,%s,%.3f,%.3f\n", way, process[i], what[i],
					begin[i] - first, took[i]
		}' "$2"
}

# end_of FILE: when the last process is through
end_of()
{
	awk -F , '$4 + $5 > end { end = $4 + $5 } END { printf "%.3f\n", end }' "$1"
}

# median WAY: the file of the run that took the median
median()
{
	for file in "$work/$1".*; do
		echo "$(end_of "$file") $file"
	done | sort -n | sed -n "$(((runs + 1) / 2))s/[^ ]* //p"
}

cd "$work"
run=0
while test $run -lt "$runs"; do
	run=$((run + 1))
	for way in classic relaxed; do
		option=
		test $way = classic || option=-r
		# shellcheck disable=SC2086
		bsprun -n 8 --emulate "$network" --trace "timeline.$way" \
			./heat $option $points $steps >heat.pgm
		slices $way "timeline.$way" >"$way.$run"
	done
done
{
	echo "# date: $(date -u +%Y-%m-%d)"
	echo "# command: bsprun -n 8 --emulate $network --trace FILE ./heat [-r] $points $steps"
	echo "# steps: $((to - from + 1))"
	echo "way,process,kind,begin,took"
	cat "$(median classic)" "$(median relaxed)"
} >"$into/relaxed.csv"
"$build/site/lanes" <"$into/relaxed.csv" >"$into/relaxed.svg"
