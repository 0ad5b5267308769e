# SPDX-License-Identifier: BSD-3-Clause
# figure-6.sh - share of an operation that is hidden behind computing.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/offload/collectives.sh"

offload_rows
offload_series hidden 1000 "share" 1
library_rows
library_series hidden 1000 "share"
