# SPDX-License-Identifier: BSD-3-Clause
# figure-5.sh - latency of barriers, by the kernel and by processes.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/offload/collectives.sh"

offload_rows
offload_series latency 0 "us" 1
library_rows
library_series alone 0 "us"
