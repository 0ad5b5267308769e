# SPDX-License-Identifier: BSD-3-Clause
# table-1.sh - the models of broadcast as printed, those of the library, and measurements.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/plogp/probe.sh"

n=16
test "$FORM" = full || n=3
parameters gigabit $n >parameters
rows gigabit $n bcast,scatter >rows
echo "# $about; $n processes"
echo "$head"
grep -e '^operation' -e '^bcast,' rows >of-one
awk -F, -f "$SOURCE/bench/papers/plogp/formulas.awk" P=$n parameters of-one
