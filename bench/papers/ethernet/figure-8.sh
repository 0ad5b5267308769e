# SPDX-License-Identifier: BSD-3-Clause
# figure-8.sh - concurrent barrier over processes.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/ethernet/series.sh"

header
simulated switch "$processes" --algorithm linear --release multicast || exit 1
emulated "emulated switch" "$processes" linear || exit 1
hub hub "$processes" linear || exit 1
over_tcp "processes over TCP" "$processes" linear || exit 1
in_guest "kernel of a guest" concurrent "$processes"
