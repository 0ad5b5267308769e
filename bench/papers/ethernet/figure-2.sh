# SPDX-License-Identifier: BSD-3-Clause
# figure-2.sh - ping-pong of two processes: half of a round trip over bytes.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/ethernet/gauge.sh"
ping_pong us
