# SPDX-License-Identifier: BSD-3-Clause
# figure-9.sh - scatter among 24 processes by two algorithms: models and measurements.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/plogp/probe.sh"

n=24
test "$FORM" = full || n=3
echo "# $about; $n processes"
echo "$head"
for algorithm in binomial linear; do
	rows gigabit $n bcast,scatter | series scatter $algorithm "$algorithm; "
done
