# SPDX-License-Identifier: BSD-3-Clause
# figure-3.sh - ping-pong of two processes: bandwidth over bytes.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/ethernet/gauge.sh"
ping_pong MB/s
