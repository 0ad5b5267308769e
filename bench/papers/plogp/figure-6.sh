# SPDX-License-Identifier: BSD-3-Clause
# figure-6.sh - small broadcasts: are they slower than the models say?
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/plogp/probe.sh"

n=16
test "$FORM" = full || n=3
echo "# panel gigabit: $about; $n processes; other panels: $about_real"
echo "$head"
# small PANEL: of rows, messages of up to 1 KiB
small()
{
	for algorithm in segmented-chain binomial linear; do
		series bcast $algorithm "$1/$algorithm; " <"$1.rows" | awk -F, '$2 <= 1024'
	done
}
rows gigabit $n bcast,scatter >gigabit.rows
small gigabit
for network in $(networks); do
	rows "$network" 2 bcast,scatter >"$network.rows"
	small "$network"
done
