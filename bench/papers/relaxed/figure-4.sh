# SPDX-License-Identifier: BSD-3-Clause
# figure-4.sh - g(m): the cost of a byte over the size of what each process puts to each, four ways.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/relaxed/four_ways.sh"

n=32 most=65536
test "$FORM" = full || n=3 most=1024

# rows COLUMN WAY: of gm's output, in which column 3 is classic and 5 relaxed
rows()
{
	awk -v column="$1" -v way="$2" '$1 + 0 > 0 { printf "%s,%d,%.6g,,,ns\n", way, $1, $column }'
}

# run SETTING: gm with it, of which one round is like another in virtual time
run()
{
	"$bsprun" -x "$1" -n $n --emulate sp2,cpu=0,order=1 "$BUILD/bench/gm" $most 1 || exit 1
}

echo "# network: sp2,cpu=0,order=1, emulated; $n processes; times are virtual; one run"
echo "# g is the time of a superstep over (n - 1) m bytes"
echo "$head"
run BSP_EAGER=auto >"$KEEP/eager.txt" && rows 3 classic <"$KEEP/eager.txt"
rows 5 eager <"$KEEP/eager.txt"
run BSP_EAGER=0 >"$KEEP/rel.txt" && rows 5 rel <"$KEEP/rel.txt"
run BSP_BARRIER=twophase >"$KEEP/org.txt" && rows 3 org <"$KEEP/org.txt"
