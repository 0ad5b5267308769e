# SPDX-License-Identifier: BSD-3-Clause
# figure-11.sh - two algorithms of the total exchange, which the paper found to be alike.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/plogp/probe.sh"

n=24 largest=64k
test "$FORM" = full || n=3 largest=1k
echo "# panel gigabit: $about; $n processes; panel busy: with a switch that is shared; $about_real"
echo "$head"
for network in gigabit busy; do
	for algorithm in direct direct-rotated; do
		rows $network $n exchange $largest |
			series exchange $algorithm "$network/$algorithm "
	done
done
for network in $(networks); do
	for algorithm in direct direct-rotated; do
		rows "$network" 2 exchange $largest |
			series exchange $algorithm "$network/$algorithm "
	done
done
