# SPDX-License-Identifier: BSD-3-Clause
# figure-5.sh - broadcast among 16 processes by three algorithms: models and measurements.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/plogp/probe.sh"

n=16
test "$FORM" = full || n=3
echo "# $about; $n processes"
echo "$head"
for algorithm in segmented-chain binomial linear; do
	rows gigabit $n bcast,scatter | series bcast $algorithm "$algorithm; "
done
