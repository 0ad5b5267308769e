# SPDX-License-Identifier: BSD-3-Clause
# figure-5.sh - shuffle exchange over processes.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/ethernet/series.sh"

header
simulated switch "$processes" --algorithm butterfly || exit 1
emulated "emulated switch" "$processes" butterfly || exit 1
hub hub "$processes" butterfly || exit 1
over_tcp "processes over TCP" "$processes" butterfly || exit 1
in_guest "kernel of a guest" butterfly "$processes"
