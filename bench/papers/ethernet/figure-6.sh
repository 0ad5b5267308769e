# SPDX-License-Identifier: BSD-3-Clause
# figure-6.sh - tree of 2 over processes, released by a multicast.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/ethernet/series.sh"

header
simulated switch "$processes" --algorithm binomial --release multicast || exit 1
simulated "shuffle exchange" "$processes" --algorithm butterfly || exit 1
in_guest "kernel of a guest" tree-2 "$processes"
