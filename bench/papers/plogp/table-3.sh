# SPDX-License-Identifier: BSD-3-Clause
# table-3.sh - the bounds of the total exchange as printed and as bspprobe has them.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/plogp/probe.sh"

n=16
test "$FORM" = full || n=3
parameters gigabit $n >parameters
echo "# $about; $n processes"
echo "$head"
awk -F, -v P=$n '
	$1 == "L" { L = $3 }
	$1 == "os" { os[$2] = $3 }
	$1 == "or" { or_[$2] = $3 }
	$1 == "g" && $2 > 0 { g[$2] = $3 }
	$1 == "exchange_lower" {
		printf "lower/as printed,%d,%g,,,us\n", $2, (P - 1) * (os[$2] + or_[$2]) + L
		printf "lower/ours,%d,%g,,,us\n", $2, $3
	}
	$1 == "exchange_upper" {
		printf "upper/as printed,%d,%g,,,us\n", $2, (P - 1) * (g[$2] + or_[$2]) + L
		printf "upper/ours,%d,%g,,,us\n", $2, $3
	}' parameters
