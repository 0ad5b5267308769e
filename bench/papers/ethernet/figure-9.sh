# SPDX-License-Identifier: BSD-3-Clause
# figure-9.sh - tree of 3 over one network and over two.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/ethernet/series.sh"

header
simulated "one network" "3 7 15" --algorithm knomial --arity 3 \
	--release multicast || exit 1
simulated "two networks" "3 7 15" --algorithm knomial --arity 3 \
	--release multicast --networks 2 || exit 1
in_guest "kernel of a guest; one network" tree-3 "3 7 15" || exit 1
in_guest "kernel of a guest; two networks" tree-3-by-2 "3 7 15"
