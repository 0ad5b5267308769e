# SPDX-License-Identifier: BSD-3-Clause
# figure-7.sh - tree of 3 over processes, released by a multicast.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/ethernet/series.sh"

header
simulated switch "$processes 31" --algorithm knomial --arity 3 --release multicast || exit 1
simulated "tree of 2" "$processes 31" --algorithm binomial --release multicast || exit 1
in_guest "kernel of a guest" tree-3 "$processes"
