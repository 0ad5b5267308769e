# SPDX-License-Identifier: BSD-3-Clause
# figure-10.sh - concurrent barrier over one network and over two.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/ethernet/series.sh"

header
simulated "one network" "2 4 8 16" --algorithm linear \
	--release multicast || exit 1
simulated "two networks" "2 4 8 16" --algorithm linear \
	--release multicast --networks 2 || exit 1
in_guest "kernel of a guest; one network" concurrent "2 4 8 16" || exit 1
in_guest "kernel of a guest; two networks" concurrent-by-2 "2 4 8 16"
